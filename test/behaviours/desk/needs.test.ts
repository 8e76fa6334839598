// Threads on a desk that need the person: requests to decide and questions to answer.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { comment } from '../../worlds/pushes.ts'
import { asked } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

const countsOf = async (world: World, agent = 'user') => world.inbox.desk({ agent })
const needsOf = async (world: World, agent = 'user') =>
  (await world.inbox.deskList({ agent, needs_you: true })).rows

const question = async (world: World, subject = 'Which one?') => {
  await world.inbox.agentRegister({ agent: 'ann', may_write_to_user: true })
  const { message } = await world.inbox.mailSend({
    from: 'ann',
    to: 'user',
    type: 'question',
    subject,
    body: 'A or B',
  })
  return { mail: message?.thread_id as string, message_id: message?.id as string }
}

/** Makes work that the person handed out and that its agent can't continue. */
async function makeBlocked(world: World) {
  const { thread } = await world.inbox.send({ from: 'user', to: 'bob', subject: 'Build it' })
  await world.inbox.claim({ agent: 'bob', thread: thread.thread_id })
  await world.inbox.update({
    agent: 'bob',
    thread: thread.thread_id,
    status: 'blocked',
    summary: 'Which port?',
  })
  return thread.thread_id
}

behaves('desk/counts', async (world) => {
  await comment(world, 'The report is written')
  await world.inbox.notify({ agent: 'ann', message: 'Half done' })
  await question(world)
  await asked(world)
  await makeBlocked(world)
  expect(await countsOf(world)).toMatchObject({
    unread: 4,
    notifications: 1,
    needs_you: { requests: 1, questions: 2, total: 3, soonest_expiry: null },
  })
  const { agents } = await countsOf(world)
  // Bob is running, because he holds the work.
  expect(agents.running).toBeGreaterThanOrEqual(1)
})

behaves('desk/needs', async (world) => {
  const { mail, message_id } = await question(world)
  await world.clock.advance(1)
  const work = await makeBlocked(world)
  await world.clock.advance(1)
  const later = await asked(world, { expires_seconds: 7200 })
  const sooner = await asked(world, { expires_seconds: 3600, on_expiry: 'keep' })
  const rows = await needsOf(world)
  expect(rows.map(({ thread_id }) => thread_id)).toEqual([sooner, later, mail, work])
  expect(rows[0]).toMatchObject({ needs_you: true, request_type: 'config_change' })
  const { needs_you } = await countsOf(world)
  expect(needs_you).toMatchObject({ total: 4, soonest_expiry: rows[0]?.expires_at as string })
  // The second page continues after the first.
  const beside = await world.inbox.deskList({ with_needs_you: true, limit: 1 })
  expect(beside.needs_you.map(({ thread_id }) => thread_id)).toEqual(
    rows.map(({ thread_id }) => thread_id),
  )
  const first = await world.inbox.deskList({ needs_you: true, limit: 3 })
  expect(first.needs_you).toEqual([])
  const next = { needs_you: true, before: first.next_before as number }
  expect((await world.inbox.deskList(next)).rows).toMatchObject([{ thread_id: work }])
  // Marking a question as read doesn't answer it.
  await world.inbox.mailMarkRead({ agent: 'user', messages: [message_id] })
  expect(await needsOf(world)).toHaveLength(4)
  await world.inbox.mailSend({ from: 'user', in_reply_to: message_id, body: 'A' })
  await world.inbox.reply({ from: 'user', thread: work, kind: 'answer', summary: '8080' })
  await world.inbox.approve({ request: later, revision: 1 })
  expect(await needsOf(world)).toMatchObject([{ thread_id: sooner }])
  const all = (await world.inbox.deskList({})).rows
  const needing = all.filter((row) => row.needs_you).map(({ thread_id }) => thread_id)
  expect(needing).toEqual([sooner])
})

behaves('desk/not-mine', async (world) => {
  await world.inbox.personAdd({ name: 'mira' })
  await asked(world, { policy: 'named', deciders: ['user:mira'] })
  expect((await countsOf(world)).needs_you.total).toBe(0)
  expect((await countsOf(world, 'user:mira')).needs_you.requests).toBe(1)
  const request = await asked(world)
  expect((await countsOf(world)).needs_you.requests).toBe(1)
  await world.inbox.approve({ request, revision: 1, grace_seconds: 30 })
  expect(await needsOf(world)).toEqual([])
  await world.inbox.undoDecision({ request })
  expect(await needsOf(world)).toMatchObject([{ thread_id: request }])
})
