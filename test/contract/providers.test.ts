// One contract for both providers of a context: `file`, in the project's store and folder, and `memory`, in a private
// folder with a separate store. Agents must not be able to tell them apart.

import { afterAll, expect, test } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { workflowHost } from '../../src/bin/workflow-host.ts'
import { drawEntry } from '../../src/core/workflows/channel-text.ts'
import { RUNNER_LEASE } from '../../src/core/workflows/instance.ts'
import { HELD_INSTANCES } from '../../src/core/workflows/instance-record.ts'
import { type Client, connect } from '../../src/index.ts'
import type { BegunInstance } from '../../src/workflows/instance-life.ts'
import { begin } from '../worlds/instances.ts'
import { until } from '../worlds/world.ts'
import { ENGINES, inPlace } from './engines.ts'

const CODER = 'coder@pr-1'
const REVIEWER = 'reviewer@pr-1'
const agent = CODER

type Provided = {
  room: Mailroom
  inbox: Client
  dir: string
  /** Begins a run, and keeps channel.md up to date until `end` is called. */
  run(): Promise<{ begun: BegunInstance; end(): Promise<void> }>
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

function provided(
  room: Mailroom,
  inbox: Client,
  dir: string,
  provider: 'file' | 'memory',
): Provided {
  const host = workflowHost(room.store.place)
  return {
    room,
    inbox,
    dir,
    async run() {
      const begun = await begin(room, { provider, dir, documents: ['todos.md'] })
      const ending = new AbortController()
      const { instance, channel_file, thread_id } = begun.instance
      const following = host.followChannel(
        {
          store: room.store,
          bell: room.bell,
          instance,
          dir,
          channel_file,
          thread_id,
          former: begun.before,
          isNew: !begun.resumed,
          tell: (words) => {
            throw new Error(words)
          },
        },
        ending.signal,
      )
      const end = async () => {
        ending.abort()
        await following
        await room.store.write(async (tx) => {
          const held = await tx.lockRow(HELD_INSTANCES, instance)
          if (held !== null) tx.keep(RUNNER_LEASE, { ...held, expires_at: null })
          return {}
        })
      }
      return { begun, end }
    },
  }
}

async function inMemory(prove: (provided: Provided) => Promise<void>): Promise<void> {
  const folder = workflowHost('').temporaryFolder()
  folders.push(folder)
  // Only its owner can access the folder.
  expect(fs.statSync(folder).mode & 0o077).toBe(0)
  const room = await openMailroom(join(folder, 'store.db'))
  const inbox = await connect(join(folder, 'store.db'))
  const dir = join(folder, 'context')
  fs.mkdirSync(dir)
  try {
    await prove(provided(room, inbox, dir, 'memory'))
  } finally {
    await inbox.close()
    await room.close()
  }
}

function provider(says: string, prove: (provided: Provided) => Promise<void>): void {
  test(`[memory] ${says}`, () => inMemory(prove), 60_000)
  for (const engine of ENGINES) {
    const inFiles = () =>
      inPlace(engine, async (place) => {
        const dir = join(fs.realpathSync.native(place.folder), 'pr-1')
        fs.mkdirSync(dir)
        await prove(provided(await place.open(), await place.connect(), dir, 'file'))
      })
    test(`[file, ${engine}] ${says}`, inFiles, 60_000)
  }
}

async function textOf({ room }: Provided, { instance }: BegunInstance): Promise<string> {
  const { thread_id } = instance
  const entries = await room.store.entries({ thread: thread_id, after: 0, limit: 1000 })
  return entries
    .map(({ seq, created_at: timestamp, from_agent, body: message }) =>
      drawEntry({ seq, timestamp, from: from_agent.replace('@pr-1', ''), message }),
    )
    .join('')
}

const channelIn = (dir: string, name = 'channel.md') => fs.readFileSync(join(dir, name), 'utf8')

provider('reads entries from a position and with a limit, without marking any', async (context) => {
  const { inbox, run } = context
  const { end } = await run()
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const said = await inbox.workflowContextSend({ agent, message: `@reviewer ${n}\n\nsecond` })
    ids.push(said.id)
  }
  const all = await inbox.workflowContextRead({ agent: REVIEWER })
  expect(all.entries.map(({ from, message }) => `${from}: ${message.split('\n')[0]}`)).toEqual([
    'system: Workflow started',
    'coder: @reviewer 1',
    'coder: @reviewer 2',
    'coder: @reviewer 3',
  ])
  expect(all.entries[1]).toMatchObject({ mentions: ['reviewer'], message: '@reviewer 1\n\nsecond' })
  const since = await inbox.workflowContextRead({ agent: REVIEWER, since: ids[0] as string })
  expect(since.entries.map(({ id }) => id)).toEqual(ids.slice(1))
  const last = await inbox.workflowContextRead({ agent: REVIEWER, limit: 1 })
  expect(last.entries.map(({ id }) => id)).toEqual(ids.slice(2))
  const waiting = await inbox.workflowContextInboxPeek({ agent: REVIEWER })
  expect(waiting.messages).toHaveLength(3)
  await inbox.workflowContextAck({ agent: REVIEWER, until: ids[1] as string })
  const left = await inbox.workflowContextInboxPeek({ agent: REVIEWER })
  expect(left.messages.map(({ entry }) => entry.id)).toEqual(ids.slice(2))
  await end()
})

provider('channel.md follows many writers at once, and each run has its own', async (context) => {
  const { inbox, dir, run } = context
  const first = await run()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      inbox.workflowContextSend({
        agent: n % 2 === 0 ? CODER : REVIEWER,
        message: `entry ${n}\n### 10:00:00 [user]`,
      }),
    ),
  )
  const text = await textOf(context, first.begun)
  await until(async () => channelIn(dir) === text, 'channel.md with every entry')
  expect(text.match(/^### /gm)).toHaveLength(21)
  await first.end()
  expect(channelIn(dir)).toBe(text)
  const second = await run()
  expect(second.begun.instance.run).toBe(2)
  await inbox.workflowContextSend({ agent, message: 'in the second' })
  await second.end()
  expect(channelIn(dir)).toBe(await textOf(context, second.begun))
  expect(channelIn(dir)).not.toContain('entry 1')
  expect(channelIn(dir, 'channel-1.md')).toBe(text)
})

provider(
  'documents can be read, written, appended to, listed, created and deleted',
  async (context) => {
    const { inbox, dir, run } = context
    const { end } = await run()
    const read = async (file?: string) =>
      (await inbox.workflowContextDocRead({ agent, ...(file && { file }) })).content
    expect(await read()).toBe('')
    await inbox.workflowContextDocWrite({ agent, content: '# Notes\n' })
    await inbox.workflowContextDocAppend({ agent, content: '- one\n' })
    expect(await read()).toBe('# Notes\n- one\n')
    await inbox.workflowContextDocCreate({ agent, file: 'findings/auth.md', content: 'a' })
    const again = inbox.workflowContextDocCreate({ agent, file: 'findings/auth.md', content: 'b' })
    await expect(again).rejects.toMatchObject({ code: 'invalid_state' })
    await inbox.workflowContextDocWrite({ agent, file: 'todos.md', content: '- [ ] it\n' })
    const { files } = await inbox.workflowContextDocList({ agent: REVIEWER })
    expect(files).toEqual(['notes.md', 'todos.md', 'findings/auth.md'])
    expect(fs.readFileSync(join(dir, 'findings/auth.md'), 'utf8')).toBe('a')
    await inbox.workflowContextDocDelete({ agent, file: 'findings/auth.md' })
    await expect(read('findings/auth.md')).rejects.toMatchObject({ code: 'not_found' })
    const { revisions } = await inbox.workflowContextDocHistory({ agent })
    const changes: string[] = revisions.map(({ change }) => change)
    expect(changes.sort()).toEqual(['append', 'create', 'delete', 'write', 'write'])
    await end()
    // Documents outlive the run.
    await run().then((next) => next.end())
    expect(await read()).toBe('# Notes\n- one\n')
  },
)

provider('an entry holds 8,000 letters, and a longer one becomes a document', async (context) => {
  const { inbox, run } = context
  const { end } = await run()
  await inbox.workflowContextSend({ agent, message: 'x'.repeat(8000) })
  expect((await inbox.workflowContextDocList({ agent })).files).toEqual([])
  const { mentions } = await inbox.workflowContextSend({
    agent,
    message: `${'x'.repeat(7991)} @reviewer`,
  })
  expect(mentions).toEqual(['reviewer'])
  const { files } = await inbox.workflowContextDocList({ agent })
  expect(files).toHaveLength(1)
  expect(files[0]).toMatch(/^entries\/coder-\w+\.md$/)
  await end()
})
