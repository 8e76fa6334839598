import { lazy, Suspense } from 'react'
import css from './request.module.css'

const Loaded = lazy(async () => ({ default: (await import('./request.tsx')).OpenRequest }))

/** The views of requests are loaded with the first one that is opened. */
export function LazyRequest({ id }: { id: string }) {
  return (
    <Suspense fallback={<section className={css.request} aria-label="Request" aria-busy />}>
      <Loaded id={id} />
    </Suspense>
  )
}
