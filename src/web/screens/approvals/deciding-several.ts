// Approves several requests, each held by the server as one alone would be. One notice tells of all and takes all back.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, isUnanswered, makeKey } from '../../api/call.ts'
import { graceSeconds } from '../../items/request/deciding.ts'
import { refetch } from '../../items/request/refetch.ts'
import type { ListedRequest } from '../../items/request/request-answer.ts'
import { forgetUndo, takeBack } from '../../items/request/taking-back.ts'
import { dismiss, notify } from '../../ui/toasts.tsx'

type LostCall = { body: string; key: string; isAgain: boolean }

export function useDecidingSeveral(onDone: () => void) {
  const sent = useRef<LostCall | null>(null)
  return useMutation({
    async mutationFn(rows: readonly ListedRequest[]) {
      const requests = rows.map(({ request_id, revision }) => `${request_id}:${revision}`)
      const input = { decision: 'approve' as const, requests, grace_seconds: graceSeconds() }
      for (const { request_id } of rows) forgetUndo(request_id)
      // The same rows after a lost answer are the same call. Only an answer ends it.
      const body = JSON.stringify(input)
      const isAgain = sent.current?.body === body
      sent.current = { body, key: (isAgain && sent.current?.key) || makeKey(), isAgain }
      const { key } = sent.current
      return { key, isAgain, ...(await call('request decide', input, { key })) }
    },
    onSuccess({ key: id, isAgain, decided, refused, results }) {
      const why = results.find(({ code }) => code !== null)?.message
      const held = results.flatMap(({ held_until, request_id }) =>
        held_until === null ? [] : [request_id],
      )
      const seconds = graceSeconds()
      // The server's clock may differ from ours, so the seconds count and not its moment.
      const until = Date.now() + seconds * 1000
      const run = () => {
        dismiss(id)
        void takeBack(held, until, id)
      }
      // The first call may have been long ago: then its seconds are not known here, and each request shows them.
      const canUndo = held.length > 0 && !isAgain
      const more = why ?? (canUndo ? `Whoever asked is told after ${seconds} s` : undefined)
      notify({
        id,
        text: refused === 0 ? `Approved ${decided}` : `Approved ${decided}, not ${refused}`,
        ...(more === undefined ? {} : { more }),
        ...(canUndo ? { undo: { run, until } } : {}),
        isFailure: refused > 0,
      })
      onDone()
    },
    onSettled(_, error, rows) {
      if (error === null || !isUnanswered(error)) sent.current = null
      refetch(...rows.map(({ request_id }) => request_id))
    },
  })
}
