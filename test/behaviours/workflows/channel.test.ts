// The channel of a workflow: what is written there, who is notified, and who sees it.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { beginIn } from '../../worlds/instances.ts'
import { until, type World } from '../../worlds/world.ts'

const CODER = 'coder@pr-1'
const REVIEWER = 'reviewer@pr-1'

async function states(world: World) {
  const rows = await world.sql(
    `select recipient, seq, state from deliveries order by event_id, recipient`,
  )
  return rows.map(({ recipient, seq, state }) => `${seq} ${recipient} ${state}`)
}

behaves('channel/send', async (world) => {
  const { instance } = await beginIn(world)
  const inbox = world.as(REVIEWER)
  const sent = await inbox.workflowContextSend({
    agent: REVIEWER,
    message: '@coder fix line 42, @reviewer and @nobody',
  })
  expect(sent).toMatchObject({ mentions: ['coder'], seq: 2, thread_id: instance.thread_id })
  const { messages } = await world.inbox.workflowContextInboxPeek({ agent: CODER })
  expect(messages).toMatchObject([
    {
      unread: true,
      priority: 'normal',
      entry: { id: sent.id, from: 'reviewer', mentions: ['coder'], type: 'custom', reply_to: null },
    },
  ])
  // A reply can have recipients that its text doesn't mention.
  const more = await world.as(CODER).workflowContextSend({
    agent: CODER,
    message: 'Done',
    to: 'reviewer, @user',
    reply_to: sent.id,
  })
  expect(more.mentions).toEqual(['reviewer', 'user'])
  const nobody = world.as(CODER).workflowContextSend({ agent: CODER, message: 'a', to: 'eve' })
  await expect(nobody).rejects.toMatchObject({ code: 'not_found' })
  await expect(nobody).rejects.toThrow('reviewer, coder, user')
})

behaves('channel/unknown', async (world) => {
  await beginIn(world)
  const say = (message: string) => world.as(CODER).workflowContextSend({ agent: CODER, message })
  expect((await say('@reviwer please look')).warning).toBe(
    'no one here is called reviwer (did you mean reviewer?)',
  )
  expect((await say('@ann, @reviewr, @ben, @eve, @zoe, @max')).warning).toBe(
    'no one here is called ann, reviewr (did you mean reviewer?), ben, eve and 2 more',
  )
  expect((await say('@reviewer, mail me@example.com')).warning).toBeUndefined()
  const sent = await world.inbox.workflowSend({ message: '@codr go on', to: 'reviewer@pr-1' })
  expect(sent.warning).toContain('did you mean coder?')
})

behaves('channel/strangers', async (world) => {
  const { thread_id } = (await beginIn(world)).instance
  await beginIn(world, { instance: 'pr-2' }).catch(() => {})
  await world.inbox.mailSend({ from: 'eve', to: 'orchestrator', body: 'hello' })
  for (const agent of ['eve', 'coder@pr-3']) {
    const inbox = world.as(agent)
    const calls = [
      () => inbox.workflowContextSend({ agent, message: '@coder hello' }),
      () => inbox.workflowContextRead({ agent }),
      () => inbox.workflowContextPeek({ agent }),
      () => inbox.workflowContextInbox({ agent }),
      () => inbox.workflowContextInboxPeek({ agent }),
      () => inbox.workflowContextAck({ agent, until: '2026-03-01T09:00:00Z' }),
      () => inbox.workflowContextTeam({ agent }),
      () => inbox.workflowContextNoAction({ agent }),
      () => inbox.show({ agent, thread: thread_id }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  }
  const lead = world.as('lead@pr-1').workflowContextTeam({ agent: 'lead@pr-1' })
  // Through a server, strangers can't see that the instance exists, no matter what name they use.
  const isAtServer = world.door === 'http' || world.door === 'mcp'
  await expect(lead).rejects.toThrow(
    isAtServer
      ? 'there is no instance "pr-1"'
      : 'lead@pr-1 takes no part in pr-1; its agents are reviewer',
  )
  const forged = world.inbox.workflowContextSend({ agent: 'eve', instance: 'pr-1', message: 'Hi' })
  await expect(forged).rejects.toMatchObject({ code: 'forbidden' })
  // A member sees the channel from the start, even before an entry mentions it.
  expect((await world.inbox.show({ agent: CODER, thread: thread_id })).thread).toMatchObject({
    kind: 'channel',
    status: 'open',
  })
  expect(await states(world)).toEqual(['1 role:orchestrator queued'])
})

behaves('channel/people', async (world) => {
  await beginIn(world)
  const inbox = world.inbox
  const missing = inbox.workflowContextSend({ agent: 'user', message: 'hello' })
  await expect(missing).rejects.toMatchObject({ code: 'invalid_input' })
  const asked = await world.as(CODER).workflowContextSend({
    agent: CODER,
    message: '@user which one?',
  })
  // The agent may not write to people elsewhere.
  const mail = world.as(CODER).mailSend({ from: CODER, to: 'user', body: 'hello' })
  await expect(mail).rejects.toMatchObject({ code: 'forbidden' })
  const { messages } = await inbox.mailPeek({ agent: 'user' })
  expect(messages).toMatchObject([{ id: asked.id, body: '@user which one?' }])
  const desk = await inbox.deskList({ agent: 'user' })
  expect(desk.rows).toHaveLength(1)
  const told = await inbox.workflowContextSend({
    agent: 'user',
    instance: 'pr-1',
    message: '@coder the first',
    reply_to: asked.id,
  })
  const read = await inbox.workflowContextRead({ agent: 'user', instance: 'pr-1' })
  expect(read.entries.map(({ from }) => from)).toEqual(['system', 'coder', 'user'])
  expect(read.entries.at(-1)).toMatchObject({ id: told.id, reply_to: asked.id })
  expect(await states(world)).toEqual(['2 user acted', '3 coder@pr-1 queued'])
})

behaves('channel/retry', async (world) => {
  await beginIn(world)
  const inbox = world.as(REVIEWER)
  const words = { agent: REVIEWER, message: '@coder now', idempotency_key: 'once' }
  const first = await inbox.workflowContextSend(words)
  expect(await inbox.workflowContextSend(words)).toEqual(first)
  expect(await states(world)).toEqual(['2 coder@pr-1 queued'])
  const ack = { agent: CODER, until: first.id, idempotency_key: 'ack' }
  expect(await world.as(CODER).workflowContextAck(ack)).toMatchObject({ acknowledged: 1 })
  expect(await world.as(CODER).workflowContextAck(ack)).toMatchObject({ acknowledged: 1 })
  expect(await states(world)).toEqual(['2 coder@pr-1 read'])
})

behaves('channel/read', async (world) => {
  await beginIn(world)
  const inbox = world.as(REVIEWER)
  const ids: string[] = []
  for (let n = 1; n <= 4; n++) {
    await world.clock.advance(60)
    const said = { agent: REVIEWER, message: `@coder ${n}` }
    ids.push((await inbox.workflowContextSend(said)).id)
  }
  const agent = CODER
  const coder = world.as(CODER)
  const last = await coder.workflowContextRead({ agent, limit: 2 })
  expect(last).toMatchObject({ has_more: true, run: 1, entries: [{ seq: 4 }, { seq: 5 }] })
  const all = await coder.workflowContextRead({ agent })
  expect(all.has_more).toBe(false)
  expect(all.entries.map(({ message }) => message)).toEqual([
    'Workflow started',
    '@coder 1',
    '@coder 2',
    '@coder 3',
    '@coder 4',
  ])
  const after = await coder.workflowContextRead({ agent, since: ids[0] as string, limit: 2 })
  expect(after).toMatchObject({ has_more: true, entries: [{ id: ids[1] }, { id: ids[2] }] })
  const since = all.entries[3]?.timestamp as string
  const later = await coder.workflowContextRead({ agent, since })
  expect(later.entries).toMatchObject([{ id: ids[3] }])
  const none = await coder.workflowContextRead({ agent, since: ids[3] as string })
  expect(none.entries).toEqual([])
  expect(world.exitOf(none)).toBe(10)
  const odd = coder.workflowContextRead({ agent, since: 'yesterday' })
  await expect(odd).rejects.toMatchObject({ code: 'invalid_input' })
  const other = coder.workflowContextRead({ agent, since: 'msg_0000000000000000000000000' })
  await expect(other).rejects.toMatchObject({ code: 'not_found' })
  expect(await states(world)).toEqual([2, 3, 4, 5].map((seq) => `${seq} coder@pr-1 queued`))
})

behaves('channel/ack-read', async (world) => {
  await beginIn(world)
  const inbox = world.as(REVIEWER)
  for (const n of [1, 2, 3]) {
    await inbox.workflowContextSend({ agent: REVIEWER, message: `@coder ${n}` })
  }
  const read = { agent: CODER, limit: 2, ack: true }
  await world.as(CODER).workflowContextRead(read)
  const expected = ['2 coder@pr-1 queued', '3 coder@pr-1 read', '4 coder@pr-1 read']
  await until(async () => (await states(world)).join() === expected.join(), 'two are read')
})

behaves('channel/peek', async (world) => {
  await beginIn(world)
  const agent = CODER
  expect((await world.inbox.workflowContextInboxPeek({ agent })).messages).toEqual([])
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@coder look' })
  const before = await world.sql('select max(event_id) as last from events')
  const { entries } = await world.inbox.workflowContextPeek({ agent, limit: 1 })
  expect(entries).toMatchObject([{ message: '@coder look', from: 'reviewer' }])
  const { messages, unread } = await world.inbox.workflowContextInboxPeek({ agent })
  expect([messages.length, unread]).toEqual([1, 1])
  expect(await world.sql('select max(event_id) as last from events')).toEqual(before)
})

behaves('channel/inbox', async (world) => {
  await beginIn(world)
  const agent = CODER
  const coder = world.as(CODER)
  expect((await coder.workflowContextInbox({ agent })).messages).toEqual([])
  const one = { agent: REVIEWER, message: '@coder @user this is urgent' }
  const { id } = await world.as(REVIEWER).workflowContextSend(one)
  await world.inbox.mailSend({
    from: 'user',
    to: CODER,
    type: 'question',
    subject: 'When?',
    body: 'By noon?',
  })
  const { messages, unread } = await coder.workflowContextInbox({ agent })
  expect(unread).toBe(2)
  expect(messages).toMatchObject([
    { entry: { id, from: 'reviewer', mentions: ['coder', 'user'] }, priority: 'high' },
    {
      unread: true,
      priority: 'normal',
      entry: { from: 'user', message: 'When?\n\nBy noon?', mentions: [], type: 'question' },
    },
  ])
  const shown = ['2 coder@pr-1 presented', '2 user queued', '1 coder@pr-1 presented']
  await until(async () => (await states(world)).join() === shown.join(), 'both are presented')
  // Both were shown but not acknowledged, so both are returned again.
  expect((await coder.workflowContextInbox({ agent })).messages).toHaveLength(2)
  const letter = messages[1]?.entry.id as string
  expect(await coder.workflowContextAck({ agent, until: letter })).toMatchObject({
    acknowledged: 2,
    unread: 0,
  })
  const none = await coder.workflowContextInbox({ agent })
  expect(none.messages).toEqual([])
  expect(world.exitOf(none)).toBe(10)
})

behaves('channel/wait', async (world) => {
  await beginIn(world)
  const agent = CODER
  const waiting = world.as(CODER).workflowContextInbox({ agent, timeout_seconds: 30 })
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@user hello' })
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@coder go' })
  expect((await waiting).messages).toMatchObject([{ entry: { message: '@coder go' } }])
})

behaves('channel/ack', async (world) => {
  const { instance } = await beginIn(world)
  const agent = CODER
  const coder = world.as(CODER)
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const said = { agent: REVIEWER, message: `@coder ${n}` }
    ids.push((await world.as(REVIEWER).workflowContextSend(said)).id)
  }
  const [first, second] = ids as [string, string]
  expect(await coder.workflowContextAck({ agent, until: first })).toMatchObject({ unread: 2 })
  // All of them arrived in the same millisecond, and none of the remaining ones was shown.
  const until = world.clock.now()
  expect(await coder.workflowContextAck({ agent, until })).toMatchObject({ acknowledged: 0 })
  await world.clock.advance(1)
  const later = world.clock.now()
  expect(await coder.workflowContextAck({ agent, until: second })).toMatchObject({ unread: 1 })
  expect(await coder.workflowContextAck({ agent, until: later })).toMatchObject({ unread: 0 })
  expect(await states(world)).toEqual([2, 3, 4].map((seq) => `${seq} coder@pr-1 read`))
  // If the entry isn't for the agent, only the entry's time matters.
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@coder 4' })
  await world.clock.advance(1)
  const other = await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: 'So.' })
  expect(await coder.workflowContextAck({ agent, until: other.id })).toMatchObject({ unread: 0 })
  const unknown = coder.workflowContextAck({ agent, until: instance.thread_id })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  const odd = coder.workflowContextAck({ agent, until: 'all' })
  await expect(odd).rejects.toMatchObject({ code: 'invalid_input' })
})

behaves('channel/acted', async (world) => {
  await beginIn(world)
  const one = { agent: REVIEWER, message: '@coder one' }
  const { id } = await world.as(REVIEWER).workflowContextSend(one)
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@coder two' })
  const coder = world.as(CODER)
  await coder.workflowContextInbox({ agent: CODER })
  const shown = ['2 coder@pr-1 presented', '3 coder@pr-1 presented']
  await until(async () => (await states(world)).join() === shown.join(), 'both are presented')
  await coder.workflowContextSend({ agent: CODER, message: 'I am at it' })
  expect(await states(world)).toEqual(shown)
  await coder.workflowContextSend({ agent: CODER, message: 'One is done', reply_to: id })
  expect(await states(world)).toEqual(['2 coder@pr-1 acted', '3 coder@pr-1 presented'])
})

behaves('channel/team', async (world) => {
  await beginIn(world)
  await world.inbox.agentStatus({ agent: REVIEWER, status: 'off' })
  const team = await world.as(CODER).workflowContextTeam({ agent: CODER })
  expect(team).toMatchObject({ workflow: 'review', instance: 'pr-1', run: 1, state: 'running' })
  expect(team.members).toMatchObject([
    { name: 'reviewer', agent_id: REVIEWER, backend: 'command', status: 'off' },
    { name: 'coder', agent_id: CODER, status: 'idle' },
  ])
  const person = await world.inbox.workflowContextTeam({ agent: 'user', instance: 'pr-1' })
  expect(person.members).toEqual(team.members)
})

behaves('channel/no-action', async (world) => {
  await beginIn(world)
  await world.as(REVIEWER).workflowContextSend({ agent: REVIEWER, message: '@coder look' })
  const before = await world.sql('select max(event_id) as last from events')
  const noted = await world.as(CODER).workflowContextNoAction({ agent: CODER, reason: 'not mine' })
  expect(noted).toEqual({ instance: 'pr-1', reason: 'not mine' })
  expect(await world.sql('select max(event_id) as last from events')).toEqual(before)
  expect(await states(world)).toEqual(['2 coder@pr-1 queued'])
  const person = world.inbox.workflowContextNoAction({ agent: 'user' })
  await expect(person).rejects.toMatchObject({ code: 'invalid_input' })
})
