// Who can see, message and stop workflows on a server: people and the orchestrator all of them, an agent only those it
// takes part in. For anyone else they don't exist.

import { beforeAll, expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { begin } from '../worlds/instances.ts'
import { byPort, bySocket, type Running, servers, tokenFor } from './serving.ts'

const { start } = servers()
let server: Running

beforeAll(async () => {
  server = await start()
  const room = await openMailroom(server.stores[0]?.store ?? '')
  await begin(room)
  await begin(room, { instance: 'pr-2' }, ['lead'])
  await room.close()
})

type Call = Parameters<typeof byPort>[3]

async function names(call: Call): Promise<string[]> {
  const { body } = await byPort(server, '/api/ops/workflow-list', {}, call)
  return (body.agents as { name: string }[]).map(({ name }) => name)
}

async function codeOf(name: string, words: object, call: Call): Promise<unknown> {
  const { body } = await byPort(server, `/api/ops/${name}`, words, call)
  return (body.error as { code: string } | undefined)?.code
}

test('a stranger cannot see, message, or stop any workflow', async () => {
  const token = await tokenFor(server, { name: 'mallory' })
  for (const call of [{ as: 'mallory' }, { token }]) {
    expect(await names(call)).toEqual([])
    expect(await codeOf('workflow-peek', { to: '@pr-1' }, call)).toBe('not_found')
    expect(await codeOf('workflow-stop', { target: '@pr-1' }, call)).toBe('not_found')
    const all = await byPort(server, '/api/ops/workflow-stop', { all: true }, call)
    expect(all.body).toMatchObject({ stopped: [], still: [] })
    expect(await codeOf('workflow-send', { to: '@pr-1', message: 'Hi' }, call)).toBe('not_found')
  }
})

test('an agent of a workflow sees only that one, and can stop an agent in it', async () => {
  const token = await tokenFor(server, { name: 'coder@pr-1' })
  expect(await names({ token })).toEqual(['reviewer@pr-1', 'coder@pr-1'])
  expect(await codeOf('workflow-stop', { target: '@pr-2' }, { token })).toBe('not_found')
  expect(await codeOf('workflow-stop', { target: 'reviewer@pr-1' }, { token })).toBeUndefined()
  const asOther = { target: 'coder@pr-1', agent: 'user' }
  expect(await codeOf('workflow-stop', asOther, { token })).toBe('forbidden')
})

test('people and the orchestrator see all workflows, but not by a claimed name', async () => {
  // The reviewer was stopped in the previous test.
  const all = ['coder@pr-1', 'lead@pr-2']
  const owner = await bySocket(server, '/api/ops/workflow-list', {})
  expect((owner.body.agents as { name: string }[]).map(({ name }) => name)).toEqual(all)
  const boss = { agent: 'boss', role: 'orchestrator' }
  expect((await bySocket(server, '/api/ops/agent-register', boss)).status).toBe(200)
  const token = await tokenFor(server, { name: 'boss' })
  expect(await names({ token })).toEqual(all)
  expect(await names({ as: 'boss' })).toEqual([])
})
