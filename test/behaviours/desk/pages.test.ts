// The pages of a desk: around a thread, upward, and by text.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { comment, desk, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

type Look = Parameters<World['inbox']['deskList']>[0]

const idsOf = async (world: World, wish: Look) =>
  (await world.inbox.deskList(wish)).rows.map(({ thread_id }) => thread_id)

behaves('desk/around', async (world) => {
  const ids: string[] = []
  for (let n = 1; n <= 7; n++) ids.unshift(await comment(world, `Report ${n}`))
  const middle = await world.inbox.deskList({ around: ids[3], limit: 3 })
  expect(middle.rows.map(({ thread_id }) => thread_id)).toEqual(ids.slice(2, 5))
  const below = await world.inbox.deskList({ before: middle.next_before as number })
  expect(below).toMatchObject({ next_before: null, rows: [{ thread_id: ids[5] }, {}] })
  const above = await world.inbox.deskList({ after: middle.next_after as number, limit: 1 })
  expect(above.rows).toMatchObject([{ thread_id: ids[1] }])
  const top = await world.inbox.deskList({ after: above.next_after as number, limit: 1 })
  expect(top).toMatchObject({ next_after: null, rows: [{ thread_id: ids[0] }] })
  // At the end of the list, the page has only the rows on one side.
  expect(await idsOf(world, { around: ids[0], limit: 3 })).toEqual(ids.slice(0, 2))
  await refused(world.inbox.deskList({ around: 'thread_nothing' }), 'not_found')
})

behaves('desk/text', async (world) => {
  const { workspace, write } = await desk(world)
  await write('chapters/intro.md', '# Intro')
  const doc = await pushed(world, { agent: 'bob', workspace, docs: ['chapters/intro.md'] })
  const plain = await comment(world, 'The Budget\nis in the second half')
  expect(await idsOf(world, { text: 'budget' })).toEqual([plain])
  expect(await idsOf(world, { text: 'second HALF' })).toEqual([plain])
  expect(await idsOf(world, { text: 'INTRO.md' })).toEqual([doc])
  expect(await idsOf(world, { text: 'thesis' })).toEqual([doc])
  expect(await idsOf(world, { text: 'bob' })).toEqual([doc])
  expect(await world.inbox.deskList({ text: 'nowhere' })).toMatchObject({
    rows: [],
    has_more: false,
    cut: false,
  })
})

behaves('desk/places', async (world) => {
  await refused(world.inbox.deskList({ before: 5, after: 2 }), 'invalid_input')
  await refused(world.inbox.deskList({ text: 'a', after: 2 }), 'invalid_input')
  await refused(world.inbox.deskList({ needs_you: true, text: 'a' }), 'invalid_input')
})
