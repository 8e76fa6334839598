// An effect whose command was brought into the store from elsewhere is held until its user has seen and allowed it. A
// server starts allowed effects. Agents can neither set nor start any.

import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byPort, op, type Running, servers, tokenFor } from '../server/serving.ts'
import { effectCommand, startedEffects } from '../worlds/effects.ts'
import { until } from '../worlds/world.ts'
import { ask as asked, folders, run, start } from './process.ts'

const folder = folders()
const { start: serve } = servers()
const notes = mkdtempSync(join(tmpdir(), 'mailroom-effects-'))
afterAll(() => rmSync(notes, { recursive: true, force: true }))

async function ask(args: string[], around: { folder: string }): Promise<Record<string, unknown>> {
  return { ...(await asked(args, around)) }
}

const withToken = (server: Running, token: string, name: string, input: object) =>
  byPort(server, `/api/ops/${name}`, input, { token })

const storeIn = (here: string) => join(here, '.agents/coord.db')

async function approvedIn(here: string): Promise<string> {
  const words = ['--agent', 'ann', '--type', 'deploy', '--title', 'May I?', '--payload', '{"n":1}']
  const { request_id } = await ask(['request', 'create', ...words], { folder: here })
  await ask(['approve', String(request_id), '--revision', '1'], { folder: here })
  return String(request_id)
}

async function effectIn(here: string, request: string) {
  const { effect } = await ask(['request', 'get', request], { folder: here })
  return effect as { state: string; reason: string }
}

test('in a copied store an effect is held, says so, and starts once it is allowed', async () => {
  const here = folder()
  const copy = folder()
  const command = effectCommand(here, 'works')
  await ask(['request', 'effect', 'deploy', '--command', command], { folder: here })
  mkdirSync(join(copy, '.agents'))
  copyFileSync(storeIn(here), storeIn(copy))
  const request = await approvedIn(copy)
  expect(await effectIn(copy, request)).toMatchObject({
    state: 'waiting',
    reason: expect.stringContaining('inbox wake allow'),
  })
  const broker = start(['wake', 'run', '--json'], { folder: copy })
  const reader = broker.stdout.getReader()
  const said = new TextDecoder().decode((await reader.read()).value)
  expect(said).toContain('"came":"held"')
  expect(startedEffects(here)).toEqual([])
  const { shown, commands } = await ask(['wake', 'allow'], { folder: copy })
  expect(commands).toMatchObject([{ agent: 'effect:deploy', allowed: false }])
  await ask(['wake', 'allow', '--shown', String(shown)], { folder: copy })
  await until(async () => (await effectIn(copy, request)).state === 'done', 'it is done')
  expect(startedEffects(here)).toMatchObject([{ request }])
  broker.kill('SIGTERM')
  await broker.exited
})

test("a shell inside an agent's program cannot set an effect", async () => {
  const here = folder()
  const words = ['request', 'effect', 'deploy', '--command', '["true"]', '--json']
  const { out, code } = await run(words, { folder: here, env: { INBOX_BACKEND: 'claude' } })
  expect(code).toBe(40)
  expect(out).toContain('effects are set by people')
})

test('a server starts effects set through its socket, and holds those set with a token', async () => {
  const server = await serve({ args: ['--auth', 'tokens'] })
  const command = JSON.parse(effectCommand(notes, 'works'))
  const set = await op(server, 'request-effect', { type: 'deploy', command })
  expect(set.body.effect).toMatchObject({ allowed: true })
  const token = await tokenFor(server, { name: 'user' })
  const byToken = await withToken(server, token, 'request-effect', { type: 'other', command })
  expect(byToken.body.effect).toMatchObject({ allowed: false })
  const ofAgent = await tokenFor(server, { name: 'ann' })
  for (const [name, input] of [
    ['request-effect', { type: 'deploy', command }],
    ['request-effects', {}],
    ['request-retry', { request: 'req_x' }],
  ] as const) {
    expect((await withToken(server, ofAgent, name, input)).status).toBe(403)
  }
  const effects = async (request: string) => {
    return (await op(server, 'request-get', { request })).body.effect as { state: string }
  }
  const wish = { title: 'May I?', payload: { n: 1 } }
  const ids: string[] = []
  for (const type of ['deploy', 'other']) {
    const made = await withToken(server, ofAgent, 'request-create', { ...wish, type })
    const request = String(made.body.request_id)
    await op(server, 'approve', { request, revision: 1 })
    ids.push(request)
  }
  const [deployed = '', held = ''] = ids
  await until(async () => (await effects(deployed)).state === 'done', 'it is done')
  expect(await effects(held)).toMatchObject({ state: 'waiting' })
  expect(startedEffects(notes)).toMatchObject([{ request: deployed }])
  // An agent sees that the effect of its request failed, but not the output of the owner's program.
  const failing = JSON.parse(effectCommand(notes, 'fails'))
  await op(server, 'request-effect', { type: 'deploy', command: failing })
  const made = await withToken(server, ofAgent, 'request-create', { ...wish, type: 'deploy' })
  const request = String(made.body.request_id)
  await op(server, 'approve', { request, revision: 1 })
  await until(async () => (await effects(request)).state === 'failed', 'it failed')
  expect(await effects(request)).toMatchObject({ last_words: 'looking\nthe host is down\n' })
  const { body } = await withToken(server, ofAgent, 'request-get', { request })
  expect(body.effect).toMatchObject({ state: 'failed', exit_code: 3, last_words: '' })
})

test('when a server is killed, a running effect finishes, and the next server does not restart it', async () => {
  const here = folder()
  const db = [join(here, 'store.db')]
  const first = await serve({ db })
  const command = JSON.parse(effectCommand(here, 'hangs'))
  await op(first, 'request-effect', { type: 'deploy', command })
  const wish = { agent: 'user', type: 'deploy', title: 'May I?' }
  const made = await op(first, 'request-create', wish)
  const request = String(made.body.request_id)
  await op(first, 'approve', { request, revision: 1 })
  await until(async () => startedEffects(here).length === 1, 'the program runs')
  first.signal('SIGKILL')
  await first.exited
  const second = await serve({ db })
  const state = async () => {
    const { effect } = (await op(second, 'request-get', { request })).body
    return (effect as { state: string }).state
  }
  expect(await state()).toBe('running')
  writeFileSync(join(here, 'go'), '')
  await until(async () => (await state()) === 'done', 'it is done')
  expect(startedEffects(here)).toHaveLength(1)
})
