// Tests agent runs on a server, where the token determines whose they are.

import { beforeAll, describe, expect, test } from 'bun:test'
import { byPort, op, type Running, servers, tokenFor } from './serving.ts'

const { start } = servers()
let server: Running
let ann: string
let bob: string

beforeAll(async () => {
  server = await start({ args: ['--auth', 'tokens'] })
  ann = await tokenFor(server, { name: 'ann' })
  bob = await tokenFor(server, { name: 'bob' })
})

let reviews = 0

async function reviewed(token = ann): Promise<{ agent_run: string; request: string }> {
  reviews += 1
  const wish = { review: `r${reviews}`, title: 'Shorter words', body: 'Please look.' }
  const { body } = await byPort(server, '/api/ops/request-review', wish, { token })
  return { agent_run: String(body.agent_run_id), request: String(body.request_id) }
}

async function runs(token: string, more: object = {}) {
  const { body } = await byPort(server, '/api/ops/agent-runs', more, { token })
  return body.agent_runs as { agent_run_id: string; agent_id: string; status: string }[]
}

describe('an agent run', () => {
  test('belongs to its agent: other agents cannot see it, end it, or ask for a review in its name', async () => {
    const { agent_run } = await reviewed()
    const named = { agent: 'bob', review: 'x', title: 'T', body: 'B' }
    const forged = await byPort(server, '/api/ops/request-review', named, { token: ann })
    expect(forged.status).toBe(403)
    const own = { agent_run, review: 'x', title: 'T', body: 'B' }
    const foreign = await byPort(server, '/api/ops/request-review', own, { token: bob })
    expect(foreign.status).toBe(404)
    const ended = await byPort(server, '/api/ops/agent-end-run', { agent_run }, { token: bob })
    expect(ended.status).toBe(404)
    expect(await runs(bob)).toEqual([])
    expect(await runs(bob, { of: 'ann' })).toEqual([])
    expect(await runs(bob, { agent_run })).toEqual([])
    expect((await runs(ann)).map(({ agent_run_id }) => agent_run_id)).toContain(agent_run)
  })

  test('can be seen and ended by people and services, which alone can list the backfill', async () => {
    const { agent_run } = await reviewed()
    const desk = await tokenFor(server, { name: 'desk', service: true })
    expect(await runs(desk, { agent_run })).toMatchObject([{ agent_id: 'ann', status: 'paused' }])
    const limited = await tokenFor(server, { name: 'cat', sets: ['mailbox'] })
    const looked = await byPort(server, '/api/ops/agent-runs', {}, { token: limited })
    expect(looked.status).toBe(403)
    const { status } = await byPort(server, '/api/ops/request-backfill', {}, { token: ann })
    expect(status).toBe(403)
    const none = await byPort(server, '/api/ops/request-backfill', {}, { token: desk })
    expect(none.body).toMatchObject({ requests: [] })
    const ended = await byPort(server, '/api/ops/agent-end-run', { agent_run }, { token: desk })
    expect(ended.body).toMatchObject({ status: 'ended' })
    expect(await runs(ann, { agent_run })).toMatchObject([{ status: 'ended' }])
  })

  test('changes when a service with the decide grant decides, but not when an agent tries to', async () => {
    const { agent_run, request } = await reviewed()
    const decision = { request, revision: 1, notes: 'Not so' }
    const own = await byPort(server, '/api/ops/approve', decision, { token: ann })
    expect(own.status).toBe(403)
    expect(await runs(ann, { agent_run })).toMatchObject([{ status: 'paused' }])
    const judge = await tokenFor(server, { name: 'judge', service: true, may: ['decide'] })
    await byPort(server, '/api/ops/reject', decision, { token: judge })
    expect(await runs(ann, { agent_run })).toMatchObject([{ status: 'cancelled' }])
    const told = await byPort(server, '/api/ops/request-get', { request }, { token: ann })
    expect(told.body).toMatchObject({ stop: { about: 'agent_run', from: 'judge' } })
    const { body } = await op(server, 'doctor', {})
    expect(JSON.stringify(body)).toContain('the tables agree')
  })
})
