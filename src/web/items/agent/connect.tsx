import { lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }))

/** Shown in an empty store. Loaded on demand, because a person with mail never needs it. */
export function Connect() {
  return (
    <Suspense fallback={null}>
      <Loaded />
    </Suspense>
  )
}
