// Tests who may push and who sees what, at doors that identify their callers.

import { expect } from 'bun:test'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../src/core/error.ts'
import type { Principal } from '../../src/core/principal.ts'
import { call } from '../../src/ops/call.ts'
import type { Context } from '../../src/ops/kit/operation.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { DAWN } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'

const never = new AbortController().signal
const PERSON: Principal = { kind: 'person', name: 'user', proof: 'token' }
const SERVICE: Principal = { kind: 'service', name: 'ci', proof: 'token' }

type Answer = Record<string, unknown> & { entry_id?: string; entries?: Record<string, unknown>[] }

async function scene(place: Place) {
  const room = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  const add = async (label: string) => {
    const path = join(await realpath(place.folder), label)
    await mkdir(path)
    await writeFile(join(path, 'a.md'), label)
    return (await inbox.workspaceAdd({ path, label })).workspace
  }
  const [red, blue] = [await add('red'), await add('blue')]
  const { close: _, ...house } = room
  const as = async (
    principal: Principal,
    name: string,
    raw: Record<string, unknown>,
    origin?: Context['origin'],
  ): Promise<Answer> => {
    const around = origin === undefined ? house : { ...house, origin }
    const op = await operationNamed(name)
    const want = { op, principal, raw, door: 'http', signal: never } as const
    const { result, afterAnswer } = await call(around, want)
    await afterAnswer()
    return result as Answer
  }
  const agent = (name: string, workspace_id?: string): Principal => {
    const own = workspace_id === undefined ? {} : { workspace_id }
    return { kind: 'agent', name, proof: 'token', ...own }
  }
  return { inbox, red, blue, as, agent }
}

async function mustBeDeclined(answer: Promise<unknown>, code: string): Promise<void> {
  const error = await answer.then(
    (value) => new Error(`expected ${code}, was answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw error
  expect({ code: error.code, says: error.message }).toEqual({ code, says: error.message } as never)
}

contract('an agent pushes from its own workspace and from no other', async (place) => {
  const { red, blue, as, agent } = await scene(place)
  const ann = agent('ann', red.workspace_id)
  const pushed = await as(ann, 'push', { docs: ['a.md'] })
  expect(pushed).toMatchObject({ workspace_id: red.workspace_id })
  await mustBeDeclined(
    as(ann, 'push', { workspace: blue.workspace_id, comments: 'Hi' }),
    'forbidden',
  )
  await mustBeDeclined(as(ann, 'push', { agent: 'bob', comments: 'Hi' }), 'forbidden')
  // An agent without a workspace can push only text, unless it is the default agent of a workspace.
  await as(agent('bob'), 'push', { comments: 'Words' })
  const bobs = { workspace: red.workspace_id, comments: 'Hi' }
  await mustBeDeclined(as(agent('bob'), 'push', bobs), 'forbidden')
  await as(agent('red'), 'push', bobs)
  const { entries } = await as(PERSON, 'push history', {})
  expect(entries?.map(({ agent, workspace_label }) => [agent, workspace_label])).toEqual([
    ['red', 'red'],
    ['bob', ''],
    ['ann', 'red'],
  ])
})

contract('people and services push as the workspace’s agent', async (place) => {
  const { red, as } = await scene(place)
  for (const principal of [PERSON, SERVICE]) {
    await as(principal, 'push', { workspace: red.workspace_id, comments: 'Hi' })
    await mustBeDeclined(as(principal, 'push', { comments: 'From nowhere' }), 'invalid_input')
  }
  const { entries } = await as(PERSON, 'push history', {})
  expect(entries?.map(({ agent }) => agent)).toEqual(['red', 'red'])
})

contract(
  'the origin comes from the transport, and its folder from the workspace',
  async (place) => {
    const { red, as, agent } = await scene(place)
    const ann = agent('ann', red.workspace_id)
    const origins = [
      { backend: 'claude', session: 's-1', folder: '/somewhere/else' },
      { backend: 'toaster', session: 's-1' },
      { backend: 'claude', session: '--print' },
      undefined,
    ]
    for (const origin of origins) await as(ann, 'push', { comments: 'Hi' }, origin)
    const { entries } = await as(PERSON, 'push history', {})
    const folder = red.path
    expect(entries?.map(({ origin }) => origin).toReversed()).toEqual([
      { backend: 'claude', session: 's-1', folder },
      { folder },
      { backend: 'claude', folder },
      { folder },
    ])
    // The caller can't set the origin itself.
    await mustBeDeclined(
      as(ann, 'push', { comments: 'Hi', origin: { backend: 'codex' } }),
      'invalid_input',
    )
  },
)

contract('an agent sees pushes from its workspace, without their sessions', async (place) => {
  const { red, blue, as, agent } = await scene(place)
  const origin = { backend: 'claude', session: 'secret-1' }
  const ann = agent('ann', red.workspace_id)
  const mine = await as(ann, 'push', { comments: 'Mine' }, origin)
  const entry = mine.entry_id as string
  await as(agent('bob', blue.workspace_id), 'push', { comments: 'Theirs' }, origin)
  const cat = agent('cat', red.workspace_id)
  const seen = await as(cat, 'push history', {})
  expect(seen.entries?.map(({ comments }) => comments)).toEqual(['Mine'])
  const shown = await as(cat, 'push show', { entry })
  expect(JSON.stringify([seen, shown])).not.toContain('secret-1')
  expect((await as(cat, 'push history', { workspace: blue.workspace_id })).entries).toEqual([])
  await mustBeDeclined(as(agent('bob', blue.workspace_id), 'push show', { entry }), 'not_found')
  const thread = await as(cat, 'show', { thread: entry })
  expect(thread).toMatchObject({ messages: [{ body: 'Mine' }] })
  expect(JSON.stringify(thread)).not.toContain('secret-1')
  for (const [name, raw] of [
    ['push read', { entries: [entry] }],
    ['push unread', { entries: [entry] }],
    ['push trash', { entries: [entry] }],
    ['push restore', { entries: [entry] }],
    ['push delete', { entries: [entry] }],
    ['push reply', { entry, comments: 'Yes' }],
    ['push file', { entry, path: 'a.md' }],
    ['push watch', { entry, path: 'a.md' }],
    ['push resume', { entry }],
  ] as const) {
    await mustBeDeclined(as(ann, name, raw), 'forbidden')
  }
})

contract(
  'a service can look at pushes, but not read or answer them for a person',
  async (place) => {
    const { red, as, agent } = await scene(place)
    const origin = { backend: 'claude', session: 'secret-1' }
    const ann = agent('ann', red.workspace_id)
    const { entry_id: entry = '' } = await as(ann, 'push', { docs: ['a.md'] }, origin)
    const shown = await as(SERVICE, 'push show', { entry })
    expect(shown).toMatchObject({ entry: { unread: true }, documents: [{ state: 'there' }] })
    expect(JSON.stringify(shown)).not.toContain('secret-1')
    const [delivery] = await place.sql('select state from deliveries')
    expect(delivery).toEqual({ state: 'queued' })
    expect(await as(SERVICE, 'push file', { entry, path: 'a.md' })).toMatchObject({
      content: 'red',
    })
    await mustBeDeclined(as(SERVICE, 'push read', { entries: [entry] }), 'forbidden')
    await mustBeDeclined(as(SERVICE, 'push reply', { entry, comments: 'Yes' }), 'forbidden')
    await mustBeDeclined(as(SERVICE, 'push resume', { entry }), 'forbidden')
    await mustBeDeclined(as(PERSON, 'open', { entry }), 'forbidden')
  },
)
