// Approves several requests, each held by the server as one alone would be. One notice tells of all and takes all back.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, isUnanswered, makeKey } from '../../api/call.ts'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { refetch } from '../../items/request/request-query.ts'
import { forgetDecision, graceOf, graceSeconds } from '../../items/request/use-decision.ts'
import { notify } from '../../ui/toasts.tsx'

type LostCall = { body: string; key: string; isAgain: boolean }

export function useDecidingSeveral(onDone: () => void) {
  const sent = useRef<LostCall | null>(null)
  return useMutation({
    async mutationFn(rows: readonly ListedRequest[]) {
      const requests = rows.map(({ request_id, revision }) => `${request_id}:${revision}`)
      const input = { decision: 'approve' as const, requests, grace_seconds: graceSeconds() }
      for (const { request_id } of rows) forgetDecision(request_id)
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
      // The first call may have been long ago: then its seconds aren't known here, and each request shows them.
      const grace = held.length > 0 && !isAgain ? graceOf(held, id, 'Whoever asked') : {}
      notify({
        id,
        text: refused === 0 ? `Approved ${decided}` : `Approved ${decided}, not ${refused}`,
        ...grace,
        ...(why === undefined ? {} : { more: why }),
        isFailure: refused > 0,
      })
      onDone()
    },
    onSettled(_, error, rows) {
      if (error === null || !isUnanswered(error)) sent.current = null
      void refetch(...rows.map(({ request_id }) => request_id))
    },
  })
}
