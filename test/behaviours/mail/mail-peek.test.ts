// Looking at mail without reading it.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { flood, ids, known, mail } from '../../worlds/mails.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'

behaves('mail-peek/same', async (world) => {
  await known(world, 'worker')
  await flood(world, 12)
  const first = await mail(world)
  await world.inbox.mailMarkRead({ agent: 'worker', messages: [first] })
  const reader = world.as('worker')
  for (const input of [{}, { all: true }, { limit: 5 }, { since: DAWN }, { to: 'worker' }]) {
    const peeked = await reader.mailPeek(input)
    const other = await world.as('user').mailRead({ ...input, to: 'worker' })
    expect(peeked).toEqual(other)
  }
  const peeked = await reader.mailPeek({})
  expect(await reader.mailRead({})).toEqual(peeked)
  expect(world.exitOf(peeked)).toBe(0)
  expect(world.exitOf(await world.as('nobody').mailPeek({}))).toBe(10)
})

behaves('mail-peek/newest', async (world) => {
  await known(world, 'worker')
  const sent: string[] = []
  for (let n = 0; n < 5; n++) sent.push(await mail(world))
  const reader = world.as('worker')
  await reader.mailMarkRead({ messages: [sent[3] as string] })
  const latest = await reader.mailPeek({ newest: true, limit: 3 })
  expect(ids(latest)).toEqual([4, 2, 1].map((n) => sent[n] as string))
  expect(latest).toMatchObject({ unread: 4, has_more: true })
  const all = await reader.mailPeek({ newest: true })
  expect(ids(all)).toEqual([4, 2, 1, 0].map((n) => sent[n] as string))
  expect(all.has_more).toBe(false)
  await refused(reader.mailPeek({ newest: true, all: true }), 'invalid_input')
})

behaves('mail-peek/changes-nothing', async (world) => {
  await known(world, 'worker')
  await mail(world)
  await mail(world, { to: 'role:builder' })
  const before = await everything(world)
  await world.as('worker').mailPeek({})
  await world.as('worker').mailPeek({ all: true, limit: 1 })
  await world.as('stranger').mailPeek({})
  await world.as('user').mailPeek({ to: 'role:builder' })
  await world.inbox.list({})
  expect(await everything(world)).toEqual(before)
})
