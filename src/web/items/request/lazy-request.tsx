import { lazy } from 'react'
import { LazyPane } from '../../shell/skeleton.tsx'
import type { OpenRequestProps } from './request.tsx'

const Loaded = lazy(async () => ({ default: (await import('./request.tsx')).OpenRequest }))

/** The code that shows requests is loaded when the first one is opened. */
export function LazyRequest(props: OpenRequestProps) {
  return (
    <LazyPane label="Request">
      <Loaded {...props} />
    </LazyPane>
  )
}
