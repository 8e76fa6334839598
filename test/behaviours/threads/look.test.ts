import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, take, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'

behaves('list/order', async (world) => {
  const one = await task(world)
  await world.clock.advance(1)
  const two = await task(world)
  await world.clock.advance(1)
  const three = await task(world)
  await world.clock.advance(1)
  await take(world, one, 'worker')
  const { threads } = await world.inbox.list({})
  expect(threads.map((thread) => thread.thread_id)).toEqual([one, three, two])
})

behaves('list/agent', async (world) => {
  const made = await task(world, { from: 'ann', to: 'bob' })
  await world.clock.advance(1)
  const given = await task(world, { from: 'bob', to: 'ann' })
  await world.clock.advance(1)
  const both = await task(world, { from: 'ann', to: 'ann' })
  await task(world, { from: 'bob', to: 'cid' })
  const { threads } = await world.inbox.list({ agent: 'ann' })
  expect(threads.map((thread) => thread.thread_id)).toEqual([both, given, made])
})

behaves('list/filters', async (world) => {
  const one = await task(world, { from: 'ann', to: 'bob' })
  await world.clock.advance(1)
  const two = await task(world, { from: 'ann', to: 'cid' })
  await world.clock.advance(1)
  const three = await task(world, { from: 'bob', to: 'cid' })
  await world.clock.advance(1)
  await take(world, three, 'cid')
  const ids = async (filter: Parameters<typeof world.inbox.list>[0]) =>
    (await world.inbox.list(filter)).threads.map((thread) => thread.thread_id)
  expect(await ids({ status: ['pending'] })).toEqual([two, one])
  expect(await ids({ status: ['pending', 'claimed'] })).toEqual([three, two, one])
  expect(await ids({ status: ['done'] })).toEqual([])
  expect(await ids({ created_by: 'ann' })).toEqual([two, one])
  expect(await ids({ assigned_to: 'cid' })).toEqual([three, two])
  expect(await ids({ created_by: 'ann', assigned_to: 'cid' })).toEqual([two])
  expect(await ids({ agent: 'cid', created_by: 'ann' })).toEqual([two])
  expect(await ids({ agent: 'bob', assigned_to: 'cid', status: ['claimed'] })).toEqual([three])
  await refused(world.inbox.list({ status: ['open' as 'done'] }), 'invalid_input')
})

behaves('list/limit', async (world) => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    ids.unshift(await task(world))
    await world.clock.advance(1)
  }
  const { threads } = await world.inbox.list({ limit: 3 })
  expect(threads.map((thread) => thread.thread_id)).toEqual(ids.slice(0, 3))
  await refused(world.inbox.list({ limit: 0 }), 'invalid_input')
  await refused(world.inbox.list({ limit: 501 }), 'invalid_input')
})

behaves('list/pages', async (world) => {
  const { inbox } = world
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    // Some are created at the same moment.
    if (i % 3 === 0) await world.clock.advance(1)
    ids.push(await task(world, { to: `worker-${i % 2}` }))
  }
  const all: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await inbox.list({ limit: 3, before })
    all.push(...page.threads.map(({ thread_id }) => thread_id))
    // A thread that becomes active again moves to the top, and isn't listed twice.
    await world.clock.advance(1)
    await inbox.send({ from: 'lead', thread: all[0] as string, summary: 'More' })
    if (page.next_before === null) break
    before = page.next_before
  }
  expect(all.toSorted()).toEqual(ids.toSorted())
  await refused(inbox.list({ before: 'somewhere' }), 'invalid_input')

  expect(await inbox.fetch({ agent: 'worker-0', limit: 3 })).toMatchObject({ has_more: true })
  expect(await inbox.fetch({ agent: 'worker-0', limit: 4 })).toMatchObject({ has_more: false })

  const names: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await inbox.agentList({ limit: 2, after })
    names.push(...page.agents.map(({ agent_id }) => agent_id))
    if (page.next_after === null) break
    after = page.next_after
  }
  expect(names).toEqual(['lead', 'worker-0', 'worker-1'])

  const sent: string[] = []
  for (let i = 0; i < 5; i++) {
    const { message } = await inbox.mailSend({ from: 'worker-0', to: 'lead', body: `Word ${i}` })
    sent.push(message?.id as string)
  }
  const told: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await inbox.mailReceipts({ agent: 'worker-0', limit: 2, before })
    told.unshift(...page.messages.map(({ id }) => id))
    if (page.next_before === null) break
    before = page.next_before
  }
  expect(told.toSorted()).toEqual(sent.toSorted())
})

behaves('list/text', async (world) => {
  const { inbox } = world
  const rotate = await task(world, { subject: 'Rotate the KEY 100%_' })
  await world.clock.advance(1)
  await task(world, { subject: 'Something else' })
  await world.clock.advance(1)
  const keyed = await task(world, { to: 'keymaster', subject: 'Plain' })
  const found = async (text: string) => {
    const { threads, ...rest } = await inbox.list({ text })
    expect(rest).toMatchObject({ cut: false, has_more: false, next_before: null })
    return threads.map(({ thread_id }) => thread_id)
  }
  expect(await found('key')).toEqual([keyed, rotate])
  expect(await found('Rotate the key')).toEqual([rotate])
  // Pattern characters have no special meaning.
  expect(await found('100%_')).toEqual([rotate])
  expect(await found('1__%')).toEqual([])
  const first = await inbox.list({ text: 'key', limit: 1 })
  expect(first.has_more).toBe(true)
  const before = first.next_before as string
  const { threads } = await inbox.list({ text: 'key', limit: 1, before })
  expect(threads.map(({ thread_id }) => thread_id)).toEqual([rotate])
  await refused(inbox.list({ text: 'k'.repeat(201) }), 'invalid_input')
})

behaves('list/blocked-on', async (world) => {
  const { inbox } = world
  const mine: string[] = []
  for (let at = 0; at < 3; at++) {
    const thread = await task(world, { from: 'ann', to: 'bob' })
    await take(world, thread, 'bob')
    await inbox.update({ agent: 'bob', thread, status: 'blocked', summary: `Which ${at}?` })
    await world.clock.advance(1)
    mine.push(thread)
  }
  await task(world, { from: 'ann', to: 'bob' })
  const other = await task(world, { from: 'cid', to: 'bob' })
  await take(world, other, 'bob')
  await inbox.update({ agent: 'bob', thread: other, status: 'blocked', summary: 'And this?' })
  const ids = async (filter: Parameters<typeof inbox.list>[0]) =>
    (await inbox.list(filter)).threads.map(({ thread_id }) => thread_id)
  expect(await ids({ blocked_on: 'ann' })).toEqual(mine.toReversed())
  expect(await ids({ blocked_on: 'ann', oldest_first: true })).toEqual(mine)
  const first = await inbox.list({ blocked_on: 'ann', oldest_first: true, limit: 2 })
  const before = first.next_before as string
  expect(await ids({ blocked_on: 'ann', oldest_first: true, before })).toEqual(mine.slice(2))
  await inbox.reply({ from: 'ann', thread: mine[0] as string, body: 'This one' })
  expect(await ids({ blocked_on: 'ann', oldest_first: true })).toEqual(mine.slice(1))
  await refused(inbox.list({ blocked_on: 'ann', status: ['done'] }), 'invalid_input')
  await refused(inbox.list({ blocked_on: 'ann', created_by: 'ann' }), 'invalid_input')
})

behaves('list/standing', async (world) => {
  const { inbox } = world
  const free = await task(world, { from: 'ann', to: 'bob' })
  const busy = await task(world, { from: 'ann', to: 'cid' })
  await take(world, busy, 'cid')
  const asking = await task(world, { from: 'ann', to: 'dan' })
  await take(world, asking, 'dan')
  await inbox.update({ agent: 'dan', thread: asking, status: 'blocked', summary: 'Which?' })
  const { threads, counts } = await inbox.list({ standing: true })
  const of = (id: string) => threads.find(({ thread_id }) => thread_id === id)
  expect(of(free)).toMatchObject({ lease: null, question: null })
  expect(of(busy)).toMatchObject({ lease: { agent: 'cid', live: true }, question: null })
  const question = { from_agent: 'dan', summary: 'Which?' }
  expect(of(asking)).toMatchObject({ lease: { agent: 'dan', live: true }, question })
  expect(JSON.stringify(threads)).not.toContain('lease_token')
  expect(counts).toMatchObject({ pending: 1, claimed: 1, in_progress: 0, blocked: 1, done: 0 })
  await inbox.reply({ from: 'ann', thread: asking, body: 'This one' })
  const after = await inbox.list({ standing: true, agent: 'dan' })
  expect(after.threads).toMatchObject([{ thread_id: asking, question: null }])
  expect(after.counts).toMatchObject({ pending: 0, claimed: 0, in_progress: 1, blocked: 0 })
  // Work that an agent made for itself counts once.
  await task(world, { from: 'dan', to: 'dan' })
  const own = await inbox.list({ standing: true, agent: 'dan' })
  expect(own.counts).toMatchObject({ pending: 1, in_progress: 1 })
  expect((await inbox.list({})).counts).toBeUndefined()
})

behaves('list/empty', async (world) => {
  const answer = await world.inbox.list({ agent: 'nobody' })
  expect(answer).toEqual({ threads: [], has_more: false, next_before: null, next_event_id: 0 })
  expect(world.exitOf(answer)).toBe(0)
})

behaves('list/bad-input', async (world) => {
  const lead = world.as('lead')
  const status = ['nonsense'] as unknown as ['pending']
  await refused(lead.list({ agent: 'lead', status }), 'invalid_input')
  await refused(lead.list({ agent: 'lead', limit: 0 }), 'invalid_input')
  await refused(lead.list({ agent: 'lead', limit: 501 }), 'invalid_input')
})

behaves('list/not-who-calls', async (world) => {
  const thread = await task(world)
  const { threads } = await world.as('stranger').list({})
  expect(threads.map((one) => one.thread_id)).toEqual([thread])
})

behaves('show/history', async (world) => {
  const { thread } = await blocked(world)
  const artifacts = [{ path: 'a', kind: 'file', metadata_json: '{"n":1}' }]
  await world.inbox.reply({ from: 'lead', thread, summary: 'PEG', artifacts })
  await world.inbox.update({ agent: 'worker', thread, status: 'in_progress', summary: 'Fine' })
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  const shown = await world.inbox.show({ thread })
  const said = shown.messages.map(({ seq, from_agent, kind, summary }) => [
    seq,
    from_agent,
    kind,
    summary,
  ])
  expect(said).toEqual([
    [1, 'lead', 'task', 'Build the parser'],
    [2, 'worker', 'event', 'thread claimed'],
    [3, 'worker', 'question', 'Which grammar?'],
    [4, 'lead', 'answer', 'PEG'],
    [5, 'worker', 'progress', 'Fine'],
    [6, 'worker', 'result', 'Built'],
  ])
  expect(shown.messages.map((message) => message.artifacts.length)).toEqual([0, 0, 0, 1, 0, 0])
  expect(shown.messages[3]?.artifacts[0]).toMatchObject({ path: 'a', metadata_json: { n: 1 } })
  expect(shown.thread.latest_message_id).toBe(shown.messages[5]?.message_id as string)
})

behaves('show/unknown', async ({ inbox }) => {
  const no = await refused(inbox.show({ thread: 'thr_none' }), 'not_found')
  expect(no.details).toEqual({ thread_id: 'thr_none' })
  const marking = { thread: 'thr_none', agent: 'worker', mark_read: true }
  await refused(inbox.show(marking), 'not_found')
})

behaves('show/lease', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  const shown = await world.inbox.show({ thread })
  expect(shown.lease).toEqual({
    agent: 'worker',
    generation: 1,
    claimed_at: '2026-03-01T08:00:00.000Z',
    expires_at: '2026-03-01T08:01:00.000Z',
    live: true,
  })
  expect(JSON.stringify(shown)).not.toContain(token)
  await world.clock.advance(60)
  expect((await world.inbox.show({ thread })).lease).toMatchObject({ live: false })
})

behaves('show/changes-nothing', async (world) => {
  const { thread } = await held(world)
  const before = await everything(world)
  await world.inbox.show({ thread })
  await world.inbox.show({ thread, agent: 'worker' })
  expect(await everything(world)).toEqual(before)
})

behaves('show/mark-read', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'More' })
  const marks = () =>
    world.sql(
      'select agent_id, last_read_message_id, last_read_seq, last_read_at from thread_reads',
    )
  const mark = (agent: string) => world.inbox.show({ thread, agent, mark_read: true })
  const { messages, next_event_id } = await mark('worker')
  const [, second] = messages
  const read = {
    agent_id: 'worker',
    last_read_message_id: second?.message_id as string,
    last_read_seq: 2,
    last_read_at: DAWN,
  }
  expect(await marks()).toEqual([read])
  expect(next_event_id).toBe((await world.inbox.list({})).next_event_id)
  // There is nothing new, so the read mark and its time don't change.
  await world.clock.advance(60)
  await mark('worker')
  expect(await marks()).toEqual([read])
  await world.inbox.send({ from: 'lead', thread, summary: 'Yet more' })
  await world.as('worker').show({ thread, mark_read: true })
  expect(await marks()).toMatchObject([{ agent_id: 'worker', last_read_seq: 3 }])
  await mark('lead')
  expect(await marks()).toHaveLength(2)
})

behaves('show/mail-of-others', async (world) => {
  for (const agent of ['lead', 'worker', 'nosy']) await world.as(agent).agentRegister({})
  await world.as('boss').agentRegister({ role: 'orchestrator' })
  const { message } = await world.as('lead').mailSend({ to: 'worker', body: 'Between us' })
  const thread = message?.thread_id as string
  const before = await everything(world)
  // For other agents the thread doesn't exist, because mail is between its two parties.
  await refused(world.as('nosy').show({ thread }), 'not_found')
  await refused(world.as('nosy').show({ thread, mark_read: true }), 'not_found')
  expect(await everything(world)).toEqual(before)
  for (const reader of ['lead', 'worker', 'boss', 'user']) {
    const { messages } = await world.as(reader).show({ thread })
    expect(messages.map(({ body }) => body)).toEqual(['Between us'])
  }
  expect((await world.inbox.show({ thread })).messages).toHaveLength(1)
  // Any agent that knows the id of a piece of work can see it, since it could also claim it by that id.
  const work = await task(world)
  expect((await world.as('nosy').show({ thread: work })).messages).toHaveLength(1)
})

behaves('show/mark-needs-agent', async (world) => {
  const thread = await task(world)
  await refused(world.inbox.show({ thread, mark_read: true }), 'invalid_input')
  expect(await world.sql('select * from thread_reads')).toEqual([])
})

behaves('status/counts', async (world) => {
  await task(world)
  await held(world)
  await blocked(world)
  const { thread } = await held(world)
  await world.inbox.done({ agent: 'worker', thread, summary: 'Done' })
  const cancelled = await task(world)
  const { next_event_id } = await world.inbox.cancel({ agent: 'lead', thread: cancelled })
  const status = await world.inbox.status({})
  expect(status.counts).toEqual({
    threads: {
      pending: 1,
      claimed: 1,
      in_progress: 0,
      blocked: 1,
      done: 1,
      failed: 0,
      cancelled: 1,
    },
    messages: 11,
    // Two of these events registered the agents.
    events: 13,
  })
  expect(status).toMatchObject({ now: DAWN, next_event_id })
})

behaves('status/attention', async (world) => {
  const empty = await world.inbox.status({})
  expect(empty).toMatchObject({ oldest_pending: null, blocked: [], leases: [] })
  const oldest = await task(world)
  await world.clock.advance(1)
  await task(world, { priority: 'high' })
  const asked = await world.clock.advance(1)
  const { thread: asking } = await blocked(world)
  const { thread: brief } = await held(world, 'worker', 60)
  await world.clock.advance(30)
  const status = await world.inbox.status({})
  expect(status.oldest_pending?.thread_id).toBe(oldest)
  expect(status.blocked).toMatchObject([
    { thread: { thread_id: asking }, question: 'Which grammar?', asked_at: asked },
  ])
  expect(status.leases.map(({ thread, live }) => [thread.thread_id, live])).toEqual([
    [brief, true],
    [asking, true],
  ])
  expect((await world.inbox.status({ limit: 1 })).leases).toHaveLength(1)
})

behaves('status/you', async (world) => {
  const lying = await task(world)
  await world.clock.advance(1)
  const own = await task(world, { from: 'user', subject: 'Write the page' })
  await take(world, own, 'worker')
  const asked = await world.clock.advance(1)
  const question = { status: 'blocked', summary: 'Which colour?' } as const
  await world.inbox.update({ agent: 'worker', thread: own, ...question })
  const { you, pending, leases, counts_cut } = await world.as('user').status({})
  expect(you).toEqual({
    name: 'user',
    unread: 1,
    wants: [
      {
        thread_id: own,
        what: 'question',
        title: 'Which colour?',
        from: 'worker',
        at: asked,
        expires_at: null,
        request_type: null,
      },
    ],
    wants_more: false,
  })
  expect(pending.map(({ thread_id }) => thread_id)).toEqual([lying])
  expect(leases.map(({ agent, claimed_at }) => [agent, claimed_at < asked])).toEqual([
    ['worker', true],
  ])
  expect(counts_cut).toBe(false)
  expect((await world.as('lead').status({})).you).toMatchObject({ name: 'lead', wants: [] })
})
