// Tests what an agent can do to other agents' work through a door that knows who is calling.

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
  for (const name of ['grand', 'lead', 'worker', 'above', 'peer', 'chief']) await register(name)
  await register('lead', { parent: 'grand' })
  await register('worker', { parent: 'above' })
  const as = async (who: string | Principal, name: string, raw: Record<string, unknown>) => {
    const principal: Principal =
      typeof who === 'string' ? { kind: 'agent', name: who, proof: 'token' } : who
    const { result, afterAnswer } = await call(house, {
      op: await operationNamed(name),
      principal,
      raw,
      door: 'http',
      signal: never,
    })
    await afterAnswer()
    return result as { thread?: { status: string } }
  }
  const work = async () =>
    (await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })).thread.thread_id
  return { inbox, as, work }
}

async function mustBeDeclined(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    (value) => new Error(`was answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw error
  expect({ code: error.code, says: error.message }).toMatchObject({ code: 'forbidden' })
  return error.message
}

contract(
  'an agent can cancel work only if it or an agent below it has a part in it',
  async (place) => {
    const { inbox, as, work } = await scene(place)
    const thread = await work()
    const { lease } = await inbox.claim({ agent: 'worker', thread })
    const message = await mustBeDeclined(as('peer', 'cancel', { thread }))
    for (const one of ['lead', 'worker', 'above them', 'orchestrator', 'person', thread]) {
      expect(message).toContain(one)
    }
    // No one was told to stop, and the worker can continue.
    const told = await as('worker', 'renew', { thread, lease_token: lease?.lease_token })
    expect(told).not.toHaveProperty('stop')
    const people: Principal[] = [
      { kind: 'person', name: 'user', proof: 'page' },
      { kind: 'service', name: 'ci', proof: 'token' },
    ]
    for (const who of ['lead', 'worker', 'grand', 'above', 'boss', ...people]) {
      const answer = await as(who, 'cancel', { thread: await work() })
      expect(answer.thread).toMatchObject({ status: 'cancelled' })
    }
    // Where a caller's name isn't verified, anyone can cancel.
    expect((await inbox.cancel({ agent: 'peer', thread })).thread.status).toBe('cancelled')
  },
)

contract('claiming work does not give the right to cancel it', async (place) => {
  const { inbox, as, work } = await scene(place)
  const thread = await work()
  await mustBeDeclined(as('peer', 'cancel', { thread }))
  await as('peer', 'claim', { thread })
  const message = await mustBeDeclined(as('peer', 'cancel', { thread }))
  expect(message).toContain('was not sent to peer')
  expect(message).toContain('fail')
  // Neither does being above the claimer. But the agent that was asked can still cancel, and so can those above it.
  await inbox.agentRegister({ agent: 'peer', parent: 'chief' })
  await mustBeDeclined(as('chief', 'cancel', { thread }))
  const other = await work()
  await as('peer', 'claim', { thread: other })
  for (const [who, which] of [
    ['worker', thread],
    ['above', other],
  ] as const) {
    const answer = await as(who, 'cancel', { thread: which })
    expect(answer.thread).toMatchObject({ status: 'cancelled' })
  }
  // Any member can cancel a role's work until one of them claims it. Then only that member can.
  for (const name of ['ann', 'bob']) await inbox.agentRegister({ agent: name, role: 'builder' })
  const ofRole = async () => {
    const sent = { from: 'lead', to: 'role:builder', subject: 'Paint it' }
    return (await inbox.send(sent)).thread.thread_id
  }
  const [free, held, taken] = [await ofRole(), await ofRole(), await ofRole()]
  await as('ann', 'cancel', { thread: free })
  await as('ann', 'claim', { thread: held })
  await mustBeDeclined(as('bob', 'cancel', { thread: held }))
  await as('ann', 'cancel', { thread: held })
  await as('peer', 'claim', { thread: taken })
  await mustBeDeclined(as('peer', 'cancel', { thread: taken }))
})

contract('any agent may write a control message, but it does not stop anyone', async (place) => {
  const { as, work } = await scene(place)
  const thread = await work()
  await as('worker', 'claim', { thread })
  const words = { summary: 'Tests first' }
  const acts: [string, string, Record<string, unknown>][] = [
    ['peer', 'reply', { thread, kind: 'control', to: 'worker', ...words }],
    ['peer', 'send', { to: 'worker', kind: 'control', ...words }],
    ['worker', 'reply', { thread, kind: 'cancel', ...words }],
    ['lead', 'reply', { thread, kind: 'control', ...words }],
  ]
  for (const [who, name, raw] of acts) await as(who, name, raw)
  // Sent as mail, a cancel is a request to stop, which no one can send to agents above them.
  const cancel = { type: 'cancel', body: 'Stop' }
  for (const to of ['lead', 'above', 'boss', 'peer']) {
    await mustBeDeclined(as('worker', 'mail send', { to, ...cancel }))
  }
  for (const who of ['worker', 'lead', 'peer', 'above', 'boss']) {
    expect(await as(who, 'show', { thread })).not.toHaveProperty('stop')
  }
  await as('above', 'mail send', { to: 'worker', ...cancel })
  expect(await as('worker', 'list', {})).toMatchObject({ stop: { from: 'above', about: 'agent' } })
})
