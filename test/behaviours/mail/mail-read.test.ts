import { expect } from 'bun:test'
import { startInbox } from '../../faults/inbox.ts'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import { until, type World } from '../../worlds/world.ts'

type Sending = Parameters<World['inbox']['mailSend']>[0]

/** Agents that are known and were just seen. */
async function known(world: World, ...names: string[]): Promise<void> {
  for (const agent of names) await world.as(agent).agentRegister({})
}

async function mail(world: World, input: Partial<Sending> = {}): Promise<string> {
  const { message } = await world.inbox.mailSend({
    from: 'lead',
    to: 'worker',
    subject: 'News',
    ...input,
  })
  return message?.id as string
}

async function states(world: World, recipient: string): Promise<unknown[]> {
  const rows = await world.sql(
    'select state from deliveries where recipient = ? order by event_id',
    recipient,
  )
  return rows.map(({ state }) => state)
}

const ids = ({ messages }: { messages: { id: string }[] }) => messages.map(({ id }) => id)

behaves('mail-read/own', async (world) => {
  await known(world, 'worker', 'other')
  const first = await mail(world, {
    type: 'question',
    body: 'Which?',
    metadata: '{"a":[1]}',
    issue: 'ISS-1',
  })
  const second = await mail(world)
  await mail(world, { to: 'other' })
  const answer = await world.as('worker').mailRead({})
  expect(ids(answer)).toEqual([first, second])
  const [one] = answer.messages
  expect(one).toMatchObject({
    id: first,
    type: 'question',
    from: 'agent:lead',
    to: 'agent:worker',
    subject: 'News',
    body: 'Which?',
    metadata: { a: [1] },
    issue_id: 'ISS-1',
    read: false,
    state: 'queued',
    created_at: DAWN,
  })
  expect(answer).toMatchObject({ unread: 2, has_more: false })
  expect(world.exitOf(answer)).toBe(0)
  await world.inbox.mailMarkRead({ agent: 'worker', messages: [first] })
  expect(ids(await world.inbox.mailRead({ agent: 'worker' }))).toEqual([second])
})

behaves('mail-read/work', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'And soon' })
  const reader = world.as('worker')
  const { messages } = await reader.mailRead({})
  expect(messages).toMatchObject([
    { type: 'task-assigned', subject: 'Build the parser', thread_id: thread },
    { type: 'status', subject: 'And soon', thread_id: thread },
  ])
  // An agent that claims has acted on the task and on what it was shown.
  await reader.list({})
  await world.inbox.claim({ agent: 'worker', thread })
  expect((await world.as('worker').mailRead({})).messages).toEqual([])
  expect(await states(world, 'worker')).toEqual(['acted', 'acted'])
})

behaves('mail-read/presents', async (world) => {
  await known(world, 'worker')
  await mail(world)
  await mail(world)
  await world.as('worker').mailRead({ limit: 1 })
  // Done once the answer is out, and at the latest before the caller's next call.
  await world.as('worker').list({})
  const rows = await world.sql(
    'select state, presented_at, presented_by, read_at from deliveries order by event_id',
  )
  expect(rows).toEqual([
    { state: 'presented', presented_at: DAWN, presented_by: world.door, read_at: null },
    { state: 'queued', presented_at: null, presented_by: null, read_at: null },
  ])
})

behaves('mail-read/again', async (world) => {
  await known(world, 'worker')
  const id = await mail(world)
  const reader = world.as('worker')
  expect((await reader.mailRead({})).messages).toMatchObject([{ id, state: 'queued' }])
  await reader.list({})
  await world.clock.advance(1)
  expect((await reader.mailRead({})).messages).toMatchObject([
    { id, state: 'presented', read: false },
  ])
  await reader.list({})
  // The first time is the one that counts.
  const [row] = await world.sql('select presented_at from deliveries')
  expect(row?.presented_at).toBe(DAWN)
  expect(
    await world.sql("select * from events where event_type = 'delivery_present'"),
  ).toHaveLength(1)
})

behaves('mail-read/all', async (world) => {
  await known(world, 'worker')
  const read = await mail(world)
  const unread = await mail(world)
  await world.inbox.mailMarkRead({ agent: 'worker', messages: [read] })
  expect(ids(await world.inbox.mailRead({ agent: 'worker' }))).toEqual([unread])
  const all = await world.inbox.mailRead({ agent: 'worker', all: true })
  expect(all.messages).toMatchObject([
    { id: read, read: true, state: 'read' },
    { id: unread, read: false },
  ])
  expect(all.unread).toBe(1)
})

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

/** Many messages of one millisecond: the store's clock stands still. Ids in order. */
async function flood(world: World, count: number): Promise<string[]> {
  const { connect } = await import('../../../src/index.ts')
  const lead = await connect(world.address, { agent: 'lead' })
  try {
    const sending = Array.from({ length: count }, (_, i) =>
      lead.mailSend({ to: 'worker', subject: `News ${i}` }),
    )
    const sent = await Promise.all(sending)
    return sent
      .sort((a, b) => a.next_event_id - b.next_event_id)
      .map(({ message }) => message?.id as string)
  } finally {
    await lead.close()
  }
}

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
  // Still the same millisecond.
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
  // The writer read the clock first and was stored last.
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
  // Parallel writers left them: stored in one order, with times of another.
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
  // The mail taken from the queue is older than mail that came before it.
  const since = messages[1]?.created_at as string
  expect(ids(await reader.mailRead({ since }))).toEqual([])
  const later = await mail(world)
  expect(ids(await reader.mailRead({ since }))).toEqual([later])
})

behaves('mail-read/bad-input', async (world) => {
  await known(world, 'worker')
  const reader = world.as('worker')
  const bad = [
    ['since', 'yesterday'],
    ['since', '2026-13-01T00:00:00Z'],
    ['since', '2026-03-01T08:00:00'],
    ['since', '-1'],
    ['since', '999999'],
    ['to', 'broadcast'],
    ['to', '@team'],
    ['to', 'a b'],
    ['timeout_seconds', '-1'],
  ] as const
  for (const [field, value] of bad) {
    await refused(reader.mailRead({ [field]: value }), 'invalid_input')
    if (field !== 'timeout_seconds') {
      await refused(reader.mailPeek({ [field]: value }), 'invalid_input')
    }
  }
  await refused(world.inbox.mailRead({}), 'invalid_input')
})

behaves('mail-read/anothers', async (world) => {
  await known(world, 'worker', 'other')
  await world.as('boss').agentRegister({ role: 'orchestrator' })
  const id = await mail(world)
  await refused(world.as('other').mailRead({ to: 'worker' }), 'forbidden')
  await refused(world.as('other').mailPeek({ to: 'agent:worker' }), 'forbidden')
  await refused(world.as('other').mailRead({ to: 'user' }), 'forbidden')
  const before = await everything(world)
  for (const reader of ['boss', 'user', 'user:ann']) {
    for (const to of ['worker', 'agent:worker']) {
      expect(ids(await world.as(reader).mailRead({ to }))).toEqual([id])
    }
    await refused(world.as(reader).mailRead({ to: 'nobody' }), 'not_found')
    await refused(world.as(reader).mailRead({ to: 'user:nobody' }), 'not_found')
  }
  expect((await world.as('user').mailRead({ to: 'orchestrator' })).messages).toEqual([])
  expect(await everything(world)).toEqual(before)
  expect(ids(await world.as('worker').mailRead({ to: 'agent:worker' }))).toEqual([id])
  await world.as('worker').list({})
  expect(await states(world, 'worker')).toEqual(['presented'])
})

behaves('mail-read/registers', async (world) => {
  await world.as('newcomer').mailRead({})
  await world.as('user').mailRead({})
  await world.as('user').list({})
  const agents = await world.sql('select agent_id, role from agents')
  expect(agents).toEqual([{ agent_id: 'newcomer', role: '' }])
  expect(await world.sql('select agent_id from sightings')).toEqual([{ agent_id: 'newcomer' }])
  // Known now, it can be written to.
  const id = await mail(world, { to: 'newcomer' })
  expect(ids(await world.as('newcomer').mailRead({}))).toEqual([id])
})

behaves('mail-read/seen', async (world) => {
  const reader = world.as('worker')
  const seen = async () => {
    await reader.mailRead({})
    await reader.list({})
    return (await world.sql('select seen_at from sightings'))[0]?.seen_at
  }
  expect(await seen()).toBe(DAWN)
  await world.clock.advance(19)
  expect(await seen()).toBe(DAWN)
  const later = await world.clock.advance(1)
  expect(await seen()).toBe(later)
})

behaves('mail-read/takes', async (world) => {
  const queued = [
    await mail(world, { to: 'role:builder', subject: 'One' }),
    await mail(world, { to: 'role:builder', subject: 'Two' }),
  ]
  const answer = await world.inbox.mailSend({
    from: 'lead',
    to: 'role:builder',
    subject: 'Three',
    in_reply_to: queued[0],
  })
  queued.push(answer.message?.id as string)
  expect(await states(world, 'role:builder')).toEqual(['queued', 'queued', 'queued'])
  // Known before, and far past those messages: another gave it the role.
  const { next_event_id } = await world.inbox.agentRegister({ agent: 'ann', status: 'off' })
  await world.as('lead').agentRegister({ agent: 'ann', role: 'builder' })
  await world.as('user').agentStatus({ agent: 'ann', status: 'dormant' })
  expect(await states(world, 'role:builder')).toHaveLength(3)
  const read = await world.as('ann').mailRead({ since: String(next_event_id) })
  expect(ids(read)).toEqual(queued)
  expect(await states(world, 'role:builder')).toEqual([])
  await world.as('bob').agentRegister({ role: 'builder' })
  expect((await world.as('bob').mailRead({})).messages).toEqual([])
  expect(await logAgrees(world)).toBe(true)
})

behaves('mail-read/taken-once', async (world) => {
  const sent: string[] = []
  for (let i = 0; i < 8; i++) sent.push(await mail(world, { to: 'role:builder', subject: `${i}` }))
  const names = ['ann', 'bob', 'cid', 'dan']
  for (const name of names) {
    // Asleep and not to be woken: nothing is taken for it before it reads.
    await world.as(name).agentRegister({ status: 'dormant' })
    await world.as('lead').agentRegister({ agent: name, role: 'builder' })
  }
  expect(await states(world, 'role:builder')).toHaveLength(8)
  const read = await Promise.all(names.map((name) => world.as(name).mailRead({})))
  expect(read.flatMap(ids).sort()).toEqual(sent.sort())
  expect(await logAgrees(world)).toBe(true)
})

behaves('mail-read/empty', async (world) => {
  await known(world, 'worker')
  const { next_event_id } = await world.inbox.list({})
  for (const timeout_seconds of [undefined, 0]) {
    const answer = await world.as('worker').mailRead({ timeout_seconds })
    expect(answer).toEqual({ messages: [], unread: 0, next_event_id, has_more: false })
    expect(world.exitOf(answer)).toBe(10)
  }
})

behaves('mail-read/waits', async (world) => {
  await known(world, 'worker')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(() => isWaiting(world), 'the reader waits')
  const id = await mail(world)
  const answer = await reading
  expect(ids(answer)).toEqual([id])
  expect(world.exitOf(answer)).toBe(0)
  // Past a cursor, what is there already is no reason to return.
  const since = String(answer.next_event_id)
  const again = world.as('worker').mailRead({ timeout_seconds: 240, since })
  await until(() => isWaiting(world), 'the reader waits again')
  const next = await mail(world)
  expect(ids(await again)).toEqual([next])
})

behaves('mail-read/waits-new', async (world) => {
  await known(world, 'worker')
  const old = await mail(world)
  const worker = world.as('worker')
  expect(ids(await worker.mailRead({ timeout_seconds: 60 }))).toEqual([old])
  await worker.list({})
  // A reader in a loop is given an answer once for each that is new, and not as fast as it can.
  const answers: string[][] = []
  const reads = async (last: () => string | undefined) => {
    for (;;) {
      const found = ids(await worker.mailRead({ timeout_seconds: 240 }))
      answers.push(found)
      await worker.list({})
      if (found.at(-1) === last()) return
    }
  }
  let fresh: string | undefined
  const reading = reads(() => fresh)
  await until(() => isWaiting(world), 'the reader waits')
  fresh = await mail(world)
  await reading
  expect(answers).toEqual([[old, fresh]])
})

behaves('mail-read/waits-in-vain', async (world) => {
  await known(world, 'worker')
  const worker = world.as('worker')
  const shown = [await mail(world), await mail(world)]
  await worker.mailRead({})
  await worker.list({})
  const inVain = await worker.mailRead({ timeout_seconds: 1 })
  expect(inVain).toMatchObject({ messages: [], unread: 2, has_more: false })
  expect(world.exitOf(inVain)).toBe(10)
  // A cursor stays before what was not listed.
  const since = '0'
  expect(await worker.mailRead({ timeout_seconds: 1, since })).toMatchObject({ next_event_id: 0 })
  expect(ids(await worker.mailRead({}))).toEqual(shown)
})

behaves('mail-read/waits-full', async (world) => {
  await known(world, 'worker')
  const worker = world.as('worker')
  const old = [await mail(world), await mail(world), await mail(world)]
  await worker.mailRead({})
  await worker.list({})
  const reading = worker.mailRead({ timeout_seconds: 240, limit: 2 })
  await until(() => isWaiting(world), 'the reader waits')
  const fresh = await mail(world)
  expect(ids(await reading)).toEqual([fresh])
  await worker.list({})
  expect(await worker.mailRead({ timeout_seconds: 1, limit: 2 })).toMatchObject({ messages: [] })
  expect(ids(await worker.mailRead({}))).toEqual([...old, fresh])
})

async function isWaiting(world: World): Promise<boolean> {
  const [row] = await world.sql('select waiting_until from sightings where agent_id = ?', 'worker')
  return row !== undefined && row.waiting_until !== ''
}

behaves('mail-read/timeout', async (world) => {
  await known(world, 'worker')
  const { next_event_id } = await world.inbox.list({})
  const answer = await world.as('worker').mailRead({ timeout_seconds: 1 })
  expect(answer).toEqual({ messages: [], unread: 0, next_event_id, has_more: false })
  expect(world.exitOf(answer)).toBe(10)
})

behaves('mail-read/waiting', async (world) => {
  await known(world, 'worker')
  const status = async () => (await world.inbox.agentStatus({ agent: 'worker' })).agent.status
  expect(await status()).toBe('idle')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(() => isWaiting(world), 'the reader waits')
  expect(await status()).toBe('running')
  await mail(world)
  await reading
  await world.as('worker').list({})
  expect(await status()).toBe('idle')
})

behaves('mail-read/waiting-at-once', async (world) => {
  await known(world, 'worker')
  await world.inbox.agentStatus({ agent: 'worker', status: 'dormant' })
  await world.clock.advance(1000)
  const [before] = await world.sql('select seen_at from sightings where agent_id = ?', 'worker')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(async () => {
    const [row] = await world.sql('select seen_at from sightings where agent_id = ?', 'worker')
    return row?.seen_at !== before?.seen_at
  }, 'the reader is seen')
  const sent = await world.inbox.mailSend({ from: 'lead', to: 'broadcast', body: 'All of you' })
  expect(sent.recipients).toEqual(['worker'])
  expect(ids(await reading)).toEqual([sent.message?.id as string])
})

behaves('mail-read/killed', async (world) => {
  await known(world, 'worker')
  const id = await mail(world)
  const { address, folder } = world
  const release = await holdWrites(world)
  const args = ['mail', 'read', '--json', '--agent=worker', `--db=${address}`]
  const { child, ended } = startInbox(args, { folder })
  await new Promise((answered) => child.stdout?.once('data', answered))
  child.kill('SIGKILL')
  const { signal, stdout } = await ended
  await release()
  expect(signal).toBe('SIGKILL')
  expect(ids(JSON.parse(stdout))).toEqual([id])
  expect(await states(world, 'worker')).toEqual(['queued'])
  expect((await world.as('worker').mailRead({})).messages).toMatchObject([{ id, state: 'queued' }])
})

/** Nobody else can write until it is released; reading goes on. */
async function holdWrites({ engine, address }: World): Promise<() => Promise<void>> {
  if (engine === 'sqlite') {
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(address)
    db.exec('begin immediate')
    return async () => {
      db.exec('rollback')
      db.close()
    }
  }
  const { Client } = await import('pg')
  const url = new URL(address)
  const schema = url.searchParams.get('schema')
  url.searchParams.delete('schema')
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`begin; lock table "${schema}".threads in exclusive mode`)
  return () => client.end()
}

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

behaves('mail-read/count', async (world) => {
  await known(world, 'worker')
  const first = await mail(world)
  // A thousand more, without a thousand calls: only their number matters here.
  await world.sql(
    `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at)
     select recipient, event_id + n.i, message_id, thread_id, seq, kind, state, queued_at
     from deliveries, (with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
                       select i from n) n
     where message_id = ?`,
    first,
  )
  const { unread, messages } = await world.as('worker').mailPeek({ limit: 1 })
  expect({ unread, shown: messages.length }).toEqual({ unread: 1001, shown: 1 })
  expect((await world.inbox.agentList({})).agents).toContainEqual(
    expect.objectContaining({ agent_id: 'worker', unread: 1001 }),
  )
})
