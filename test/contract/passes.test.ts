// Changes to a lot of mail are made in several passes, so that other writers don't have to wait for all of it.

import { expect } from 'bun:test'
import type { Store } from '../../src/core/store.ts'
import { call } from '../../src/ops/call.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { contract, type Place } from './engines.ts'

const MANY = 450
const USER = { kind: 'person', name: 'user', proof: 'socket' } as const

/** A store with many threads of mail, a caller, and the number of events that each transaction has written. */
async function crowdStore(place: Place) {
  const { close: _, ...house } = await place.open()
  const inbox = await place.connect()
  for (const agent of ['lead', 'worker']) await inbox.agentRegister({ agent })
  // Uses fewer senders than the pool has connections: on a busy machine, a call could wait too long for a free one.
  const fill = async (n: number) => {
    const subjects = Array.from({ length: n }, (_, i) => `News ${i}`).values()
    const sender = async () => {
      for (const subject of subjects) await inbox.mailSend({ from: 'lead', to: 'worker', subject })
    }
    await Promise.all(Array.from({ length: 8 }, sender))
  }
  await fill(MANY)
  const sizes: number[] = []
  const write: Store['write'] = async (work, idempotency) => {
    let size = 0
    const written = await house.store.write((tx) => {
      const record: typeof tx.record = (before, event) => {
        size += 1
        return tx.record(before, event)
      }
      return work({ ...tx, record })
    }, idempotency)
    sizes.push(size)
    return written
  }
  const watched = { ...house, store: { ...house.store, write } }
  const ask = async (name: string, principal: typeof USER | object, raw: object) => {
    const { result } = await call(watched, {
      op: await operationNamed(name),
      principal: principal as typeof USER,
      raw: raw as Record<string, unknown>,
      door: 'library',
      signal: new AbortController().signal,
    })
    return result as Record<string, unknown>
  }
  return { inbox, fill, sizes, ask }
}

contract(
  'marks much mail as read in several transactions, but as one call under its key',
  async (place) => {
    const { inbox, fill, sizes, ask } = await crowdStore(place)
    const worker = { kind: 'agent', name: 'worker', proof: 'claim' }
    const raw = { all: true, idempotency_key: 'once' }
    expect(await ask('mail mark-read', worker, raw)).toMatchObject({ marked: MANY, unread: 0 })
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(400)
    // A retry gets the first answer, and does not mark newer mail.
    await fill(MANY)
    expect(await ask('mail mark-read', worker, raw)).toMatchObject({ marked: MANY, unread: MANY })
    const { findings } = await inbox.doctor({})
    expect(findings.find(({ check }) => check === 'log')?.ok).toBe(true)
  },
)

contract('turning off an agent bounces its mail in several transactions', async (place) => {
  const { inbox, sizes, ask } = await crowdStore(place)
  const off = await ask('agent status', USER, { agent: 'worker', status: 'off' })
  expect(off).toMatchObject({ bounced: MANY })
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(600)
  expect(await ask('agent status', USER, { agent: 'worker' })).toMatchObject({
    agent: { unread: 0 },
  })
  const notes = await inbox.mailRead({ agent: 'lead', limit: 500 })
  expect(notes.messages).toHaveLength(MANY)
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')?.ok).toBe(true)
})
