// An idempotency key makes a retry return the first answer. It belongs to the caller that used it, so two agents can
// use the same key. Only recorded work is stored; an outcome that recorded nothing ("nothing to claim") is computed
// again.

import { quote, refuse } from '../core/error.ts'
import type { Idempotency, WriteResult } from '../core/store.ts'

export type KeyRow = { request_hash: string; response_json: string; event_id: number }

export function keyParams({ agent, key }: Idempotency) {
  return { agent, idempotency_key: key }
}

export function replay(row: KeyRow, idempotency: Idempotency): WriteResult<unknown> {
  if (row.request_hash !== idempotency.requestHash)
    throw refuse.invalid_state`idempotency key ${quote(idempotency.key)} was already used by ${idempotency.agent} for another call; use a new key`
  return { value: JSON.parse(row.response_json), eventId: row.event_id, replayed: true }
}
