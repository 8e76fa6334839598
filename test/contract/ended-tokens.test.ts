// Calls whose token expires or is revoked while they are running: from then on they change nothing and return nothing,
// and what they did before is acknowledged. Doors only pass these calls on. The runner and the store enforce this.

import { expect } from 'bun:test'
import type { Mailroom } from '../../src/bin/compose.ts'
import { Refusal } from '../../src/core/error.ts'
import type { Principal } from '../../src/core/principal.ts'
import { call, type Want } from '../../src/ops/call.ts'
import { identify, redeemCode } from '../../src/ops/identity/identify.ts'
import type { Files } from '../../src/ops/kit/files.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { issueForTurn } from '../../src/ops/waking/turn-token.ts'
import { beginWake, endWake } from '../../src/wake/wake-life.ts'
import { DAWN } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { contract, type Place } from './engines.ts'

const ENDED = /^unauthenticated: your token was revoked; /

async function scene(place: Place) {
  const room = await place.open()
  const other = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  const holder = async (name: string, more = {}): Promise<Principal> => {
    const { token } = await inbox.tokenIssue({ name, ...more })
    return (await identify(room.store, token as string)) as Principal
  }
  const revoke = ({ token_id }: Principal) => inbox.tokenRevoke({ token: token_id as string })
  return { room, other, inbox, holder, revoke }
}

async function ask(
  room: Mailroom,
  principal: Principal,
  name: string,
  raw: object = {},
  { signal = new AbortController().signal, files }: { signal?: AbortSignal; files?: Files } = {},
) {
  const op = await operationNamed(name)
  const want: Want = { op, principal, raw: { ...raw }, door: 'http', signal }
  return call(files === undefined ? room : { ...room, files }, want)
}

/** Returns the refusal's code and message, or the result if the call succeeded. */
async function outcome(
  asked: Promise<{ result: object }>,
): Promise<{ said: string; done?: object }> {
  return asked.then(
    ({ result }) => ({ said: 'done', done: result }),
    (error) => {
      if (error instanceof Refusal) return { said: `${error.code}: ${error.message}` }
      throw error
    },
  )
}

contract(
  'a caller admitted before its token was revoked can do nothing afterward',
  async (place) => {
    const { room, inbox, holder, revoke } = await scene(place)
    await inbox.send({ from: 'bob', to: 'ann', subject: 'Build it' })
    const { thread } = await inbox.send({ from: 'bob', to: 'eve', subject: 'Paint it' })
    const ann = await holder('ann')
    const user = await holder('user')
    const kept = { to: 'bob', subject: 'Kept', idempotency_key: 'once' }
    await ask(room, ann, 'send', kept)
    await revoke(ann)
    await revoke(user)
    const before = await room.store.lastEventId()
    for (const [who, name, raw] of [
      [ann, 'send', { to: 'bob', subject: 'Late' }],
      // Even with a repeated key, a dry run or an unknown thread, the answer is the same.
      [ann, 'send', kept],
      [ann, 'mail send', { to: 'bob', body: 'Late', dry_run: true }],
      [ann, 'claim', { thread: thread.thread_id }],
      [ann, 'claim', {}],
      [ann, 'claim', { thread: 'thr_unknown' }],
      [ann, 'agent register', { role: 'builder' }],
      [ann, 'mail read', {}],
      [ann, 'mail mark-read', { all: true }],
      [ann, 'fetch', {}],
      [ann, 'show', { thread: thread.thread_id }],
      [user, 'token issue', { name: 'user' }],
      [user, 'token revoke', { token: user.token_id }],
      [user, 'prune', { dry_run: true }],
      [user, 'workspace add', { path: place.folder }],
    ] as const) {
      const { said } = await outcome(ask(room, who, name, raw))
      expect(`${name} ${said}`).toMatch(/^[a-z -]+ unauthenticated: your token was revoked; /)
    }
    expect(await room.store.lastEventId()).toBe(before)
  },
)

contract(
  'refuses calls after a session, turn or token has ended, each with its own message',
  async (place) => {
    const { room, inbox, holder } = await scene(place)
    const { code } = await inbox.signIn({})
    const cookie = (await redeemCode(room, code as string))?.principal as Principal
    const session: Principal = { ...cookie, proof: 'page' }
    const lodger = await holder('lodger', { days: 1 })
    const turn = await turnOf(room, inbox)
    for (const who of [session, lodger, turn.holder]) await ask(room, who, 'agent list')
    await inbox.tokenRevoke({ token: session.token_id as string })
    await turn.end()
    await place.clock.advance(86_400)
    const said = async (who: Principal) => {
      return (await outcome(ask(room, who, 'send', { to: 'bob', subject: 'Late' }))).said
    }
    expect(await said(session)).toStartWith('unauthenticated: your session is over')
    expect(await said(lodger)).toStartWith('unauthenticated: your token has expired')
    expect(await said(turn.holder)).toMatch(ENDED)
    expect((await inbox.list({})).threads).toEqual([])
  },
)

/** Starts an agent for its mail, and returns it with a function that ends its turn. */
async function turnOf(room: Mailroom, inbox: Awaited<ReturnType<Place['connect']>>) {
  await inbox.agentRegister({ agent: 'ann', role: 'builder', wake_command: '["true"]' })
  await inbox.mailSend({ from: 'user', to: 'ann', type: 'task-assigned', body: 'Build it' })
  const wake = (await beginWake(room.store, 'ann', room)) as NonNullable<
    Awaited<ReturnType<typeof beginWake>>
  >
  const secret = await issueForTurn(room.store, wake, 3600 * 48)
  const end = { state: 'ended', exit_code: 0, reason: '', stderr: '' } as const
  return {
    holder: (await identify(room.store, secret)) as Principal,
    end: () => endWake(room.store, wake, () => true, end),
  }
}

contract('a revocation during a write undoes the write or comes after it', async (place) => {
  const { room, inbox, holder, revoke } = await scene(place)
  const ann = await holder('ann')
  let revoked: Promise<unknown> | undefined
  const written = room.store
    .writeWith(ann.token_id as string)(async (tx) => {
      const now = await tx.now()
      revoked = revoke(ann)
      // SQLite has one writer, so there the revocation waits for this write.
      if (place.engine === 'postgres') await revoked
      const facts = { type: 'agent_declare', agent_id: 'ann', status: 'idle' } as const
      tx.recordStoreEvent({ agent: 'ann', at: now, summary: '', facts })
      return null
    })
    .then(
      () => 'written',
      (error: Refusal) => error.code,
    )
  expect(await written).toBe(place.engine === 'postgres' ? 'unauthenticated' : 'written')
  await revoked
  const log = await room.store.events({ after: 0, without: [], limit: 100 })
  const types = log.map(({ event_type }) => event_type).slice(-2)
  expect(types).toEqual([
    place.engine === 'postgres' ? 'token_issue' : 'agent_declare',
    'token_revoke',
  ])
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
})

contract('the log never contains a token’s writes after its revocation', async (place) => {
  const { room, other, holder } = await scene(place)
  for (let round = 0; round < 8; round++) {
    const ann = await holder(`ann${round}`)
    const sends = Array.from({ length: 6 }, (_, at) =>
      outcome(ask(at % 2 ? room : other, ann, 'send', { to: 'bob', subject: `${round}.${at}` })),
    )
    const op = await operationNamed('token revoke')
    const { signal } = new AbortController()
    const principal: Principal = { kind: 'system', name: 'system', proof: 'self' }
    const raw = { token: ann.token_id }
    const asked = call(other, { op, principal, raw, door: 'http', signal })
    const [ended, ...sent] = await Promise.all([asked, ...sends])
    const { next_event_id: end } = ended.result as { next_event_id: number }
    const done = sent.flatMap((one) => (one.done as { next_event_id: number } | undefined) ?? [])
    for (const { next_event_id } of done) expect(next_event_id).toBeLessThan(end)
    const made = await place.sql('select 1 from threads where created_by = ?', `ann${round}`)
    expect(made).toHaveLength(done.length)
  }
})

contract('a token can revoke itself', async (place) => {
  const { room, holder } = await scene(place)
  const user = await holder('user')
  const { result } = await ask(room, user, 'token revoke', { token: user.token_id })
  expect(result).toMatchObject({ revoked: { state: 'revoked' } })
  expect((await outcome(ask(room, user, 'token list'))).said).toMatch(ENDED)
})

contract('mail shown before the revocation is recorded as presented after it', async (place) => {
  const { room, inbox, holder, revoke } = await scene(place)
  const ann = await holder('ann')
  const { message } = await inbox.mailSend({ from: 'bob', to: 'ann', body: 'Hello' })
  const { result, afterAnswer } = await ask(room, ann, 'mail read')
  expect(result).toMatchObject({ messages: [{ body: 'Hello' }] })
  await revoke(ann)
  await afterAnswer()
  const steps = await place.sql(
    'select state from deliveries where message_id = ?',
    message?.id as string,
  )
  expect(steps).toEqual([{ state: 'presented' }])
})

contract(
  'a revoked token ends a wait, but does not undo the message sent before it',
  async (place) => {
    const { room, inbox, holder, revoke } = await scene(place)
    const [ann, bob] = [await holder('ann'), await holder('bob')]
    const ending = new AbortController()
    const { signal } = ending
    const reading = outcome(ask(room, ann, 'mail read', { timeout_seconds: 50 }, { signal }))
    await until(async () => {
      return JSON.stringify(await inbox.agentStatus({ agent: 'ann' })).includes('"waiting_until":"')
    }, 'ann waits')
    await revoke(ann)
    const letter = { to: 'ann', body: 'Hello', wait: 'read', timeout_seconds: 50 }
    const sending = outcome(ask(room, bob, 'mail send', letter, { signal }))
    await until(async () => (await inbox.mailHistory({})).messages.length === 1, 'it is sent')
    await revoke(bob)
    ending.abort()
    expect((await reading).said).toMatch(ENDED)
    expect((await sending).done).toMatchObject({ reached: false, interrupted: true })
  },
)

contract('an export in any form stops when its token ends', async (place) => {
  const { room, inbox, holder, revoke } = await scene(place)
  await inbox.agentRegister({ agent: 'ann' })
  await inbox.mailSend({ from: 'bob', to: 'ann', body: 'Before' })
  for (const name of ['export', 'mail export']) {
    const user = await holder('user')
    const pieces: string[] = []
    const write = async (text: string) => {
      pieces.push(text)
      await inbox.mailSend({ from: 'bob', to: 'ann', body: `After ${name}` })
      await revoke(user)
    }
    const files: Files = { write, async *read() {}, setAside() {}, aside: '' }
    expect((await outcome(ask(room, user, name, {}, { files }))).said).toMatch(ENDED)
    expect(pieces).toHaveLength(1)
  }
})

contract(
  'an import stops when its token ends and reports that part was imported',
  async (place) => {
    const { room, holder, revoke } = await scene(place)
    const user = await holder('user')
    const line = (at: number) =>
      `${JSON.stringify({ id: `m${at}`, type: 'custom', from: 'agent:ann', to: 'agent:bob', subject: `${at}`, body: 'x', read: true, createdAt: DAWN })}\n`
    const encode = (text: string) => new TextEncoder().encode(text)
    async function* read() {
      // An import commits every 200 lines.
      for (let at = 0; at < 250; at++) yield encode(line(at))
      await revoke(user)
      for (let at = 250; at < 450; at++) yield encode(line(at))
    }
    const files: Files = { write: async () => {}, read, setAside() {}, aside: '' }
    const { said } = await outcome(ask(room, user, 'import', { as: 'mailbox' }, { files }))
    expect(said).toMatch(ENDED)
    expect(said).toContain('what this call did before that stays')
    expect(await place.sql('select count(*) as n from messages')).toEqual([{ n: 200 }])
    const again = await holder('user')
    const rest = (
      await ask(
        room,
        again,
        'import',
        { as: 'mailbox' },
        { files: { ...files, read: () => allLines(line) } },
      )
    ).result
    expect(rest).toMatchObject({ messages: { added: 250, known: 200 } })
  },
)

async function* allLines(line: (at: number) => string) {
  for (let at = 0; at < 450; at++) yield new TextEncoder().encode(line(at))
}
