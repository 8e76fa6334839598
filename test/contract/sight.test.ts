// Tests that for each kind of thread, the same callers see it in every operation that shows threads. To other callers a
// hidden thread doesn't exist: none of its text is returned, and its id is refused as not found.

import { expect } from 'bun:test'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../src/core/error.ts'
import { principalOf, type Token } from '../../src/core/identity/token.ts'
import type { Principal, ToolSet } from '../../src/core/principal.ts'
import { call } from '../../src/ops/call.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { DAWN } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'

/** Ends a wait after its first check. */
const OVER = AbortSignal.abort()
const SESSION = 'session-of-ann'

async function scene(place: Place) {
  const { close: _, ...house } = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  const add = async (label: string) => {
    const path = join(await realpath(place.folder), label)
    await mkdir(path)
    await writeFile(join(path, 'a.md'), `words of the file in ${label}`)
    const { workspace } = await inbox.workspaceAdd({ path, label, default_agent: 'ann' })
    return workspace.workspace_id
  }
  const [red, blue] = [await add('red'), await add('blue')]
  await inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  for (const agent of ['ann', 'bob', 'mate', 'peer']) await inbox.agentRegister({ agent })
  const as = async (principal: Principal, name: string, raw: Record<string, unknown>) => {
    const origin = { backend: 'claude', session: SESSION }
    const { result, afterAnswer } = await call(
      { ...house, origin },
      { op: await operationNamed(name), principal, raw, door: 'http', signal: OVER },
    )
    await afterAnswer()
    return result as Record<string, unknown>
  }
  return { inbox, red, blue, as }
}

/** The principal of a token issued this way, without the token's id, since no such token is in the store. */
function holding(kind: 'agent' | 'person' | 'service', name: string, limit: Limit = {}): Principal {
  const token: Token = {
    token_id: 'tok_1',
    kind: 'token',
    principal_kind: kind,
    principal_name: name,
    label: '',
    workspace_id: limit.workspace ?? null,
    sets: limit.sets ?? [],
    issued_by: 'user',
    may: [],
    issued_at: DAWN,
    expires_at: null,
    revoked_at: null,
  }
  const { token_id: _, ...principal } = principalOf(token)
  return principal
}
type Limit = { workspace?: string; sets?: ToolSet[] }

type Kind = 'work' | 'mail' | 'red push' | 'blue push'
type Scene = Awaited<ReturnType<typeof scene>>

/** One thread of each kind, between ann and bob, each with different content. */
async function beginThreads({ inbox, as, red, blue }: Scene): Promise<Record<Kind, string>> {
  const words = (kind: string) => ({ subject: `${kind}-words`, body: `${kind}-words in full` })
  const work = await inbox.send({ from: 'ann', to: 'bob', ...words('work') })
  const mail = await inbox.mailSend({ from: 'ann', to: 'bob', type: 'status', ...words('mail') })
  const push = async (workspace: string, color: string) => {
    const raw = { comments: `${color}-push-words`, docs: ['a.md'] }
    return String((await as(holding('agent', 'ann', { workspace }), 'push', raw)).entry_id)
  }
  return {
    work: work.thread.thread_id,
    mail: mail.message?.thread_id ?? '',
    'red push': await push(red, 'red'),
    'blue push': await push(blue, 'blue'),
  }
}

const EVERY: Kind[] = ['work', 'mail', 'red push', 'blue push']

/** The kinds that each caller may see. */
function viewers({ red }: Scene): [says: string, who: Principal, sees: Kind[]][] {
  return [
    ['a stranger', holding('agent', 'peer'), ['work']],
    ['the sender', holding('agent', 'ann'), EVERY],
    ['the recipient', holding('agent', 'bob'), ['work', 'mail']],
    ['the orchestrator', holding('agent', 'boss'), EVERY],
    ['the owner', holding('person', 'user'), EVERY],
    ['another person', holding('person', 'user:eve'), EVERY],
    ['a service', holding('service', 'ci'), ['work', 'red push', 'blue push']],
    ['a mate in red', holding('agent', 'mate', { workspace: red }), ['work', 'red push']],
    ['ann in red', holding('agent', 'ann', { workspace: red }), ['work', 'mail', 'red push']],
    ['a person in red', holding('person', 'user', { workspace: red }), ['red push']],
    ['a service in red', holding('service', 'ci', { workspace: red }), ['red push']],
    ['a person for threads', holding('person', 'user', { sets: ['threads'] }), ['work']],
    ['ann for threads', holding('agent', 'ann', { sets: ['threads'] }), ['work']],
    [
      'a person for pushes',
      holding('person', 'user', { sets: ['workspace'] }),
      ['red push', 'blue push'],
    ],
    [
      'ann for pushes in red',
      holding('agent', 'ann', { sets: ['workspace'], workspace: red }),
      ['red push'],
    ],
  ]
}

type Door = { name: string; raw: (thread: string) => Record<string, unknown>; of: Kind[] }

/** Operations that take the id of one thread. */
const BY_ID: Door[] = [
  { name: 'show', raw: (thread) => ({ thread }), of: EVERY },
  {
    name: 'wait-reply',
    raw: (thread) => ({ thread, after_event: 0, kinds: ['task', 'progress'] }),
    of: EVERY,
  },
  { name: 'push show', raw: (entry) => ({ entry }), of: ['red push', 'blue push'] },
  { name: 'push file', raw: (entry) => ({ entry, path: 'a.md' }), of: ['red push', 'blue push'] },
  { name: 'push resume', raw: (entry) => ({ entry }), of: ['red push', 'blue push'] },
  {
    name: 'push watch',
    raw: (entry) => ({ entry, path: 'a.md', sha256: 'old' }),
    of: ['red push', 'blue push'],
  },
  { name: 'push unread', raw: (entry) => ({ entries: [entry] }), of: ['red push', 'blue push'] },
  { name: 'push read', raw: (entry) => ({ entries: [entry] }), of: ['red push', 'blue push'] },
  { name: 'push trash', raw: (entry) => ({ entries: [entry] }), of: ['red push', 'blue push'] },
  { name: 'push restore', raw: (entry) => ({ entries: [entry] }), of: ['red push', 'blue push'] },
  {
    name: 'push reply',
    raw: (entry) => ({ entry, comments: 'Yes' }),
    of: ['red push', 'blue push'],
  },
]

const FORBIDDEN = 'refused: forbidden'

async function outcome(answer: Promise<Record<string, unknown>>): Promise<string> {
  try {
    return JSON.stringify(await answer)
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.code}`
    throw error
  }
}

contract('every operation that shows a thread shows it to the same callers', async (place) => {
  const stage = await scene(place)
  await stage.inbox.personAdd({ name: 'eve' })
  const threads = await beginThreads(stage)
  for (const [says, who, sees] of viewers(stage)) {
    for (const { name, raw, of } of BY_ID) {
      // Callers of some kinds, or with some tokens, are refused whether or not the thread exists.
      const isClosed = (await outcome(stage.as(who, name, raw('thr_none')))) === FORBIDDEN
      for (const kind of of) {
        const got = await outcome(stage.as(who, name, raw(threads[kind])))
        const is = { says, name, kind, got: got.startsWith('refused') ? got : 'seen' }
        const open = sees.includes(kind) ? 'seen' : 'refused: not_found'
        expect(is).toEqual({ ...is, got: isClosed ? FORBIDDEN : open })
        // Only people learn which session to continue, and the agent knows its own.
        if (who.kind !== 'person' && who.name !== 'ann') expect(got).not.toContain(SESSION)
      }
    }
  }
})

/** Lists and counts, requested by every caller that is allowed to. */
const LISTS: [name: string, raw: Record<string, unknown>][] = [
  ['list', {}],
  ['status', {}],
  ['push history', {}],
  ['push history', { trashed: true }],
  ['agent list', {}],
  ['agent status', { agent: 'ann' }],
  ['workspace list', {}],
  ['watch', { after_event: 0 }],
]

contract('lists contain no text of hidden threads', async (place) => {
  const stage = await scene(place)
  await stage.inbox.personAdd({ name: 'eve' })
  const threads = await beginThreads(stage)
  await stage.inbox.pushReply({ entry: threads['blue push'], comments: 'blue-push-words again' })
  for (const [says, who, sees] of viewers(stage)) {
    for (const [name, raw] of LISTS) {
      const got = await outcome(stage.as(who, name, raw))
      const told = EVERY.filter((kind) => got.includes(`${kind.replace(' ', '-')}-words`))
      const hidden = told.filter((kind) => !sees.includes(kind))
      expect({ says, name, hidden }).toEqual({ says, name, hidden: [] })
      if (who.kind !== 'person' && who.name !== 'ann') expect(got).not.toContain(SESSION)
      const tellsOfBlue = who.workspace_id !== undefined && got.includes('blue')
      expect({ says, name, tellsOfBlue }).toEqual({ says, name, tellsOfBlue: false })
    }
  }
})

contract('shows mail history only to senders and recipients, without sessions', async (place) => {
  const stage = await scene(place)
  const threads = await beginThreads(stage)
  const told = (principal: Principal, name: string, raw: object) =>
    outcome(stage.as(principal, name, raw as Record<string, unknown>))
  const [peer, boss] = [holding('agent', 'peer'), holding('agent', 'boss')]
  for (const raw of [{}, { thread: threads.mail }, { with: 'ann' }, { text: 'words' }]) {
    expect(await told(peer, 'mail history', raw)).not.toContain('-words')
  }
  const asked = ['mail history', 'mail receipts', 'mail peek', 'mail read'] as const
  for (const name of asked) {
    const raws: object[] = [
      {},
      ...(name === 'mail peek' || name === 'mail read' ? [{ to: 'user' }] : []),
    ]
    if (name === 'mail receipts') raws.push({ thread: threads['red push'] })
    for (const raw of raws) expect(await told(boss, name, raw)).not.toContain(SESSION)
  }
  expect(await told(boss, 'mail history', {})).toContain('red-push-words')
  expect(await told(boss, 'mail peek', { to: 'user' })).toContain('red-push-words')
  // A hidden thread is treated like a missing one.
  for (const thread of [threads.mail, threads['red push'], 'thr_none']) {
    expect(await told(peer, 'mail receipts', { thread })).toBe('refused: not_found')
  }
})

contract(
  'an idempotency key of one workspace does not return its answer in another',
  async (place) => {
    const { red, blue, as } = await scene(place)
    const push = { comments: 'Hi', idempotency_key: 'k' }
    const inRed = holding('person', 'user', { workspace: red })
    const first = await as(inRed, 'push', push)
    expect(await as(inRed, 'push', push)).toEqual(first)
    const inBlue = holding('person', 'user', { workspace: blue })
    expect(await outcome(as(inBlue, 'push', push))).toBe('refused: invalid_state')
  },
)

contract('a token for one workspace counts and changes only its own pushes', async (place) => {
  const stage = await scene(place)
  const { red, blue, as } = stage
  const threads = await beginThreads(stage)
  const inRed = holding('person', 'user', { workspace: red })
  expect(await as(inRed, 'push history', {})).toMatchObject({ unread: 1 })
  expect(await as(inRed, 'push history', { workspace: blue })).toMatchObject({ entries: [] })
  const read = await as(inRed, 'push read', { entries: [threads['red push']] })
  expect(read).toMatchObject({ changed: [threads['red push']], unread: 0 })
  // All or nothing: the visible push isn't changed either.
  const both = { entries: [threads['red push'], threads['blue push']] }
  for (const name of ['push unread', 'push trash', 'push delete']) {
    expect(await outcome(as(inRed, name, both))).toBe('refused: not_found')
  }
  await stage.inbox.pushDelete({ entries: [threads['blue push']] })
  const gone = await as(inRed, 'push show', { entry: threads['blue push'] }).catch(String)
  expect(gone).not.toContain('deleted')
  expect(await as(inRed, 'workspace list', {})).toMatchObject({
    workspaces: [{ workspace_id: red }],
  })
})
