import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { comment } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, held, statusOf, take, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

behaves('wait-reply/early', async (world) => {
  const { thread } = await blocked(world)
  const { message, next_event_id } = await world.inbox.reply({
    from: 'lead',
    thread,
    summary: 'PEG',
  })
  const answer = await world.inbox.waitReply({ agent: 'worker', thread })
  expect(answer).toEqual({ woke: true, message, next_event_id })
  expect(world.exitOf(answer)).toBe(0)
})

behaves('wait-reply/wakes', async (world) => {
  const { thread } = await blocked(world)
  const waiting = world.inbox.waitReply({ agent: 'worker', thread, timeout_seconds: 0 })
  const { message, next_event_id } = await world.inbox.reply({
    from: 'lead',
    thread,
    summary: 'PEG',
  })
  expect(await waiting).toEqual({ woke: true, message, next_event_id })
  expect(await statusOf(world, thread)).toBe('in_progress')
})

behaves('wait-reply/cancelled', async (world) => {
  const { thread } = await blocked(world)
  await world.inbox.cancel({ agent: 'lead', thread, reason: 'Dropped' })
  const first = await world.inbox.waitReply({ agent: 'worker', thread })
  expect(first.message).toMatchObject({ kind: 'control', summary: 'Dropped' })
  await until(async () => {
    const { messages } = await world.inbox.mailPeek({ agent: 'worker' })
    return messages.every(({ subject }) => subject !== 'Dropped')
  }, 'the cancellation is read')
  await refused(world.inbox.waitReply({ agent: 'worker', thread }), 'invalid_state')
})

behaves('wait-reply/later', async (world) => {
  const { thread } = await blocked(world)
  await world.inbox.reply({ from: 'lead', thread, summary: 'To the first question' })
  const asked = { agent: 'worker', thread, status: 'blocked' as const, summary: 'And now?' }
  await world.inbox.update(asked)
  const waiting = world.inbox.waitReply({ agent: 'worker', thread })
  await world.inbox.reply({ from: 'lead', thread, summary: 'To the second' })
  expect((await waiting).message?.summary).toBe('To the second')
})

behaves('wait-reply/own', async (world) => {
  const { thread } = await blocked(world)
  const after_event = (await world.inbox.list({})).next_event_id
  await world.inbox.reply({ from: 'worker', thread, kind: 'answer', summary: 'To myself' })
  await world.inbox.reply({ from: 'lead', thread, kind: 'answer', summary: 'To you' })
  const answer = await world.inbox.waitReply({ agent: 'worker', thread, after_event })
  expect(answer.message?.summary).toBe('To you')
})

behaves('wait-reply/after-message', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread }
  const one = await world.inbox.reply({ ...said, summary: 'One' })
  await world.inbox.reply({ ...said, summary: 'Two' })
  const wait = (after_message: string) => world.inbox.waitReply({ thread, after_message })
  const [first] = (await world.inbox.show({ thread })).messages
  expect((await wait(first?.message_id as string)).message?.summary).toBe('One')
  expect((await wait(one.message.message_id)).message?.summary).toBe('Two')
  await refused(wait('msg_none'), 'not_found')
  const elsewhere = await world.inbox.send({ from: 'lead', to: 'worker', subject: 'Other' })
  await refused(wait(elsewhere.message.message_id), 'not_found')
})

behaves('wait-reply/after-event', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread }
  const one = await world.inbox.reply({ ...said, summary: 'One' })
  const two = await world.inbox.reply({ ...said, summary: 'Two' })
  const wait = (after_event: number) => world.inbox.waitReply({ thread, after_event })
  expect((await wait(one.next_event_id - 1)).message?.summary).toBe('One')
  const answer = await wait(one.next_event_id)
  expect(answer).toMatchObject({ message: { summary: 'Two' }, next_event_id: two.next_event_id })
  // What was shown is marked as read after the answer, and until then the log grows.
  const unread = async () => (await world.inbox.mailPeek({ agent: 'worker' })).messages
  await until(async () => (await unread()).length === 0, 'both answers are read')
  await refused(wait((await endOf(world)) + 1), 'invalid_input')
})

behaves('wait-reply/one-cursor', async (world) => {
  const { thread } = await blocked(world)
  const [first] = (await world.inbox.show({ thread })).messages
  const both = { thread, after_event: 1, after_message: first?.message_id }
  await refused(world.inbox.waitReply(both), 'invalid_input')
  const nowhere = { agent: 'idle' }
  await refused(world.inbox.waitReply(nowhere), 'invalid_input')
})

behaves('wait-reply/holder', async (world) => {
  const { thread } = await blocked(world)
  await world.inbox.reply({ from: 'lead', thread, summary: 'To the first question' })
  const asked = { agent: 'worker', thread, status: 'blocked' as const, summary: 'And now?' }
  await world.inbox.update(asked)
  await world.inbox.reply({ from: 'lead', thread, summary: 'To the second' })
  const answer = await world.inbox.waitReply({ thread })
  expect(answer.message?.summary).toBe('To the second')
  const unread = async () => {
    const { messages } = await world.inbox.mailPeek({ agent: 'worker' })
    return messages.map(({ subject }) => subject)
  }
  await until(async () => (await unread()).length === 1, 'the answer is read')
  expect(await unread()).toEqual(['To the first question'])
  // A leader that omits its name still gets the result.
  const { next_event_id } = await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  const after_event = next_event_id - 1
  const result = await world.inbox.waitReply({ thread, after_event })
  expect(result.message?.summary).toBe('Built')
})

behaves('wait-reply/holder-lease', async (world) => {
  for (const isCursor of [false, true]) {
    const { thread } = await blocked(world)
    const cursor = isCursor ? { after_event: await endOf(world) } : {}
    const waiting = world.inbox.waitReply({ thread, ...cursor })
    for (let round = 1; round <= 2; round++) {
      await world.clock.advance(700)
      // Moving the clock doesn't ring the bell. A message in the thread makes the wait check again.
      await world.inbox.send({ from: 'lead', thread, summary: 'Later' })
      const isKept = async () => Date.parse((await untilOf(world, thread)) ?? '') > kept(world)
      await until(isKept, 'the lease was renewed')
    }
    await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
    expect((await waiting).message?.summary).toBe('PEG')
    await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  }
})

behaves('wait-reply/no-holder', async (world) => {
  const thread = await task(world)
  await world.inbox.reply({ from: 'user', thread, summary: 'Too early' })
  const answer = await world.inbox.waitReply({ thread, timeout_seconds: 1 })
  expect(answer).toMatchObject({ woke: false, message: null })
  await take(world, thread, 'worker', 60)
  await world.clock.advance(60)
  expect(await world.inbox.waitReply({ thread, timeout_seconds: 1 })).toMatchObject({ woke: false })
  await refused(world.inbox.waitReply({ thread: 'thr_none' }), 'not_found')
  await world.inbox.cancel({ agent: 'lead', thread })
  await refused(world.inbox.waitReply({ thread }), 'invalid_state')
})

behaves('wait-reply/kinds', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread }
  await world.inbox.reply({ ...said, kind: 'progress', summary: 'Looking' })
  await world.inbox.reply({ ...said, kind: 'question', summary: 'Why?' })
  await world.inbox.reply({ ...said, kind: 'control', summary: 'Faster' })
  await world.inbox.reply({ ...said, kind: 'answer', summary: 'PEG' })
  const wait = async (kinds?: ('progress' | 'question' | 'answer')[]) =>
    (await world.inbox.waitReply({ agent: 'worker', thread, kinds })).message?.summary
  expect(await wait()).toBe('Faster')
  expect(await wait(['answer'])).toBe('PEG')
  expect(await wait(['question', 'answer'])).toBe('Why?')
  await refused(wait(['gossip' as 'answer']), 'invalid_input')
})

behaves('wait-reply/control', async (world) => {
  const { thread } = await blocked(world)
  const waiting = world.inbox.waitReply({ agent: 'worker', thread })
  await world.inbox.cancel({ agent: 'lead', thread, reason: 'No longer needed' })
  expect(await waiting).toMatchObject({
    woke: true,
    message: { kind: 'control', summary: 'No longer needed', to_agent: 'worker' },
  })
})

behaves('wait-reply/result', async (world) => {
  const { thread } = await held(world)
  const waiting = world.inbox.waitReply({ agent: 'lead', thread })
  const { message } = await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  expect((await waiting).message).toEqual(message)
  const late = await world.inbox.waitReply({ agent: 'lead', thread })
  expect(late.message).toEqual(message)
})

behaves('wait-reply/keeps-lease', async (world) => {
  const { thread, token } = await blocked(world)
  const waiting = world.inbox.waitReply({ agent: 'worker', thread, lease_token: token })
  const renewals = async () => {
    const [row] = await world.sql(
      "select count(*) as n from events where event_type = 'thread_renew'",
    )
    return row?.n as number
  }
  // Goes far beyond the lease's 900 seconds, in steps that each leave less than a third of the lease.
  for (let round = 1; round <= 2; round++) {
    await world.clock.advance(700)
    // Moving the clock doesn't ring the bell. Mail makes the wait check again.
    await world.inbox.mailSend({ from: 'lead', to: 'worker', type: 'status', body: 'Later' })
    await until(async () => (await renewals()) >= round, 'the lease was renewed')
    await refused(world.inbox.claim({ agent: 'other', thread }), 'lease_conflict')
  }
  await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
  expect((await waiting).woke).toBe(true)
  const { messages, lease } = await world.inbox.show({ thread })
  expect(lease).toMatchObject({ agent: 'worker', generation: 1, live: true })
  // Renewals leave no messages in the thread.
  expect(messages.map((message) => message.kind)).toEqual(['task', 'event', 'question', 'answer'])
})

behaves('wait-reply/keeps-only-own', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  const waiting = world.inbox.waitReply({ agent: 'lead', thread })
  await world.clock.advance(59)
  await world.clock.advance(1)
  await take(world, thread, 'other')
  await world.inbox.done({ agent: 'other', thread, summary: 'Built' })
  expect((await waiting).message).toMatchObject({ from_agent: 'other' })
  expect(await world.sql("select * from events where event_type = 'thread_renew'")).toEqual([])
})

behaves('wait-reply/read-mark', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread, summary: 'PEG' }
  await world.inbox.reply({ ...said, to: 'auditor' })
  const marks = async () => {
    // The next call starts only once the previous one has completely finished.
    await world.inbox.list({})
    return world.sql('select agent_id, last_read_seq from thread_reads')
  }
  await world.inbox.waitReply({ agent: 'worker', thread })
  expect(await marks()).toEqual([])
  const { next_event_id } = await world.inbox.reply(said)
  await world.inbox.waitReply({ agent: 'worker', thread, after_event: next_event_id - 1 })
  expect(await marks()).toEqual([{ agent_id: 'worker', last_read_seq: 5 }])
})

behaves('wait-reply/finished', async (world) => {
  const thread = await task(world)
  const { next_event_id } = await world.inbox.cancel({ agent: 'lead', thread })
  const waiting = { agent: 'worker', thread, after_event: next_event_id }
  const no = await refused(world.inbox.waitReply(waiting), 'invalid_state')
  expect(no.message).toContain('cancelled')
  // The thread may also end during a wait.
  const { thread: other } = await held(world)
  // Expect the refusal up front, because it may come before `done` has answered here.
  const asked = refused(
    world.inbox.waitReply({ agent: 'lead', thread: other, kinds: ['answer'] }),
    'invalid_state',
  )
  await world.inbox.done({ agent: 'worker', thread: other, summary: 'Built' })
  await asked
  // Deleting a push ends its thread.
  const entry = await comment(world, 'Which?')
  const forReply = { agent: 'ann', thread: entry }
  const waited = refused(world.inbox.waitReply(forReply), 'invalid_state')
  await world.inbox.pushDelete({ entries: [entry] })
  expect((await waited).message).toContain('deleted')
  await refused(world.inbox.waitReply(forReply), 'invalid_state')
})

behaves('wait-reply/timeout', async (world) => {
  const { thread } = await blocked(world)
  await task(world)
  const waiting = { agent: 'worker', thread, timeout_seconds: 1 }
  const answer = await world.inbox.waitReply(waiting)
  expect(answer).toEqual({ woke: false, message: null, next_event_id: await endOf(world) })
  expect(world.exitOf(answer)).toBe(10)
})

behaves('wait-reply/unknown', async ({ inbox }) => {
  await refused(inbox.waitReply({ agent: 'worker', thread: 'thr_none' }), 'not_found')
})

async function endOf(world: World): Promise<number> {
  return (await world.inbox.list({ limit: 1 })).next_event_id
}

async function untilOf(world: World, thread: string): Promise<string | undefined> {
  return (await world.inbox.show({ thread })).lease?.expires_at
}

/** A lease that ends later than this was renewed after the clock's last jump. */
function kept({ clock }: World): number {
  return Date.parse(clock.now()) + 600_000
}
