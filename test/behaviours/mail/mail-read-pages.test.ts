// Reading mail in pages, by cursor and by time.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { flood, ids, known, mail } from '../../worlds/mails.ts'
import { refused } from '../../worlds/refused.ts'
import { DAWN } from '../../worlds/store.ts'

behaves('mail-read/limit', async (world) => {
  await known(world, 'worker')
  const sent = await flood(world, 53)
  const reader = world.as('worker')
  const first = await reader.mailRead({})
  expect(ids(first)).toEqual(sent.slice(0, 50))
  expect(first).toMatchObject({ has_more: true, unread: 53 })
  const rest = await reader.mailRead({ since: String(first.next_event_id) })
  expect(ids(rest)).toEqual(sent.slice(50))
  expect(rest.has_more).toBe(false)
  await refused(reader.mailRead({ limit: 0 }), 'invalid_input')
  await refused(reader.mailRead({ limit: 501 }), 'invalid_input')
})

behaves('mail-read/cursor', async (world) => {
  await known(world, 'worker')
  const first = await flood(world, 25)
  const reader = world.as('worker')
  const got: string[] = []
  let since: string | undefined
  const read = async () => {
    const page = await reader.mailRead({ since, limit: 10 })
    since = String(page.next_event_id)
    got.push(...ids(page))
    return page.has_more
  }
  while (await read());
  // The clock is still at the same millisecond.
  const second = await flood(world, 12)
  while (await read());
  expect(got).toEqual([...first, ...second])
  expect(await read()).toBe(false)
  expect(got).toHaveLength(37)
})

behaves('mail-read/time', async (world) => {
  await known(world, 'worker')
  await mail(world)
  await world.clock.advance(1)
  const first = await flood(world, 25)
  const reader = world.as('worker')
  const got: string[] = []
  let since: string = await world.clock.advance(0)
  const read = async () => {
    const page = await reader.mailRead({ since, limit: 10 })
    got.push(...ids(page))
    since = page.messages.at(-1)?.created_at ?? since
    return page.messages.length
  }
  while ((await read()) > 0);
  const second = await flood(world, 12)
  while ((await read()) > 0);
  await world.clock.advance(1)
  const later = await flood(world, 2)
  while ((await read()) > 0);
  expect(got).toEqual([...first, ...second, ...later])
})

behaves('mail-read/late', async (world) => {
  await known(world, 'worker')
  await world.clock.advance(10)
  const first = await mail(world)
  const reader = world.as('worker')
  const { messages } = await reader.mailRead({})
  const late = await mail(world)
  // Simulates a writer that read the clock first but whose message was stored last.
  await world.sql('update deliveries set queued_at = ? where message_id = ?', DAWN, late)
  const since = messages[0]?.created_at as string
  expect(ids(await reader.mailRead({ since }))).toEqual([late])
  expect(ids(await reader.mailRead({ since: DAWN }))).toEqual([first])
})

behaves('mail-read/time-disorder', async (world) => {
  await known(world, 'worker')
  const reader = world.as('worker')
  await world.clock.advance(10)
  const sent = await flood(world, 6)
  // Simulates parallel writers, which can store messages in an order that differs from their times.
  const at = (second: number) => `2026-03-01T08:00:0${second}.000Z`
  for (const [i, second] of [5, 3, 4, 4, 6, 2].entries()) {
    const id = sent[i] as string
    await world.sql('update messages set created_at = ? where message_id = ?', at(second), id)
    await world.sql('update deliveries set queued_at = ? where message_id = ?', at(second), id)
  }
  for (const limit of [1, 2, 3, 6]) {
    await world.sql("update deliveries set state = 'queued', presented_at = null")
    const got: string[] = []
    let since = at(1)
    for (let pages = 0; pages < 12; pages++) {
      const page = await reader.mailRead({ since, limit })
      got.push(...ids(page))
      since = page.messages.at(-1)?.created_at ?? since
    }
    expect(got).toEqual(sent)
  }
})

behaves('mail-read/time-taken', async (world) => {
  await known(world, 'lead')
  await world.as('lead').mailSend({ to: 'role:builder', body: 'waits for one' })
  await world.clock.advance(10)
  const reader = world.as('worker')
  await reader.agentRegister({ agent: 'worker' })
  const own = await mail(world)
  await world.clock.advance(10)
  await reader.agentRegister({ agent: 'worker', role: 'builder' })
  const { messages } = await reader.mailRead({})
  expect(messages.map(({ id }) => id)).toEqual([own, expect.any(String)])
  // The mail taken over from the queue is older than mail that was read before it.
  const since = messages[1]?.created_at as string
  expect(ids(await reader.mailRead({ since }))).toEqual([])
  const later = await mail(world)
  expect(ids(await reader.mailRead({ since }))).toEqual([later])
})
