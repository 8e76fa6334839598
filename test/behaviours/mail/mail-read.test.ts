// Reading mail: what is shown to whom, and what it reveals about the reader.
import { expect } from 'bun:test'
import { startInbox } from '../../faults/inbox.ts'
import { behaves } from '../../worlds/behaves.ts'
import { ids, known, mail, states } from '../../worlds/mails.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import type { World } from '../../worlds/world.ts'

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
  // An agent that claims a task has acted on it and on what it was shown.
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
  // The presentation is recorded after the response, and at the latest before the caller's next call.
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
  // Only the first presentation is recorded.
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
  // It is known now, so it can be written to.
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
  // ann was already known and has a cursor past those messages when another agent gives it the role.
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
    // Dormant without a wake command, so it doesn't take over mail before it reads.
    await world.as(name).agentRegister({ status: 'dormant' })
    await world.as('lead').agentRegister({ agent: name, role: 'builder' })
  }
  expect(await states(world, 'role:builder')).toHaveLength(8)
  const read = await Promise.all(names.map((name) => world.as(name).mailRead({})))
  expect(read.flatMap(ids).sort()).toEqual(sent.sort())
  expect(await logAgrees(world)).toBe(true)
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

/** Blocks all other writers until it is released. Reads still work. */
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

behaves('mail-read/count', async (world) => {
  await known(world, 'worker')
  const first = await mail(world)
  // Insert a thousand more without making a thousand calls, because only their number matters here.
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
