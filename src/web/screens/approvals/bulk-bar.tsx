// The bar below the list while several requests are selected, and the code that approves them. The server holds each
// decision as usual, and one toast reports all of them and can undo them.

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, isUnanswered, makeKey } from '../../api/call.ts'
import { typeOf } from '../../items/request/labels.tsx'
import { type ListedRequest, refetch } from '../../items/request/request-query.ts'
import { forgetDecision, graceOf, graceSeconds } from '../../items/request/use-decision.ts'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import css from './list.module.css'
import { MOST_SELECTED, type RowSelection } from './selection.ts'

export function BulkBar({ selection }: { selection: RowSelection }) {
  const [isOpen, setOpen] = useState(false)
  const { isOn, selected, end } = selection
  if (!isOn) return null
  const count = selected.size
  return (
    <div className={css.bar}>
      <p role="status">{`${count} of up to ${MOST_SELECTED} selected`}</p>
      <Button hint="Escape" onClick={end}>
        Cancel
      </Button>
      <Button look="ink" disabled={count === 0} onClick={() => setOpen(true)}>
        {`Approve ${count}…`}
      </Button>
      <BulkDialog
        isOpen={isOpen && count > 0}
        selection={selection}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}

type DialogProps = { isOpen: boolean; selection: RowSelection; onClose: () => void }

function BulkDialog({ isOpen, selection: { selected, end }, onClose }: DialogProps) {
  const rows = [...selected.values()]
  const { mutate, isPending, error } = useBulkApproval(() => {
    onClose()
    end()
  })
  const isOffline = useLive().state === 'offline'
  const [first] = rows
  const word = first === undefined ? '' : typeOf(first.type).word
  return (
    <Dialog
      isOpen={isOpen}
      title={rows.length === 1 ? 'Approve this one?' : `Approve these ${rows.length}?`}
      onClose={onClose}
      onSubmit={() => !isPending && !isOffline && mutate(rows)}
      action={isOffline ? 'Needs a connection' : `Approve ${rows.length}`}
      hint="Mod+Enter"
      isDisabled={isPending || isOffline}
      focus="cancel"
    >
      <p>{`${word}, low risk. You can undo this for ${graceSeconds()} sec.`}</p>
      <ul className={css.titles}>
        {rows.map(({ request_id, title, requester, revision }) => (
          <li key={request_id} className="break ink py-3" dir="auto">
            {title} <span className="quiet">{`${requester}, v${revision}`}</span>
          </li>
        ))}
      </ul>
      {error === null ? null : (
        <p className="red mt-5" role="alert">
          {isUnanswered(error)
            ? 'The approvals may not have gone through. You can safely approve again: nothing is approved twice.'
            : `Nothing was decided: ${error.message}.`}
        </p>
      )}
    </Dialog>
  )
}

type LostCall = { body: string; key: string }

function useBulkApproval(onDone: () => void) {
  const lost = useRef<LostCall | null>(null)
  return useMutation({
    // Never sent later automatically: see rule (3) in decision.ts.
    networkMode: 'always',
    async mutationFn(rows: readonly ListedRequest[]) {
      const requests = rows.map(({ request_id, revision }) => `${request_id}:${revision}`)
      const input = { decision: 'approve' as const, requests, grace_seconds: graceSeconds() }
      for (const { request_id } of rows) forgetDecision(request_id)
      // After a lost response, approving the same rows repeats the same call until a response arrives.
      const body = JSON.stringify(input)
      const isAgain = lost.current?.body === body
      const key = (isAgain && lost.current?.key) || makeKey()
      lost.current = { body, key }
      return { key, isAgain, ...(await call('request decide', input, { key })) }
    },
    onSuccess({ key: id, isAgain, decided, refused, results }) {
      const why = results.find(({ code }) => code !== null)?.message
      const held = results.flatMap(({ held_until, request_id }) =>
        held_until === null ? [] : [request_id],
      )
      // The first call may have been long ago, so the time left to undo isn't known here. Each request shows its own.
      const grace = held.length > 0 && !isAgain ? graceOf(held, id, 'The requester') : {}
      showToast({
        id,
        text: refused === 0 ? `Approved ${decided}` : `Approved ${decided} of ${decided + refused}`,
        ...grace,
        ...(why === undefined ? {} : { more: why }),
        isFailure: refused > 0,
      })
      onDone()
    },
    onSettled(_, error, rows) {
      if (error === null || !isUnanswered(error)) lost.current = null
      void refetch(...rows.map(({ request_id }) => request_id))
    },
  })
}
