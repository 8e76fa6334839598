// Decides a request. The server holds the decision for a few seconds, and until then it can be taken back.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { CallRefusal, call, isUnanswered, makeKey } from '../../api/call.ts'
import { asking, me, queries } from '../../api/queries.ts'
import { dismiss, notify } from '../../ui/toasts.tsx'
import { takeWords } from './kept.ts'
import { refetch } from './refetch.ts'
import type { DecisionName, DecisionWish, WholeRequest } from './request-answer.ts'
import { type ApprovalSearch, filtersIn } from './search.ts'
import { forgetUndo, takeBack } from './taking-back.ts'

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
const DONE_WITH_QUESTION = { ...DONE, approve: 'Answered', reject: 'Declined' }

export function useDeciding({ request }: WholeRequest) {
  // One key for one decision: pressing twice, or again after a lost answer, decides once. Only an answer ends it.
  const unanswered = useRef<{ body: string; key: string } | null>(null)
  const goOn = useNextRow()
  const { request_id: id, title, requester } = request
  return useMutation({
    mutationFn: ({ verdict, revision, parts }: DecisionWish) => {
      forgetUndo(id)
      const input = { request: id, revision, grace_seconds: graceSeconds(), ...parts }
      const body = JSON.stringify([verdict, input])
      if (unanswered.current?.body !== body) unanswered.current = { body, key: makeKey() }
      const { key } = unanswered.current
      if (verdict === 'approve') return call('approve', input, { key })
      if (verdict === 'reject') return call('reject', input, { key })
      return call('request-revision', { ...input, notes: parts.notes ?? '' }, { key })
    },
    onSuccess({ held_until }, { verdict, isAgain }) {
      unanswered.current = null
      takeWords(id)
      const done = request.type === 'question' ? DONE_WITH_QUESTION : DONE
      const text = `${done[verdict]} “${title}”`
      // The first call may have been long ago: then its seconds are not known here, and the request shows them.
      if (isAgain) return notify({ id, text })
      goOn(id)
      if (held_until === null) return notify({ id, text })
      // The server's clock may differ from ours, so the seconds count and not its moment.
      const seconds = graceSeconds()
      const until = Date.now() + seconds * 1000
      const run = () => {
        dismiss(id)
        void takeBack([id], until)
      }
      notify({ id, text, more: `${requester} is told after ${seconds} s`, undo: { run, until } })
    },
    onError(error) {
      if (!isUnanswered(error)) unanswered.current = null
      if (error instanceof CallRefusal && error.code === 'invalid_state') {
        void tell(id, title)
        return
      }
      if (location.pathname.endsWith(`/${id}`)) return
      // The request is open no longer, so its foot cannot say it.
      const text = isUnanswered(error)
        ? `It is not known whether your decision about “${title}” arrived. Look at it again.`
        : `Nothing was decided about “${title}”: it is no longer as you saw it.`
      notify({ id, text, isFailure: true })
    },
    // The stream says it too; after a refusal the page shows what is true now.
    onSettled: () => refetch(id),
  })
}

/** By the held move or the status. */
const DID: Record<string, string> = {
  approve: 'approved this',
  approved: 'approved this',
  reject: 'rejected this',
  rejected: 'rejected this',
  request_revision: 'sent this back',
  revision_requested: 'sent this back',
  cancelled: 'withdrew this',
}

/** Somebody was faster; that may have been the same person in another tab or at a shell. */
async function tell(id: string, title: string): Promise<void> {
  const asked = { ...asking('request get', { request: id }), staleTime: 0 }
  const whole = await queries.fetchQuery(asked).catch(() => null)
  const own = queries.getQueryData(me.queryKey)?.principal.name
  const { held_move = null, held_by = null, decided_by = null, status = '' } = whole?.request ?? {}
  const by = (held_by ?? decided_by ?? '').replace(/^(agent|user):/, '')
  const did = DID[held_move ?? status]
  const text =
    by === '' || did === undefined
      ? `Nothing was decided about “${title}”: it is no longer pending.`
      : by === own
        ? `You ${did} in another tab or at a shell`
        : `${by} ${did}`
  notify({ id, text })
}

/** After a decision the next request that waits is opened, if there is one. Its keys stay cold for a moment. */
function useNextRow(): (id: string) => void {
  const navigate = useNavigate()
  return (id) => {
    if (location.pathname !== `/approvals/${id}`) return
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.findIndex((row) => row.dataset.row === id)
    if (at < 0) return
    // The one that was decided may look so already.
    const waits = (row: HTMLElement) => row.dataset.sign === 'needs'
    const row = rows.slice(at + 1).find(waits) ?? rows.slice(0, at).findLast(waits)
    const next = row?.dataset.row
    if (next === undefined) return
    void navigate({
      to: '/approvals/$id',
      params: { id: next },
      search: (before: ApprovalSearch) => filtersIn(before),
    })
    row?.focus()
  }
}
