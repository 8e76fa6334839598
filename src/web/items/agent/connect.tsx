import { lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }))

/** The first sight of an empty store. Whoever has mail never loads it. */
export function Connect() {
  return (
    <Suspense fallback={null}>
      <Loaded />
    </Suspense>
  )
}
