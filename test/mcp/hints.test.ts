// The hints a client gets about a tool before a model uses it must be true.

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { USUAL_SETS } from '../../src/core/principal.ts'
import { listTools, toolsOf } from '../../src/doors/mcp/tools.ts'
import { ask, folders } from '../program/process.ts'
import { contextScene } from './context-scene.ts'
import { type Any, data } from './scene.ts'
import { visit } from './visitors.ts'

const folder = folders()

test('read-only tools change neither the log nor any delivery', async () => {
  // Runs without a server, because a server would make some of these changes itself.
  const here = folder()
  const shell = async <T>(...args: string[]) => (await ask(args, { folder: here })) as T
  const store = join(here, '.agents/coord.db')
  const { workspace } = await shell<{ workspace: Any }>('workspace', 'add', here)
  const [agent, place] = [workspace.default_agent as string, workspace.workspace_id as string]
  const visitor = await visit('v2 modern', {
    kind: 'stdio',
    folder: here,
    agent,
    args: ['--workspace', place],
  })
  const work = async () => {
    const args = ['send', '--from', 'user', '--to', agent, '--subject', 'Work']
    return (await shell<{ thread: { thread_id: string } }>(...args)).thread.thread_id
  }
  const [waiting, lapsed] = [await work(), await work()]
  data(await visitor.call('thread_claim', { thread: lapsed }))
  outOfTime(store, lapsed)
  const { entry_id: entry } = data<Any>(await visitor.call('inbox_push', { comments: 'Done' }))
  await shell('push', 'reply', entry as string, '--comments', 'Thanks')
  await shell('reply', '--from', 'user', '--thread', waiting, '--kind', 'answer', '--summary', 'Go')
  await shell('mail', 'send', '--from', 'user', '--to', agent, '--body', 'Hello')
  const asked = { type: 'chore', title: 'Which one?' }
  const { request_id: request } = data<Any>(await visitor.call('request_approval', asked))
  const given: Any = { thread: waiting, entry, request, timeout_seconds: 1 }
  const before = standing(store)
  const called: string[] = []
  for (const { name, annotations, inputSchema } of await listTools(await toolsOf(USUAL_SETS))) {
    if (!('readOnlyHint' in annotations)) continue
    called.push(name)
    const args = Object.entries(inputSchema.properties).flatMap(([key, { type }]) => {
      if (type === 'boolean') return [[key, true]]
      return given[key] === undefined ? [] : [[key, given[key]]]
    })
    data(await visitor.call(name, Object.fromEntries(args)))
    // The next call starts after this one's deferred work.
    await visitor.call('list_agents')
    expect([name, standing(store)]).toEqual([name, before])
  }
  expect(called).toContain('thread_list')
  await visitor.close()
})

const scene = contextScene()

test('read-only workflow tools change neither the log nor any delivery', async () => {
  await scene.say('user', '@coder hello')
  const coder = await visit('v2 modern', scene.wayFor('stdio', 'coder'))
  const before = standing(scene.db)
  const listed = await listTools(await toolsOf(['workflow']))
  const called = listed.filter(({ annotations }) => 'readOnlyHint' in annotations)
  for (const { name } of called) {
    data(await coder.call(name))
    expect([name, standing(scene.db)]).toEqual([name, before])
  }
  expect(called.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['channel_peek', 'inbox_peek', 'team', 'document_read']),
  )
  await coder.close()
})

/** Makes the lease expire. It lapses when the next call finds it. */
function outOfTime(store: string, thread: string): void {
  const db = new Database(store)
  db.run("update leases set expires_at = '2001-01-01T00:00:00.000Z' where thread_id = ?", [thread])
  db.close()
}

function standing(store: string): unknown[] {
  const db = new Database(store)
  const log = db.query('select max(event_id) as last from events').all()
  const deliveries = db.query('select * from deliveries order by recipient, event_id').all()
  db.close()
  return [...log, ...deliveries]
}
