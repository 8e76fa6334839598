// Tests what an agent may do to the work of others, where the door knows who is calling.

import { expect } from 'bun:test'
import { Refusal } from '../../src/core/error.ts'
import type { Principal } from '../../src/core/principal.ts'
import { call } from '../../src/ops/call.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { DAWN } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'

const never = new AbortController().signal

async function scene(place: Place) {
  const { close: _, ...house } = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  const register = (agent: string, more: object = {}) => inbox.agentRegister({ agent, ...more })
  await register('boss', { role: 'orchestrator' })
  for (const name of ['grand', 'lead', 'worker', 'above', 'peer']) await register(name)
  await register('lead', { parent: 'grand' })
  await register('worker', { parent: 'above' })
  const as = async (who: string | Principal, name: string, raw: Record<string, unknown>) => {
    const principal: Principal =
      typeof who === 'string' ? { kind: 'agent', name: who, proof: 'token' } : who
    const { result, settle } = await call(house, {
      op: await operationNamed(name),
      principal,
      raw,
      door: 'http',
      signal: never,
    })
    await settle()
    return result as { thread?: { status: string } }
  }
  const work = async () =>
    (await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })).thread.thread_id
  return { inbox, as, work }
}

async function declined(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    (value) => new Error(`was answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw error
  expect({ code: error.code, says: error.message }).toMatchObject({ code: 'forbidden' })
  return error.message
}

contract('work is cancelled by who has a part in it, or is above one who has', async (place) => {
  const { inbox, as, work } = await scene(place)
  const thread = await work()
  const { lease } = await inbox.claim({ agent: 'worker', thread })
  const message = await declined(as('peer', 'cancel', { thread }))
  for (const one of ['lead', 'worker', 'above them', 'orchestrator', 'person', thread]) {
    expect(message).toContain(one)
  }
  // Nobody was told anything, and the worker goes on.
  const told = await as('worker', 'renew', { thread, lease_token: lease?.lease_token })
  expect(told).not.toHaveProperty('stop')
  const people: Principal[] = [
    { kind: 'person', name: 'user', proof: 'session' },
    { kind: 'service', name: 'ci', proof: 'token' },
  ]
  for (const who of ['lead', 'worker', 'grand', 'above', 'boss', ...people]) {
    const answer = await as(who, 'cancel', { thread: await work() })
    expect(answer.thread).toMatchObject({ status: 'cancelled' })
  }
  // Where a name proves nothing, nobody is asked.
  expect((await inbox.cancel({ agent: 'peer', thread })).thread.status).toBe('cancelled')
})

contract(
  'who has no part in the work tells nobody in it to stop, nor by work of its own',
  async (place) => {
    const { as, work } = await scene(place)
    const thread = await work()
    const words = { summary: 'Stop at once' }
    const acts: [string, Record<string, unknown>][] = [
      ['reply', { thread, kind: 'control', to: 'worker', ...words }],
      ['reply', { thread, kind: 'cancel', ...words }],
      ['send', { thread, kind: 'control', to: 'worker', ...words }],
      ['send', { to: 'worker', kind: 'cancel', ...words }],
    ]
    for (const [name, raw] of acts) await declined(as('peer', name, raw))
    // Nor does who has a part in it tell one who has none.
    await declined(as('lead', 'reply', { thread, kind: 'control', to: 'peer', ...words }))
    for (const who of ['worker', 'peer']) {
      expect(await as(who, 'list', {})).not.toHaveProperty('stop')
    }
    // Anyone may say anything else.
    await as('peer', 'reply', { thread, to: 'worker', kind: 'progress', summary: 'See the notes' })
    await as('lead', 'reply', { thread, kind: 'control', ...words })
    expect(await as('worker', 'list', {})).toMatchObject({ stop: { from: 'lead' } })
    await as('above', 'send', { to: 'worker', kind: 'cancel', ...words })
  },
)
