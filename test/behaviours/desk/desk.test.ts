// A person's desk: one list of everything that was delivered to them.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { comment, desk, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

type Look = Parameters<World['inbox']['deskList']>[0]

const look = (world: World, wish: Look = {}) => world.inbox.deskList({ agent: 'user', ...wish })
const rowsOf = async (world: World, wish: Look = {}) => (await look(world, wish)).rows
const titlesOf = async (world: World, wish: Look = {}) =>
  (await rowsOf(world, wish)).map(({ title }) => title)

/** A push, a request and a question by ann, in this order. */
async function makeThree(world: World) {
  await world.inbox.agentRegister({ agent: 'ann', may_write_to_user: true })
  const push = await comment(world, 'The report is written')
  await world.clock.advance(1)
  const request = await asked(world)
  await world.clock.advance(1)
  const { message } = await world.inbox.mailSend({
    from: 'ann',
    to: 'user',
    type: 'question',
    subject: 'Which one?',
    body: 'A or B',
  })
  return { push, request, mail: message?.thread_id as string }
}

behaves('desk/list', async (world) => {
  const { push, request, mail } = await makeThree(world)
  const first = await look(world, { limit: 2 })
  expect(first).toMatchObject({ has_more: true, unread: 3 })
  expect(first.rows).toMatchObject([
    { thread_id: mail, what: 'question', title: 'Which one?', from: 'ann', preview: 'A or B' },
    { thread_id: request, what: 'request', title: 'Raise the limit', unread: 1 },
  ])
  const before = first.next_before as number
  expect(await rowsOf(world, { before })).toMatchObject([{ thread_id: push, what: 'push' }])
  // A new message brings its thread to the top, and the thread still has one row.
  await world.clock.advance(1)
  const body = '# Now\nIt is **urgent**, see `api`, [here](b.md); 2 ** 3, __init__'
  await world.inbox.comment({ agent: 'ann', request, body })
  expect(await rowsOf(world)).toMatchObject([
    {
      thread_id: request,
      unread: 2,
      preview: 'Now\nIt is urgent, see api, here; 2 ** 3, __init__',
    },
    { thread_id: mail },
    { thread_id: push },
  ])
})

behaves('desk/filters', async (world) => {
  const { push } = await makeThree(world)
  await world.inbox.pushRead({ entries: [push] })
  expect(await titlesOf(world, { unread: true })).toEqual(['Which one?', 'Raise the limit'])
  const { workspace, write } = await desk(world)
  await write('a.md', 'A')
  await pushed(world, { agent: 'bob', workspace, docs: ['a.md'] })
  expect(await rowsOf(world, { workspace })).toMatchObject([
    { from: 'bob', documents: 1, workspace_id: workspace, workspace_label: 'Thesis' },
  ])
  expect(await titlesOf(world, { from: 'ann' })).toHaveLength(3)
  expect(await titlesOf(world, { from: 'bob' })).toHaveLength(1)
})

behaves('desk/away', async (world) => {
  const { push } = await makeThree(world)
  await world.inbox.notify({ agent: 'ann', message: 'Half done' })
  expect(await titlesOf(world)).not.toContain('Half done')
  expect(await rowsOf(world, { notifications: true })).toMatchObject([{ what: 'notification' }])
  await world.inbox.pushTrash({ entries: [push] })
  expect(await titlesOf(world)).toEqual(['Which one?', 'Raise the limit'])
  expect(await look(world)).toMatchObject({ unread: 2 })
})

behaves('desk/quiet', async (world) => {
  const { mail } = await makeThree(world)
  await look(world)
  const { messages } = await world.inbox.mailReceipts({ agent: 'ann', thread: mail })
  expect(messages).toMatchObject([{ receipts: [{ state: 'queued' }] }])
  expect(await look(world)).toMatchObject({ unread: 3 })
})

behaves('desk/people', async (world) => {
  expect(await look(world)).toMatchObject({ rows: [], unread: 0 })
  expect(await world.inbox.desk({})).toMatchObject({ unread: 0, needs_you: { total: 0 } })
  expect(await world.inbox.deskDays({ agent: 'user' })).toMatchObject({ days: [], total: 0 })
  await makeThree(world)
  await refused(world.inbox.deskList({ agent: 'ann' }), 'forbidden')
  await refused(world.inbox.desk({ agent: 'ann' }), 'forbidden')
  await refused(world.inbox.deskDays({ agent: 'ann' }), 'forbidden')
  await world.inbox.personAdd({ name: 'mira' })
  expect(await world.inbox.deskList({ agent: 'user:mira' })).toMatchObject({ rows: [], unread: 0 })
})
