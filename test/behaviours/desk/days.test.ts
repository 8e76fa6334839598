// The days of a desk: how long its list is, and where each day begins in it.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { idsOn, inSeconds } from '../../worlds/desks.ts'
import { comment } from '../../worlds/pushes.ts'

const ME = { agent: 'user' }
const DAY = 86_400

behaves('desk-days/counts', async (world) => {
  // Start an hour before midnight UTC.
  const now = await world.clock.advance(0)
  const left = DAY - ((Date.parse(now) / 1000) % DAY)
  await world.clock.advance(left - 3600)
  const early = await comment(world, 'Before midnight')
  await world.clock.advance(3600)
  const late = await comment(world, 'After midnight')
  await comment(world, 'Soon after it')
  await world.inbox.deskMark({ ...ME, threads: [late], as: 'read' })
  const at = await world.clock.advance(0)
  const today = at.slice(0, 10)
  const yesterday = new Date(Date.parse(at) - DAY * 1000).toISOString().slice(0, 10)
  expect(await world.inbox.deskDays(ME)).toMatchObject({
    total: 3,
    unread: 2,
    days: [
      { day: today, count: 2, unread: 1 },
      { day: yesterday, count: 1, unread: 1 },
    ],
  })
  // Two hours further east, all of it happened today. Another half hour makes no difference.
  for (const utc_offset_minutes of [120, 150]) {
    const east = await world.inbox.deskDays({ ...ME, utc_offset_minutes })
    expect(east.days).toMatchObject([{ day: today, count: 3 }])
  }
  expect(await world.inbox.deskDays({ ...ME, unread: true })).toMatchObject({ total: 2, unread: 2 })
  // A thread that returns from a snooze is at the top and counts toward today.
  const until = await inSeconds(world, 2 * DAY)
  await world.inbox.deskSnooze({ ...ME, threads: [early], until })
  expect(await world.inbox.deskDays(ME)).toMatchObject({ total: 2 })
  expect(await world.inbox.deskDays({ ...ME, snoozed: true })).toMatchObject({ total: 1 })
  await world.clock.advance(2 * DAY)
  const { days } = await world.inbox.deskDays(ME)
  expect(days).toMatchObject([{ day: until.slice(0, 10), count: 1, unread: 1 }, { day: today }])
  expect(await idsOn(world, { before: days[0]?.before as number })).toEqual(await idsOn(world))
})

behaves('desk-days/pages', async (world) => {
  const inbox = world.inbox
  for (let n = 0; n < 3; n++) await comment(world, `Report ${n}`)
  await world.clock.advance(DAY)
  // Pushes sent at the same time share transactions, which is faster.
  for (let n = 0; n < 11; n++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, k) =>
        inbox.push({ agent: 'ann', comments: `Note ${n} ${k}` }),
      ),
    )
  }
  const { days, total } = await inbox.deskDays(ME)
  expect(days.map(({ count }) => count)).toEqual([500, 50, 3])
  expect(days[0]?.day).toBe(days[1]?.day as string)
  expect(total).toBe(553)
  const all: string[] = []
  for (const { before, count } of days) all.push(...(await idsOn(world, { before, limit: count })))
  expect(new Set(all).size).toBe(553)
  const top = await idsOn(world, { limit: 500 })
  expect(all.slice(0, 500)).toEqual(top)
})

behaves('desk-days/parts', async (world) => {
  for (let n = 0; n < 5; n++) await comment(world, `Report ${n}`)
  const all = await idsOn(world)
  const { inbox } = world
  const top = await inbox.deskDays({ ...ME, limit: 2 })
  expect(top).toMatchObject({ total: 2, days: [{ count: 2 }] })
  const before = top.next_before as number
  const rest = await inbox.deskDays({ ...ME, before })
  expect(rest).toMatchObject({ total: 3, next_before: null })
  const begin = rest.days[0]?.before as number
  expect(await idsOn(world, { before: begin })).toEqual(all.slice(2))
  // `after` counts only the newer threads, down to the same position.
  await comment(world, 'Report 5')
  const again = await inbox.deskDays({ ...ME, after: before - 1 })
  expect(again).toMatchObject({ total: 3, unread: 3, next_before: null })
  expect(await inbox.deskDays({ ...ME, limit: 6 })).toMatchObject({ total: 6, next_before: null })
})
