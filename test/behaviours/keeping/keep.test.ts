import { expect } from 'bun:test'
import { join } from 'node:path'
import { connect } from '../../../src/index.ts'
import { behaves } from '../../worlds/behaves.ts'
import { ailments, lived } from '../../worlds/lived.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held, mailed, statusOf, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

const DAY = 86_400

behaves('sweep/pending', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  const at = await world.clock.advance(60)
  const swept = await world.inbox.sweep({})
  expect(swept.threads).toMatchObject([{ thread_id: thread, status: 'pending', updated_at: at }])
  expect(world.exitOf(swept)).toBe(0)
  expect(await world.sql('select generation, released_at from leases')).toEqual([
    { generation: 2, released_at: at },
  ])
  const [event] = await world.sql('select * from events order by event_id desc limit 1')
  expect(event).toMatchObject({
    event_id: swept.next_event_id,
    event_type: 'thread_lapse',
    agent: 'system',
    status: 'pending',
    message_id: null,
  })
  expect((await world.inbox.sweep({})).threads).toEqual([])
  expect((await world.inbox.fetch({ agent: 'worker' })).threads).toHaveLength(1)
})

behaves('sweep/live', async (world) => {
  const { thread: live } = await held(world)
  const { thread: finished } = await held(world, 'worker', 60)
  await world.inbox.done({ agent: 'worker', thread: finished, summary: 'Built' })
  await world.clock.advance(899)
  expect((await world.inbox.sweep({})).threads).toEqual([])
  expect(await statusOf(world, live)).toBe('claimed')
  expect(await statusOf(world, finished)).toBe('done')
})

behaves('sweep/limit', async (world) => {
  const { thread: second } = await held(world, 'worker', 20)
  const { thread: first } = await held(world, 'worker', 10)
  const { thread: third } = await held(world, 'worker', 30)
  await world.clock.advance(30)
  const sweep = async () =>
    (await world.inbox.sweep({ limit: 2 })).threads.map((thread) => thread.thread_id)
  expect(await sweep()).toEqual([first, second])
  expect(await sweep()).toEqual([third])
})

behaves('prune/old', async (world) => {
  const { done, old, lapsed, asking, failed } = await lived(world)
  const before = await everything(world)
  const pruned = await world.inbox.prune({})
  expect(pruned).toMatchObject({
    dry_run: false,
    threads: [{ thread_id: done }],
    removed: { threads: 1, messages: 3, events: 4 },
  })
  const after = await everything(world)
  const left = (rows: Record<string, unknown>[] | undefined) =>
    rows?.filter((row) => row.thread_id !== done) as []
  for (const table of ['threads', 'messages', 'leases', 'events', 'thread_reads']) {
    expect(after[table]).toEqual(left(before[table]))
  }
  expect(after.artifacts).toEqual([])
  for (const thread of [old, lapsed, asking, failed]) await world.inbox.show({ thread })
  await refused(world.inbox.show({ thread: done }), 'not_found')
})

behaves('prune/unread', async (world) => {
  const { thread } = await held(world)
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  await world.clock.advance(31 * DAY)
  expect((await world.inbox.prune({})).removed.threads).toBe(0)
  // The worker never marked the task as read, but has answered it.
  await world.inbox.show({ thread, agent: 'lead', mark_read: true })
  expect((await world.inbox.prune({})).removed.threads).toBe(1)
})

behaves('prune/dry-run', async (world) => {
  const { done } = await lived(world)
  const before = await everything(world)
  const shown = await world.inbox.prune({ dry_run: true })
  expect(shown).toMatchObject({ dry_run: true, threads: [{ thread_id: done }] })
  expect(shown.removed).toMatchObject({ threads: 1, messages: 3 })
  expect(await everything(world)).toEqual(before)
  // The dry run's numbers match the real ones to the last row.
  const { removed } = await world.inbox.prune({})
  expect(removed.events).toBeGreaterThan(0)
  expect(shown.removed).toEqual(removed)
})

behaves('prune/floor', async (world) => {
  const { old, lapsed, asking } = await lived(world)
  await world.clock.advance(DAY)
  await world.inbox.prune({ older_than_days: 0, include_unread: true })
  await world.inbox.sweep({})
  expect(ailments(await world.inbox.doctor({}))).toEqual([])
  // Even if no events are left, the log still ends at the same position.
  for (const thread of [old, lapsed, asking]) await world.inbox.cancel({ agent: 'lead', thread })
  const end = (await world.inbox.list({})).next_event_id
  await world.clock.advance(1)
  expect(
    (await world.inbox.prune({ older_than_days: 0, include_unread: true })).next_event_id,
  ).toBe(end)
  expect(await world.inbox.list({})).toMatchObject({ threads: [], next_event_id: end })
  expect(await world.inbox.watch({ timeout_seconds: 1 })).toMatchObject({
    woke: false,
    next_event_id: end,
  })
  const { next_event_id } = await world.inbox.send({ from: 'lead', to: 'worker', subject: 'On' })
  expect(next_event_id).toBeGreaterThan(end)
})

behaves('prune/keys', async (world) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello', idempotency_key: 'k' }
  const { thread } = await world.inbox.send(said)
  await world.clock.advance(29 * DAY)
  await world.inbox.prune({})
  expect((await world.inbox.send(said)).thread.thread_id).toBe(thread.thread_id)
  await world.clock.advance(2 * DAY)
  await world.inbox.prune({})
  expect((await world.inbox.send(said)).thread.thread_id).not.toBe(thread.thread_id)
})

behaves('export/round-trip', async (world) => {
  await lived(world)
  await mailed(world)
  const text = await world.exportLog()
  const copy = await world.another('empty')
  const imported = await copy.importLog(text)
  expect(imported).toMatchObject({ rejected: [], aside: [] })
  expect(imported.events).toBe(text.trimEnd().split('\n').length - 1)
  expect(await copy.exportLog()).toBe(text)
  const OUTSIDE = ['idempotency_keys', 'settings', 'sightings', 'role_turns', 'turns']
  // Who imported a message is recorded in the importing store, and isn't part of the log.
  const logged = async (of: World) =>
    Object.entries(await everything(of))
      .filter(([table]) => !OUTSIDE.includes(table))
      .map(([table, rows]) => [table, rows.map((row) => ({ ...row, imported_by: null }))])
  expect(await logged(copy)).toEqual(await logged(world))
  await copy.clock.set(world.clock.now())
  expect(ailments(await copy.inbox.doctor({}))).toEqual([])
  expect((await copy.inbox.list({})).threads).toEqual((await world.inbox.list({})).threads)
})

behaves('export/after-prune', async (world) => {
  await lived(world)
  await world.inbox.prune({})
  const text = await world.exportLog()
  const copy = await world.another('empty')
  expect(await copy.importLog(text)).toMatchObject({ rejected: [] })
  expect(await copy.exportLog()).toBe(text)
  await refused(copy.inbox.watch({ after_event: 1 }), 'cursor_expired')
})

behaves('export/follows', async (world) => {
  const first = await task(world, { subject: 'Before' })
  const follower = world.followLog()
  const lines = async () => (await follower.text()).split('\n').slice(0, -1)
  await until(async () => (await lines()).length === 4, 'what was there is written')
  await world.inbox.claim({ agent: 'worker', thread: first })
  await world.inbox.done({ agent: 'worker', thread: first, summary: 'Built' })
  await until(async () => (await lines()).length === 6, 'what happened is written')
  await follower.end()
  expect(await follower.text()).toBe(await world.exportLog())
})

behaves('export/after-event', async (world) => {
  const first = await world.inbox.send({ from: 'lead', to: 'worker', subject: 'One' })
  await task(world, { subject: 'Two' })
  const text = await world.exportLog({ after_event: first.next_event_id })
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ event: { event_type: 'thread_send', summary: 'Two' } }])
})

behaves('import/goes-on', async (world) => {
  const { failed } = await lived(world)
  const text = await world.exportLog()
  const end = (await world.inbox.list({})).next_event_id
  const copy = await world.another('empty')
  await copy.importLog(text)
  const { next_event_id } = await copy.inbox.send({ from: 'lead', to: 'worker', subject: 'On' })
  expect(next_event_id).toBeGreaterThan(end)
  await refused(copy.inbox.cancel({ agent: 'lead', thread: failed }), 'invalid_state')
})

behaves('import/malformed', async (world) => {
  const first = await task(world, { subject: 'One' })
  const second = await task(world, { subject: 'Two' })
  await world.inbox.cancel({ agent: 'lead', thread: second })
  const lines = (await world.exportLog()).trimEnd().split('\n')
  // The header is followed by the events that made two names known.
  const [header = '', ...names] = lines.splice(0, 3)
  const [one, two, three] = lines as [string, string, string]
  const bad = [
    'not json',
    '[]',
    '{"event":{}}',
    one.replace('"event_id":3,', '"event_id":"3",'),
    three.replace('thread_cancel', 'thread_wish'),
    three.replace('"payload_json":"{}"', '"payload_json":"{"'),
    one,
  ]
  const copy = await world.another('empty')
  const imported = await copy.importLog(
    [header, ...names, one, ...bad, '', two, three, ''].join('\n'),
  )
  expect(imported.events).toBe(5)
  expect(imported.aside).toEqual(bad)
  expect(imported.rejected.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 10, 11])
  for (const { why } of imported.rejected) expect(why).not.toBe('')
  expect(await statusOf(copy, first)).toBe('pending')
  expect(await statusOf(copy, second)).toBe('cancelled')
  expect(ailments(await copy.inbox.doctor({}))).toEqual([])
})

behaves('import/not-empty', async (world) => {
  await task(world)
  const text = await world.exportLog()
  const before = await everything(world)
  await refused(world.importLog(text), 'invalid_state')
  expect(await everything(world)).toEqual(before)
})

behaves('backup/under-load', async (world) => {
  const acknowledged: string[] = []
  let phase: 'before' | 'during' | 'after' = 'before'
  const write = async (from: string) => {
    while (phase !== 'after') {
      const { thread } = await world.inbox.send({ from, to: 'worker', subject: 'Load' })
      if (phase === 'before') acknowledged.push(thread.thread_id)
    }
  }
  const writers = Promise.all([write('ann'), write('bob')])
  const file = join(world.folder, 'copy.db')
  try {
    await until(async () => acknowledged.length >= 5, 'some writes were acknowledged')
    phase = 'during'
    expect((await world.inbox.backup({ file })).file).toBe(file)
  } finally {
    phase = 'after'
    await writers
  }
  const copy = await connect(file)
  try {
    expect(ailments(await copy.doctor({}))).toEqual([])
    for (const thread of acknowledged) await copy.show({ thread })
    await copy.send({ from: 'lead', to: 'worker', subject: 'On' })
  } finally {
    await copy.close()
  }
})

behaves('backup/exists', async (world) => {
  await task(world)
  const file = join(world.folder, 'copy.db')
  await world.inbox.backup({ file })
  const no = await refused(world.inbox.backup({ file }), 'invalid_input')
  expect(no.message).toContain('copy.db')
  await refused(world.inbox.backup({ file: world.address }), 'invalid_input')
  const nowhere = join(world.folder, 'absent', 'copy.db')
  await refused(world.inbox.backup({ file: nowhere }), 'invalid_input')
  expect(ailments(await world.inbox.doctor({}))).toEqual([])
})

behaves('backup/postgres', async (world) => {
  const no = await refused(
    world.inbox.backup({ file: join(world.folder, 'copy.db') }),
    'invalid_input',
  )
  expect(no.message).toContain('pg_dump')
})
