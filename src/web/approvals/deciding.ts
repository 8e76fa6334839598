// Decides a request. The server holds the decision for a few seconds, and until then it can be taken back.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, makeKey } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { dismiss, notify } from '../shell/notices.tsx'
import type { DecisionName, VerdictParts, WholeRequest } from './request-answer.ts'

/** Seconds; people set it to more if they need longer. */
export const GRACE_SETTING = 'grace'
export const GRACES = [5, 10, 20]

export function graceSeconds(): number {
  const set = Number(localStorage.getItem(GRACE_SETTING))
  return GRACES.includes(set) ? set : 5
}

const DONE: Record<DecisionName, string> = {
  approve: 'Approved',
  reject: 'Rejected',
  'request-revision': 'Revision asked',
}

export function useDeciding({ request }: WholeRequest) {
  // One key for one decision: pressing twice, or again after a lost answer, decides once.
  const [key, setKey] = useState(makeKey)
  const { request_id: id, revision, title, requester } = request
  return useMutation({
    mutationFn: ({ verdict, parts }: { verdict: DecisionName; parts: VerdictParts }) => {
      const input = { request: id, revision, grace_seconds: graceSeconds(), ...parts }
      const done = { key: `${key}-${verdict}` }
      if (verdict === 'approve') return call('approve', input, done)
      if (verdict === 'reject') return call('reject', input, done)
      return call('request-revision', { ...input, notes: parts.notes ?? '' }, done)
    },
    onSuccess({ held_until }, { verdict }) {
      const text = `${DONE[verdict]} “${title}”`
      if (held_until === null) return notify({ id, text })
      const run = () => {
        dismiss(id)
        setKey(makeKey())
        void takeBack(id)
      }
      // The server's clock may differ from ours, so the seconds count and not its moment.
      const until = Date.now() + graceSeconds() * 1000
      notify({ id, text, more: `${requester} is told when the time is over`, undo: { run, until } })
    },
    // The stream says it too; after a refusal the page shows what is true now.
    onSettled: () => refetch(id),
  })
}

async function takeBack(id: string): Promise<void> {
  try {
    await call('undo-decision', { request: id })
    notify({ id, text: 'Taken back. Nothing is decided.' })
  } catch (error) {
    notify({ id, text: `Couldn't take it back: ${(error as Error).message}`, isFailure: true })
  } finally {
    refetch(id)
  }
}

function refetch(id: string): void {
  void queries.invalidateQueries({ queryKey: ['request get', { request: id }] })
  void queries.invalidateQueries({ queryKey: ['request list'] })
}
