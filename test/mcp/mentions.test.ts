import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openInstanceServer } from '../../src/bin/instance-server.ts'
import { ask } from '../program/process.ts'
import { begin } from '../worlds/instances.ts'
import { contextScene, WAYS } from './context-scene.ts'
import { CLIENTS, visit } from './visitors.ts'

const scene = contextScene()

describe.each([...WAYS])('over %s', (way) => {
  test.each([...CLIENTS])(
    '%s is notified once of each mention of its agent, but not of others',
    async (kind) => {
      const client = await visit(kind, scene.wayFor(way, 'coder'))
      expect(client.server()).toBe('workflow-context')
      const heard: unknown[] = []
      const first = Promise.withResolvers<void>()
      const second = Promise.withResolvers<void>()
      await client.hear((mention) => {
        heard.push(mention)
        if (heard.length === 1) first.resolve()
        if (heard.length === 2) second.resolve()
      })
      if (way !== 'stdio' && kind !== 'v2 modern') await client.listening()
      await scene.say('reviewer@pr-1', 'nobody is meant')
      await scene.say('reviewer@pr-1', '@reviewer I mean myself; @user look')
      const { entry } = await scene.say('reviewer@pr-1', '@coder please fix it')
      await first.promise
      await scene.say('user', 'and @coder hurry')
      await second.promise
      const { timestamp } = entry
      expect(heard).toMatchObject([
        { from: 'reviewer', target: 'coder', message: '@coder please fix it', timestamp },
        { from: 'user', target: 'coder', message: 'and @coder hurry' },
      ])
      await client.close()
    },
  )
})

test('a listener’s place is freed when it leaves, and each agent has a limit', async () => {
  const { url } = scene.context()
  const headers = { accept: 'text/event-stream', 'x-agent-id': 'reviewer' }
  const opened = await Promise.all(Array.from({ length: 64 }, () => fetch(url, { headers })))
  for (const { status } of opened) expect(status).toBe(200)
  const refused = await fetch(url, { headers })
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining('has 64 notices open'),
  ])
  await Promise.all(opened.map(({ body }) => body?.cancel()))
  for (;;) {
    const again = await fetch(url, { headers })
    await again.body?.cancel()
    if (again.status === 200) break
  }
})

const STREAM = { accept: 'text/event-stream' }

/** Reads a stream to its end. */
const restOf = ({ body }: Response) => new Response(body).text()

test('revoking a token ends its stream', async () => {
  const around = { folder: scene.here }
  const issued = await ask(['token', 'issue', 'coder@pr-1', '--db', scene.db], around)
  type Issued = { token: string; issued: { token_id: string } }
  const { token, issued: its } = issued as unknown as Issued
  const headers = { ...STREAM, authorization: `Bearer ${token}` }
  const opened = await fetch(scene.context().url, { headers })
  expect(opened.status).toBe(200)
  await ask(['token', 'revoke', its.token_id, '--db', scene.db], around)
  expect(await restOf(opened)).toBe(': listening\n\n')
  expect((await fetch(scene.context().url, { headers })).status).toBe(401)
})

test('a runner that stops closes its listeners’ streams at once', async () => {
  const dir = join(scene.here, '.workflow', 'pr-9')
  mkdirSync(dir)
  const { close: _, ...house } = scene.mailroom()
  await begin(house, { instance: 'pr-9', dir })
  const context = await openInstanceServer({ house, instance: 'pr-9', dir, runtimeFolder: dir })
  const headers = { ...STREAM, 'x-agent-id': 'coder' }
  const opened = await fetch(context.url, { headers })
  const began = performance.now()
  const [rest] = await Promise.all([restOf(opened), context.close()])
  expect(rest).toBe(': listening\n\n')
  expect(performance.now() - began).toBeLessThan(5000)
})
