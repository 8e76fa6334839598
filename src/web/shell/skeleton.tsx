// Shown until an item has loaded: blank for a moment, then bars in place of the heading and the lines. While the server
// is away, it says so and offers to try again.

import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { askAnew } from '../api/queries.ts'
import { useLive } from '../live/live.ts'
import { Button } from '../ui/button.tsx'
import { ErrorFallback } from './error-fallback.tsx'
import css from './skeleton.module.css'

/** Wraps a pane whose code is loaded when it's first opened. If that fails, the list stays usable. */
export function LazyPane({ label, children }: { label: string; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => label} errorComponent={ErrorFallback}>
      <Suspense fallback={<Skeleton label={label} />}>{children}</Suspense>
    </CatchBoundary>
  )
}

type Props = {
  /** The accessible name, if the skeleton is a section of its own. */
  label?: string
  /** The back link shown on phones. */
  children?: ReactNode
  /** Tries again to load an item that isn't in the query cache. */
  again?: () => void
}

export function Skeleton({ label, children, again = askAnew }: Props) {
  const isAway = useLive().state === 'offline'
  return (
    <section className={css.skeleton} aria-label={label} aria-busy={!isAway}>
      <div className={css.bars}>
        {isAway ? (
          <>
            <p>Couldn’t load it: the server can’t be reached.</p>
            <Button onClick={again}>Try again</Button>
          </>
        ) : (
          <>
            <i />
            <i />
            <i />
            <i />
          </>
        )}
        {children}
      </div>
    </section>
  )
}
