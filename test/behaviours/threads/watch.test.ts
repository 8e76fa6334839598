import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { held, take, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

const DAY = 86_400

behaves('watch/no-replay', async (world) => {
  await task(world)
  const end = await endOf(world)
  let woken = false
  const watching = world.inbox.watch({ timeout_seconds: 240 }).finally(() => {
    woken = true
  })
  // There is no sign that a watch without a cursor has begun, so keep sending until it has seen an event.
  const sent: number[] = []
  await until(async () => {
    if (!woken) sent.push(await eventOf(world, await task(world)))
    return woken
  }, 'the watch saw something')
  const { events, woke } = await watching
  expect(woke).toBe(true)
  expect(events[0]?.event_id).toBeGreaterThan(end)
  expect(sent).toContain(events[0]?.event_id as number)
})

behaves('watch/resumes', async (world) => {
  const start = await endOf(world)
  const thread = await task(world)
  await take(world, thread, 'worker')
  const answer = await world.inbox.watch({ after_event: start })
  expect(answer).toMatchObject({
    woke: true,
    events: [
      { event_type: 'thread_send', agent: 'lead', status: 'pending', thread_id: thread },
      { event_type: 'thread_claim', agent: 'worker', status: 'claimed', thread_id: thread },
    ],
    threads: [{ thread_id: thread, status: 'claimed' }],
  })
  expect(world.exitOf(answer)).toBe(0)
  expect(answer.next_event_id).toBe(await endOf(world))
  expect(JSON.stringify(answer)).not.toContain('lse_')
})

behaves('watch/wakes', async (world) => {
  const after_event = await endOf(world)
  const watching = world.inbox.watch({ after_event, timeout_seconds: 0 })
  const thread = await task(world)
  expect(await watching).toMatchObject({ woke: true, threads: [{ thread_id: thread }] })
})

behaves('watch/timeout', async (world) => {
  await task(world)
  const answer = await world.inbox.watch({ timeout_seconds: 1 })
  expect(answer).toEqual({
    woke: false,
    next_event_id: await endOf(world),
    events: [],
    threads: [],
  })
  expect(world.exitOf(answer)).toBe(10)
})

behaves('watch/agent', async (world) => {
  const after_event = await endOf(world)
  await task(world, { from: 'ann', to: 'bob' })
  const mine = await task(world, { from: 'lead', to: 'worker' })
  await take(world, mine, 'worker')
  const seen = async (agent: string) =>
    (await world.inbox.watch({ agent, after_event })).events.map(({ agent: by, event_type }) => [
      by,
      event_type,
    ])
  expect(await seen('worker')).toEqual([['lead', 'thread_send']])
  expect(await seen('lead')).toEqual([['worker', 'thread_claim']])
  expect(await world.as('lead').watch({ after_event })).toMatchObject({
    events: [{ agent: 'worker' }],
  })
})

behaves('watch/status', async (world) => {
  const after_event = await endOf(world)
  const { thread } = await held(world)
  const watching = world.inbox.watch({ after_event, status: ['blocked', 'done'] })
  const mine = { agent: 'worker', thread, summary: 'So' }
  await world.inbox.update({ ...mine, status: 'in_progress' })
  await world.inbox.update({ ...mine, status: 'blocked' })
  expect(await watching).toMatchObject({ events: [{ status: 'blocked' }] })
})

behaves('watch/quiet', async (world) => {
  const { thread } = await held(world)
  const after_event = await endOf(world)
  await world.inbox.renew({ agent: 'worker', thread })
  await world.inbox.show({ thread, agent: 'worker', mark_read: true })
  const end = await endOf(world)
  const answer = await world.inbox.watch({ after_event, timeout_seconds: 1 })
  expect(answer).toMatchObject({ woke: false, next_event_id: end })
})

behaves('watch/lapse', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  const after_event = await endOf(world)
  const watching = world.inbox.watch({ after_event, agent: 'lead' })
  await world.clock.advance(60)
  expect(await watching).toMatchObject({
    events: [{ event_type: 'thread_lapse', agent: 'system', status: 'pending' }],
    threads: [{ thread_id: thread, status: 'pending' }],
  })
})

behaves('watch/expired', async (world) => {
  const { thread } = await held(world)
  const { next_event_id } = await world.inbox.done({ agent: 'worker', thread, summary: 'Done' })
  await world.clock.advance(31 * DAY)
  const young = await task(world)
  await world.inbox.prune({ include_unread: true })
  for (const after_event of [0, 1, next_event_id - 1]) {
    const no = await refused(world.inbox.watch({ after_event }), 'cursor_expired')
    expect(no.details).toEqual({ floor: next_event_id })
  }
  expect(await world.inbox.watch({ after_event: next_event_id })).toMatchObject({
    events: [{ thread_id: young }],
  })
})

behaves('watch/beyond', async (world) => {
  await task(world)
  const end = await endOf(world)
  await refused(world.inbox.watch({ after_event: end + 1 }), 'invalid_input')
  await refused(world.inbox.watch({ after_event: -1 }), 'invalid_input')
  await refused(world.as('lead').watch({ after_event: end + 1 }), 'invalid_input')
})

behaves('watch/exactly-once', async (world) => {
  let cursor = await endOf(world)
  const seen: number[] = []
  const last = (async () => {
    for (let i = 0; i < 12; i++) await task(world)
    return endOf(world)
  })()
  const end = async () => (seen.length >= 12 ? last : undefined)
  while ((await end()) !== cursor) {
    const answer = await world.inbox.watch({ after_event: cursor, timeout_seconds: 240 })
    expect(answer.woke).toBe(true)
    seen.push(...answer.events.map((event) => event.event_id))
    cursor = answer.next_event_id
  }
  // Events that register agents don't belong to a thread.
  const stored = await world.sql(
    "select event_id from events where thread_id <> '' order by event_id",
  )
  expect(seen).toEqual(stored.map(({ event_id }) => event_id as number))
})

async function endOf(world: World): Promise<number> {
  return (await world.inbox.list({ limit: 1 })).next_event_id
}

async function eventOf(world: World, thread: string): Promise<number> {
  const [row] = await world.sql('select event_id from events where thread_id = ?', thread)
  return row?.event_id as number
}
