// Decides a request. The server holds the decision for a few seconds, and until then it can be taken back.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, makeKey } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { dismiss, notify } from '../shell/notices.tsx'
import type { DecisionName, VerdictParts, WholeRequest } from './request-answer.ts'
import { type ApprovalSearch, filtersIn } from './search.ts'

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
  const goOn = useNextRow()
  const { request_id: id, revision, title, requester } = request
  return useMutation({
    mutationFn: ({ verdict, parts }: { verdict: DecisionName; parts: VerdictParts }) => {
      const input = { request: id, revision, grace_seconds: graceSeconds(), ...parts }
      const done = { key: `${key}-${verdict}-${revision}` }
      if (verdict === 'approve') return call('approve', input, done)
      if (verdict === 'reject') return call('reject', input, done)
      return call('request-revision', { ...input, notes: parts.notes ?? '' }, done)
    },
    onSuccess({ held_until }, { verdict }) {
      const text = `${DONE[verdict]} “${title}”`
      goOn(id)
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
    // A refused decision may be tried again in other words.
    onError: () => setKey(makeKey()),
    // The stream says it too; after a refusal the page shows what is true now.
    onSettled: () => refetch(id),
  })
}

/** After a decision the next request that waits is opened, if there is one. Its keys stay cold for a moment. */
function useNextRow(): (id: string) => void {
  const navigate = useNavigate()
  return (id) => {
    if (location.pathname !== `/approvals/${id}`) return
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row][data-sign="needs"]')]
    const ids = rows.map((row) => row.dataset.row)
    const at = ids.indexOf(id)
    const next = at < 0 ? undefined : (ids[at + 1] ?? ids[at - 1])
    if (next === undefined) return
    void navigate({
      to: '/approvals/$id',
      params: { id: next },
      search: (before: ApprovalSearch) => filtersIn(before),
    })
    rows.find((row) => row.dataset.row === next)?.focus()
  }
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

export function refetch(id: string): void {
  void queries.invalidateQueries({ queryKey: ['request get', { request: id }] })
  void queries.invalidateQueries({ queryKey: ['request list'] })
}
