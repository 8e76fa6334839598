// At a server without tokens, callers say who they are. A name is believed but carries no rights, because a person
// granted those to an agent, and anyone on the machine can claim that agent's name.

import { expect } from 'bun:test'
import type { Mailroom } from '../../src/bin/compose.ts'
import { Refusal } from '../../src/core/error.ts'
import type { Principal } from '../../src/core/principal.ts'
import { call } from '../../src/ops/call.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { contract, type Place } from './engines.ts'

async function scene(place: Place) {
  const room = await place.open()
  const inbox = await place.connect()
  await inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  await inbox.agentRegister({ agent: 'clerk', may_write_to_user: true })
  await inbox.agentRegister({ agent: 'ann' })
  const mail = await inbox.mailSend({ from: 'user', to: 'ann', body: 'Between us' })
  await inbox.mailSend({ from: 'clerk', to: 'user', body: 'For your eyes' })
  const { thread } = await inbox.send({ from: 'ann', to: 'bob', subject: 'Build it' })
  const { entry_id } = await inbox.push({ agent: 'ann', comments: 'Look' })
  const { id, thread_id } = mail.message as { id: string; thread_id: string }
  const tries = [
    ['boss', 'mail peek', { to: 'user' }],
    ['boss', 'mail read', { to: 'ann' }],
    ['boss', 'mail receipts', { message: id }],
    ['boss', 'mail receipts', { thread: thread_id }],
    ['boss', 'show', { thread: thread_id }],
    ['boss', 'mail send', { in_reply_to: id, body: 'Me too' }],
    ['boss', 'mail send', { to: 'user', body: 'Obey' }],
    ['boss', 'mail send', { to: 'ann', type: 'cancel', body: 'Stop' }],
    ['boss', 'mail send', { to: 'user', body: 'Obey', dry_run: true }],
    ['boss', 'send', { to: 'user', subject: 'Obey' }],
    ['boss', 'cancel', { thread: thread.thread_id }],
    ['boss', 'push show', { entry: entry_id }],
    ['clerk', 'mail send', { to: 'user', body: 'Obey' }],
    ['clerk', 'send', { to: 'user', subject: 'Obey' }],
  ] as const
  return { room, inbox, tries }
}

async function ask(room: Mailroom, principal: Principal, name: string, raw: object) {
  const { signal } = new AbortController()
  try {
    const op = await operationNamed(name)
    const { result } = await call(room, { op, principal, raw: { ...raw }, door: 'http', signal })
    return { said: 'ok', result }
  } catch (error) {
    if (error instanceof Refusal) return { said: error.code, result: {} }
    throw error
  }
}

contract('a claimed name does not have the rights that a person gave the agent', async (place) => {
  const { room, tries } = await scene(place)
  for (const proof of ['claim', 'workspace'] as const) {
    for (const [who, name, raw] of tries) {
      const { said } = await ask(room, { kind: 'agent', name: who, proof }, name, raw)
      expect([proof, who, name, raw, said]).toEqual([
        proof,
        who,
        name,
        raw,
        expect.stringMatching(/^(forbidden|not_found)$/),
      ])
    }
    const boss: Principal = { kind: 'agent', name: 'boss', proof }
    const history = JSON.stringify(await ask(room, boss, 'mail history', {}))
    expect(history).not.toContain('Between us')
    expect(history).not.toContain('For your eyes')
    expect((await ask(room, boss, 'push history', {})).result).toMatchObject({ entries: [] })
    // The name itself is believed: the caller reads that agent's mail and sends as that agent.
    expect(await ask(room, boss, 'mail read', {})).toMatchObject({ said: 'ok' })
    expect(await ask(room, boss, 'send', { to: 'bob', subject: 'Paint it' })).toMatchObject({
      said: 'ok',
    })
  }
  const word: Principal = { kind: 'agent', name: 'orchestrator', proof: 'workspace' }
  expect(await ask(room, word, 'mail peek', { to: 'user' })).toMatchObject({ said: 'forbidden' })
})

contract('a name proved by token, socket or file has the agent’s rights', async (place) => {
  const { room, tries } = await scene(place)
  for (const proof of ['token', 'socket', 'file'] as const) {
    for (const [who, name, raw] of tries) {
      if (proof !== 'token' && name === 'cancel') continue
      const { said } = await ask(room, { kind: 'agent', name: who, proof }, name, raw)
      expect([proof, who, name, raw, said]).toEqual([proof, who, name, raw, 'ok'])
    }
  }
})
