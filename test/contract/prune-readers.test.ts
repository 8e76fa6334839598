// A server prunes on its own while others read the log. A reader that was up to date within the last hour can continue.

import { expect } from 'bun:test'
import type { Mailroom } from '../../src/bin/compose.ts'
import type { Principal } from '../../src/core/principal.ts'
import type { PruneTotals } from '../../src/core/store.ts'
import { call } from '../../src/ops/call.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { DAWN } from '../worlds/store.ts'
import { contract } from './engines.ts'

const SYSTEM: Principal = { kind: 'system', name: 'system', proof: 'self' }
const HOUR = 3600
const MONTH = 31 * 86_400

async function serverPrunes(room: Mailroom, raw: object): Promise<PruneTotals> {
  const op = await operationNamed('prune')
  const { signal } = new AbortController()
  const want = { op, principal: SYSTEM, raw: { ...raw }, door: 'http' as const, signal }
  const { result, afterAnswer } = await call(room, want)
  await afterAnswer()
  return (result as { removed: PruneTotals }).removed
}

contract('a server does not prune threads that changed within the last hour', async (place) => {
  const room = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  await inbox.agentRegister({ agent: 'ann', status: 'idle' })
  for (const body of ['One', 'Two', 'Three']) await inbox.mailSend({ from: 'bob', to: 'ann', body })
  const { thread } = await inbox.send({ from: 'bob', to: 'ann', subject: 'Old work' })
  await inbox.cancel({ agent: 'bob', thread: thread.thread_id, reason: 'No more' })
  await place.clock.advance(MONTH)
  // The mail is all old, but it was just read, and a reader has seen the log up to this cursor.
  const cursor = await room.store.lastEventId()
  await inbox.mailMarkRead({ agent: 'ann', all: true })
  await inbox.show({ agent: 'ann', thread: thread.thread_id, mark_read: true })
  await place.clock.advance(HOUR - 1)
  expect(await serverPrunes(room, { mail_messages: 1 })).toMatchObject({ threads: 0, events: 0 })
  expect((await inbox.mailPeek({ agent: 'ann', since: String(cursor) })).messages).toEqual([])
  await place.clock.advance(2)
  expect((await serverPrunes(room, { mail_messages: 1 })).threads).toBe(4)
  expect(await room.store.floor()).toBeGreaterThan(cursor)
})

contract('pruning by hand also removes threads that just changed', async (place) => {
  await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  await inbox.agentRegister({ agent: 'ann', status: 'idle' })
  await inbox.mailSend({ from: 'bob', to: 'ann', body: 'One' })
  await inbox.mailMarkRead({ agent: 'ann', all: true })
  expect((await inbox.prune({ mail_messages: 0 })).removed.threads).toBe(1)
})
