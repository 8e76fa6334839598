// Somebody else may revise or decide a request while it is open here. Then nothing of what was meant for the earlier one
// is sent by itself: the person sees what became of it first.

import { useCallback, useMemo, useState } from 'react'
import { type Change, changesBetween } from '../../../core/requests/changes.ts'
import type { WholeRequest } from './request-answer.ts'

export type Meanwhile = {
  /** The later revision, and how it differs from the one that was read; null while it is the same. */
  revised: { from: number; to: number; by: string; at: string; changes: readonly Change[] } | null
  /** The revision that the person has seen: no decision is about another. */
  read: number
  /** The person has looked at the later one. */
  seen: () => void
  /** The person has written this one. */
  wrote: (revision: number) => void
}

export function useMeanwhile({ request: { revision }, revisions }: WholeRequest): Meanwhile {
  const [read, setRead] = useState(revision)
  const revised = useMemo(() => {
    const [from, to] = [revisions[read - 1], revisions[revision - 1]]
    if (read === revision || from === undefined || to === undefined) return null
    const changes = changesBetween(allOf(from), allOf(to))
    return { from: read, to: revision, by: to.by, at: to.at, changes }
  }, [revisions, read, revision])
  const seen = useCallback(() => setRead(revision), [revision])
  return { revised, read, seen, wrote: setRead }
}

/** The consequence stands at the decision, so a change of it is shown there too. */
function allOf(one: WholeRequest['revisions'][number]) {
  return { ...partsOf(one), consequence: one.consequence }
}

/** The parts of a revision that people compare. */
export function partsOf({ title, description, payload }: WholeRequest['revisions'][number]) {
  return { title, description, payload }
}
