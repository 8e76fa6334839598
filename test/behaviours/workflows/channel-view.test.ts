// How people look at channels: many at once, one at a glance, and entries in pages.
import { expect } from 'bun:test'
import { type Mailroom, openMailroom } from '../../../src/bin/compose.ts'
import { endInstance } from '../../../src/workflows/instance-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { begin, speak } from '../../worlds/instances.ts'
import type { World } from '../../worlds/world.ts'

const ME = { agent: 'user' }

async function beside(world: World, use: (room: Mailroom) => Promise<void>): Promise<void> {
  const room = await openMailroom(world.address)
  try {
    await use(room)
  } finally {
    await room.close()
  }
}

async function end(room: Mailroom, instance: string): Promise<void> {
  const { token } = await begin(room, { instance })
  await endInstance(room.store, { instance, token }, 'idle')
}

behaves('channel-view/list', async (world) => {
  await beside(world, async (room) => {
    for (const name of ['old', 'older', 'newest']) {
      await end(room, name)
      await world.clock.advance(60)
    }
    await begin(room, { instance: 'b-runs' })
    await begin(room, { instance: 'a-runs' })
  })
  const all = await world.inbox.workflowChannels(ME)
  expect(all.channels.map(({ instance }) => instance)).toEqual([
    'a-runs',
    'b-runs',
    'newest',
    'older',
    'old',
  ])
  expect(all).toMatchObject({ has_more: false, next_before: null })
  expect(all.channels[0]).toMatchObject({ state: 'running', ended: '', agents: 2, run: 1 })
  expect(all.channels[2]).toMatchObject({ state: 'ended', ended: 'idle' })
  const first = await world.inbox.workflowChannels({ ...ME, limit: 2 })
  expect(first.channels.map(({ instance }) => instance)).toEqual([
    'a-runs',
    'b-runs',
    'newest',
    'older',
  ])
  // The pages after the first contain only channels that have ended.
  const next = await world.inbox.workflowChannels({
    ...ME,
    limit: 2,
    before: first.next_before as string,
  })
  expect(next.channels.map(({ instance }) => instance)).toEqual(['old'])
  expect(next.has_more).toBe(false)
})

behaves('channel-view/unread', async (world) => {
  await beside(world, async (room) => {
    await begin(room)
    await speak(room, 'coder@pr-1', '@user may I?')
    await speak(room, 'coder@pr-1', 'I wait')
    await begin(room, { instance: 'silent', provider: 'none' })
  })
  const { channels } = await world.inbox.workflowChannels(ME)
  expect(channels).toMatchObject([
    { instance: 'pr-1', entries: 3, unread: 1, last_at: expect.any(String) },
    { instance: 'silent', entries: 0, unread: 0, last_at: null, thread_id: '' },
  ])
  const threads = [channels[0]?.thread_id as string]
  await world.inbox.deskMark({ ...ME, threads, as: 'read' })
  const after = await world.inbox.workflowChannels(ME)
  expect(after.channels[0]).toMatchObject({ instance: 'pr-1', unread: 0 })
})

behaves('channel-view/none', async (world) => {
  expect(await world.inbox.workflowChannels(ME)).toMatchObject({ channels: [], has_more: false })
})

behaves('channel-view/glance', async (world) => {
  await beside(world, async (room) => {
    await begin(room)
    await speak(room, 'reviewer@pr-1', '@coder fix line 42\nand the rest')
    await speak(room, 'reviewer@pr-1', '@coder and line 43')
  })
  const seen = await world.inbox.workflowChannel({ ...ME, instance: 'pr-1' })
  expect(seen).toMatchObject({
    entries: 3,
    unread: 0,
    instance: { instance: 'pr-1', run: 1, state: 'running', kept: true, stop_at: null },
    agents: [
      {
        name: 'reviewer',
        unread: 0,
        stopping: false,
        said: { seq: 3, summary: '@coder and line 43' },
      },
      { name: 'coder', agent_id: 'coder@pr-1', unread: 2, backend: 'command', said: null },
    ],
  })
  // Messages from an earlier run don't count toward this one.
  await world.clock.advance(60)
  await beside(world, async (room) => {
    await begin(room)
  })
  const anew = await world.inbox.workflowChannel({ ...ME, instance: 'pr-1' })
  expect(anew).toMatchObject({ entries: 1, instance: { run: 2 }, agents: [{ said: null }, {}] })
  // A runner that has gone silent doesn't keep its instance.
  await world.clock.advance(60)
  const lost = await world.inbox.workflowChannel({ ...ME, instance: 'pr-1' })
  expect(lost.instance).toMatchObject({ state: 'running', kept: false })
})

behaves('channel-view/entries', async (world) => {
  await beside(world, async (room) => {
    await begin(room)
    for (let n = 2; n <= 9; n++) await speak(room, 'coder@pr-1', `Entry ${n}`)
  })
  const read = async (more: object) => {
    const { entries, total } = await world.inbox.workflowEntries({
      ...ME,
      instance: 'pr-1',
      limit: 3,
      ...more,
    })
    return { seqs: entries.map(({ seq }) => seq), total }
  }
  expect(await read({})).toEqual({ seqs: [7, 8, 9], total: 9 })
  expect(await read({ before: 7 })).toEqual({ seqs: [4, 5, 6], total: 9 })
  expect(await read({ before: 2 })).toEqual({ seqs: [1], total: 9 })
  expect(await read({ before: 1 })).toEqual({ seqs: [], total: 9 })
  expect(await read({ before: 99 })).toEqual({ seqs: [7, 8, 9], total: 9 })
  expect(await read({ after: 0 })).toEqual({ seqs: [1, 2, 3], total: 9 })
  expect(await read({ after: 8 })).toEqual({ seqs: [9], total: 9 })
  expect(await read({ after: 9 })).toEqual({ seqs: [], total: 9 })
  const { entries } = await world.inbox.workflowEntries({ ...ME, instance: 'pr-1', limit: 1 })
  expect(entries).toMatchObject([{ seq: 9, from: 'coder', message: 'Entry 9', mentions: [] }])
})

behaves('channel-view/silent', async (world) => {
  await beside(world, async (room) => {
    await begin(room, { provider: 'none' })
  })
  const read = await world.inbox.workflowEntries({ ...ME, instance: 'pr-1' })
  expect(read).toMatchObject({ entries: [], total: 0, run: 1 })
})

behaves('channel-view/refused', async (world) => {
  await beside(world, async (room) => {
    await begin(room)
  })
  const inbox = world.as('coder@pr-1')
  const agent = 'coder@pr-1'
  for (const call of [
    () => inbox.workflowChannels({ agent }),
    () => inbox.workflowChannel({ agent, instance: 'pr-1' }),
    () => inbox.workflowEntries({ agent, instance: 'pr-1' }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'forbidden' })
  }
  const me = world.inbox
  await expect(me.workflowChannel({ ...ME, instance: 'pr-9' })).rejects.toThrow('pr-9')
  const unknown = me.workflowEntries({ ...ME, instance: 'pr-9' })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  const both = me.workflowEntries({ ...ME, instance: 'pr-1', before: 3, after: 1 })
  await expect(both).rejects.toMatchObject({ code: 'invalid_input' })
  const strange = me.workflowChannels({ ...ME, before: 'yesterday' })
  await expect(strange).rejects.toMatchObject({ code: 'invalid_input' })
})
