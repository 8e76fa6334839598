import { lazy } from 'react'
import { Opening } from '../../shell/skeleton.tsx'

const Loaded = lazy(async () => ({ default: (await import('./request.tsx')).OpenRequest }))

/** The views of requests are loaded with the first one that is opened. */
export function LazyRequest({ id }: { id: string }) {
  return (
    <Opening label="Request">
      <Loaded id={id} />
    </Opening>
  )
}
