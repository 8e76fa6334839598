// Threads that a person takes off the desk for now.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { idsOn, inSeconds, rowsOn } from '../../worlds/desks.ts'
import { once } from '../../worlds/once.ts'
import { ailments, comment } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

const HOUR = 3600
const ME = { agent: 'user' }

/** The agent writes another message in its own push. */
const addWords = async (world: World, entry: string) => {
  await world.inbox.pushReply({ entry, comments: 'And?' })
  const [said] = (await world.inbox.mailRead({ agent: 'ann' })).messages
  await world.inbox.mailSend({ from: 'ann', in_reply_to: said?.id as string, body: 'Now done' })
}

behaves('desk-snooze/until', async (world) => {
  const one = await comment(world, 'One')
  const two = await comment(world, 'Two')
  await world.inbox.pushRead({ entries: [one] })
  const until = await inSeconds(world, HOUR)
  expect(await world.inbox.deskSnooze({ ...ME, threads: [one], until })).toMatchObject({
    changed: [one],
    until,
  })
  // Snoozing again until the same time changes nothing.
  expect(await world.inbox.deskSnooze({ ...ME, threads: [one], until })).toMatchObject({
    changed: [],
  })
  expect(await idsOn(world)).toEqual([two])
  const asleep = await rowsOn(world, { snoozed: true })
  expect(asleep).toMatchObject([{ thread_id: one, snoozed_until: until, woken: false }])
  await world.clock.advance(HOUR)
  expect(await rowsOn(world)).toMatchObject([
    { thread_id: one, woken: true, unread: 1, snoozed_until: null },
    { thread_id: two, woken: false },
  ])
  expect(await rowsOn(world, { snoozed: true })).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('desk-snooze/words', async (world) => {
  const one = await comment(world, 'One')
  const two = await comment(world, 'Two')
  await world.inbox.deskSnooze({ ...ME, threads: [one], until: await inSeconds(world, HOUR) })
  await addWords(world, one)
  expect(await rowsOn(world)).toMatchObject([
    { thread_id: one, woken: true, preview: 'Now done' },
    { thread_id: two },
  ])
  await world.inbox.deskMark({ ...ME, threads: [one], as: 'read' })
  expect((await rowsOn(world))[0]).toMatchObject({ thread_id: one, woken: false })
  // Neither a later message nor the end of the old snooze marks it as woken again.
  await addWords(world, one)
  await world.clock.advance(2 * HOUR)
  expect((await rowsOn(world))[0]).toMatchObject({ thread_id: one, unread: 1, woken: false })
  expect(await ailments(world)).toEqual([])
})

behaves('desk-snooze/put-away', async (world) => {
  const entry = await comment(world, 'One')
  await world.inbox.deskMark({ ...ME, threads: [entry], as: 'read' })
  expect(await world.inbox.deskSnooze({ ...ME, threads: [entry] })).toMatchObject({ until: null })
  await world.clock.advance(1000 * HOUR)
  expect(await idsOn(world)).toEqual([])
  expect(await rowsOn(world, { snoozed: true })).toMatchObject([
    { thread_id: entry, snoozed_until: null, unread: 0 },
  ])
  await addWords(world, entry)
  expect(await rowsOn(world)).toMatchObject([{ thread_id: entry, woken: true }])
})

behaves('desk-snooze/read', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  const threads = [one, two]
  const wake = async () => {
    await world.inbox.deskSnooze({ ...ME, threads, until: await inSeconds(world, HOUR) })
    await world.clock.advance(HOUR)
    expect((await rowsOn(world)).map(({ woken }) => woken)).toEqual([true, true])
  }
  await wake()
  await world.inbox.pushRead({ entries: [one] })
  await world.inbox.deskMark({ ...ME, threads: [two], as: 'read' })
  expect((await rowsOn(world)).map(({ woken }) => woken)).toEqual([false, false])
  await wake()
  await world.inbox.deskSnooze({ ...ME, threads: [two] })
  expect(await rowsOn(world)).toMatchObject([{ thread_id: one, woken: true }])
  // A thread that was read while snoozed still comes back, and counts as woken until it's marked.
  await world.inbox.deskSnooze({ ...ME, threads: [one], until: await inSeconds(world, HOUR) })
  await world.inbox.pushRead({ entries: [one] })
  await world.clock.advance(HOUR)
  expect(await rowsOn(world)).toMatchObject([{ thread_id: one, woken: true, unread: 0 }])
  const read = { threads: [one], as: 'read' as const }
  expect(await world.inbox.deskMark({ ...ME, ...read })).toMatchObject({ changed: [one] })
  expect(await world.inbox.deskMark({ ...ME, ...read })).toMatchObject({ changed: [] })
  expect(await rowsOn(world)).toMatchObject([{ thread_id: one, woken: false }])
  expect(await ailments(world)).toEqual([])
})

behaves('desk-snooze/taken-back', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  await world.inbox.deskMark({ ...ME, threads: [one], as: 'read' })
  const before = await rowsOn(world)
  const threads = [one, two]
  await world.inbox.deskSnooze({ ...ME, threads, until: await inSeconds(world, HOUR) })
  await world.inbox.deskSnooze({ ...ME, threads, until: await inSeconds(world, 2 * HOUR) })
  expect(await world.inbox.deskUnsnooze({ ...ME, threads })).toMatchObject({ changed: threads })
  expect(await rowsOn(world)).toEqual(before)
  expect(await world.inbox.deskUnsnooze({ ...ME, threads })).toMatchObject({ changed: [] })
  await world.clock.advance(3 * HOUR)
  expect(await rowsOn(world)).toEqual(before)
  expect(await ailments(world)).toEqual([])
})

behaves('desk-snooze/own', async (world) => {
  await world.inbox.personAdd({ name: 'mira' })
  const request = await asked(world)
  await world.inbox.deskSnooze({ agent: 'user:mira', threads: [request] })
  expect(await idsOn(world, { agent: 'user:mira' })).toEqual([])
  expect(await idsOn(world)).toEqual([request])
})

behaves('desk-snooze/refused', async (world) => {
  const entry = await comment(world, 'One')
  const threads = ['thread_nothing']
  await refused(world.inbox.deskSnooze({ ...ME, threads }), 'not_found')
  await refused(world.inbox.deskUnsnooze({ ...ME, threads }), 'not_found')
  await refused(world.inbox.deskMark({ ...ME, threads, as: 'read' }), 'not_found')
  const until = await inSeconds(world, 0)
  await refused(world.inbox.deskSnooze({ ...ME, threads: [entry], until }), 'invalid_input')
  await refused(world.inbox.deskSnooze({ ...ME, threads: [entry], until: 'soon' }), 'invalid_input')
  await refused(world.inbox.deskSnooze({ ...ME, threads: [] }), 'invalid_input')
  // Work between agents isn't on anyone's desk.
  const { thread } = await world.inbox.send({ from: 'ann', to: 'bob', subject: 'Build' })
  await refused(world.inbox.deskSnooze({ ...ME, threads: [thread.thread_id] }), 'not_found')
  expect(await idsOn(world)).toEqual([entry])
})

behaves('desk-snooze/seen', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  const { next_event_id: upto } = await world.inbox.deskList({})
  await addWords(world, one)
  const threads = [one, two]
  expect(await world.inbox.deskMark({ ...ME, threads, as: 'read', upto })).toMatchObject({
    changed: [two],
  })
  expect(await world.inbox.deskSnooze({ ...ME, threads, upto })).toMatchObject({ changed: [two] })
  expect(await rowsOn(world)).toMatchObject([{ thread_id: one, woken: false }])
})

behaves('desk-snooze/counts', async (world) => {
  const request = await asked(world)
  const entry = await comment(world, 'One')
  const threads = [request, entry]
  await world.inbox.deskSnooze({ ...ME, threads, until: await inSeconds(world, HOUR) })
  const quiet = { unread: 0, needs_you: { total: 0 } }
  expect(await world.inbox.desk({})).toMatchObject(quiet)
  expect(await world.inbox.deskList({ needs_you: true })).toMatchObject({ rows: [], unread: 0 })
  await world.clock.advance(HOUR)
  expect(await world.inbox.desk({})).toMatchObject({ unread: 2, needs_you: { requests: 1 } })
  expect(await rowsOn(world, { needs_you: true })).toMatchObject([
    { thread_id: request, woken: true, needs_you: true },
  ])
  expect(await rowsOn(world, { unread: true })).toHaveLength(2)
})

behaves('desk-snooze/pages', async (world) => {
  const ids: string[] = []
  for (let n = 1; n <= 8; n++) ids.unshift(await comment(world, `Report ${n}`))
  const back = [ids[6] as string, ids[3] as string, ids[4] as string]
  await world.inbox.deskSnooze({ ...ME, threads: back, until: await inSeconds(world, HOUR) })
  await world.clock.advance(HOUR)
  const order = [ids[3], ids[4], ids[6], ids[0], ids[1], ids[2], ids[5], ids[7]] as string[]
  expect(await idsOn(world)).toEqual(order)
  for (const limit of [1, 2, 3, 5]) {
    const down: string[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const page = await world.inbox.deskList(before === undefined ? { limit } : { limit, before })
      down.push(...page.rows.map(({ thread_id }) => thread_id))
      before = page.next_before
    }
    expect(down).toEqual(order)
    const up: string[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page = await world.inbox.deskList({ limit, after })
      up.unshift(...page.rows.map(({ thread_id }) => thread_id))
      after = page.next_after
    }
    expect(up).toEqual(order)
  }
  expect(await idsOn(world, { around: ids[6] as string, limit: 3 })).toEqual(order.slice(1, 4))
  expect(await idsOn(world, { text: 'report 5' })).toEqual([ids[3] as string])
})

behaves('desk-snooze/once', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  const threads = [one, two]
  const until = await inSeconds(world, HOUR)
  const key = (name: string) => ({ threads, idempotency_key: name })
  const done = { changed: threads }
  expect(
    await once(world, () => world.inbox.deskMark({ ...ME, ...key('a'), as: 'read' })),
  ).toMatchObject(done)
  expect(
    await once(world, () => world.inbox.deskSnooze({ ...ME, ...key('b'), until })),
  ).toMatchObject(done)
  expect(await once(world, () => world.inbox.deskUnsnooze({ ...ME, ...key('c') }))).toMatchObject(
    done,
  )
})
