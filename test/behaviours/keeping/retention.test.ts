import { expect } from 'bun:test'
import { openMailroom } from '../../../src/bin/compose.ts'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

const HOUR = 3600
const DAY = 24 * HOUR

async function ailments(world: World) {
  const { findings } = await world.inbox.doctor({})
  return findings.filter(({ ok, check }) => !ok && check !== 'durability')
}

/** Mail from boss to ann, read by default. */
async function mail(world: World, body: string, { read = true } = {}): Promise<void> {
  await world.inbox.mailSend({ from: 'boss', to: 'ann', body })
  if (read) await world.inbox.mailMarkRead({ agent: 'ann', all: true })
}

async function bodies(world: World): Promise<string[]> {
  const text = await world.exportMail()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).body as string]))
}

async function start(world: World): Promise<void> {
  for (const agent of ['boss', 'ann']) await world.inbox.agentRegister({ agent })
}

behaves('retention/age', async (world) => {
  await start(world)
  await mail(world, 'Old')
  await world.clock.advance(DAY)
  await mail(world, 'Younger')
  await world.clock.advance(6 * DAY)
  // Mail that is exactly a week old is not yet older than a week.
  expect((await world.inbox.prune({})).removed.threads).toBe(0)
  await world.clock.advance(1)
  const pruned = await world.inbox.prune({})
  expect(pruned.removed).toMatchObject({
    threads: 1,
    messages: 1,
    kinds: { work: { threads: 0, messages: 0 }, mail: { threads: 1, messages: 1 } },
  })
  expect(pruned).toMatchObject({ mail: { messages: 1, unread: 0 }, notes: [] })
  expect(await bodies(world)).toEqual(['Younger'])
  expect((await world.inbox.prune({ mail_days: 0 })).removed.threads).toBe(1)
  expect(await bodies(world)).toEqual([])
  expect(await world.sql('select * from deliveries')).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('retention/number', async (world) => {
  await start(world)
  for (const body of ['One', 'Two', 'Three', 'Four']) {
    await world.clock.advance(1)
    await mail(world, body)
  }
  expect((await world.inbox.prune({ mail_messages: 4 })).removed.threads).toBe(0)
  const pruned = await world.inbox.prune({ mail_messages: 2 })
  expect(pruned.removed.kinds.mail).toEqual({ threads: 2, messages: 2 })
  expect(pruned.notes).toEqual([])
  expect(await bodies(world)).toEqual(['Three', 'Four'])
})

behaves('retention/read-first', async (world) => {
  await start(world)
  await mail(world, 'Read late', { read: false })
  await world.clock.advance(HOUR)
  const { message } = await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Read early' })
  await world.inbox.mailMarkRead({ agent: 'ann', messages: [message?.id ?? ''] })
  await world.clock.advance(25 * HOUR)
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  await world.inbox.prune({ mail_messages: 1 })
  expect(await bodies(world)).toEqual(['Read late'])
})

behaves('retention/unread', async (world) => {
  await start(world)
  await mail(world, 'Read')
  await mail(world, 'Unread one', { read: false })
  await world.clock.advance(1)
  await mail(world, 'Unread two', { read: false })
  // Mail that was only shown doesn't count as read.
  await world.inbox.mailRead({ agent: 'ann' })
  await world.clock.advance(365 * DAY)
  const pruned = await world.inbox.prune({ mail_messages: 1 })
  expect(pruned.removed.kinds.mail).toEqual({ threads: 1, messages: 1 })
  expect(pruned.mail).toEqual({ messages: 2, unread: 2 })
  expect(pruned.notes).toEqual([
    '2 messages of mail stay, over the limit of 1: 2 of them are unread',
    '2 threads of mail older than 7 days stay: something in them is unread, awaited, or a question without an answer',
  ])
  expect(await bodies(world)).toEqual(['Unread one', 'Unread two'])
})

behaves('retention/thread', async (world) => {
  await start(world)
  const { message } = await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Why?' })
  await world.clock.advance(8 * DAY)
  await world.inbox.mailSend({ from: 'ann', in_reply_to: message?.id ?? '', body: 'Because' })
  // The question is old and done, but its answer is neither.
  await world.inbox.prune({})
  expect(await bodies(world)).toEqual(['Why?', 'Because'])
  await world.inbox.mailMarkRead({ agent: 'boss', all: true })
  await world.inbox.prune({})
  expect(await bodies(world)).toEqual(['Why?', 'Because'])
  await world.clock.advance(8 * DAY)
  await world.inbox.prune({})
  expect(await bodies(world)).toEqual([])
})

behaves('retention/conversation', async (world) => {
  const lead = world.as('lead')
  const talk = async (notes: string[]) => {
    const { thread } = await held(world)
    const worker = { agent: 'worker', thread }
    for (const summary of notes) {
      await world.inbox.update({ ...worker, status: 'in_progress', summary })
    }
    await world.inbox.update({ ...worker, status: 'blocked', summary: 'Which?' })
    await world.inbox.reply({ from: 'lead', thread, summary: 'This' })
    await world.as('worker').waitReply({ thread })
    await world.inbox.done({ ...worker, summary: 'Built' })
    await lead.waitReply({ thread })
    await lead.list({})
    return thread
  }
  await talk([])
  const noted = await talk(['Half of it'])
  await world.clock.advance(31 * DAY)
  expect((await world.inbox.prune({})).removed.kinds.work.threads).toBe(1)
  await lead.show({ thread: noted, mark_read: true })
  expect((await world.inbox.prune({})).removed.kinds.work.threads).toBe(1)
  expect((await world.inbox.list({})).threads).toEqual([])
})

behaves('retention/awaited', async (world) => {
  await start(world)
  await mail(world, 'Why?')
  await world.clock.advance(8 * DAY)
  const ending = new AbortController()
  const waits = world.inbox.mailRead(
    { agent: 'boss', timeout_seconds: 240 },
    { signal: ending.signal },
  )
  await until(async () => {
    const [row] = await world.sql("select waiting_until from sightings where agent_id = 'boss'")
    return row !== undefined && row.waiting_until !== ''
  }, 'boss waits')
  expect((await world.inbox.prune({})).removed.threads).toBe(0)
  ending.abort()
  await waits.catch(() => {})
  await world.clock.advance(DAY)
  expect((await world.inbox.prune({})).removed.threads).toBe(1)
})

behaves('retention/unanswered', async (world) => {
  await start(world)
  const asking = { from: 'boss', to: 'ann', type: 'question' as const }
  const { message } = await world.inbox.mailSend({ ...asking, body: 'Which?' })
  await mail(world, 'Told')
  await world.clock.advance(8 * DAY)
  const dry = await world.inbox.prune({ dry_run: true })
  expect(dry.removed.threads).toBe(1)
  expect(dry.notes.join()).toContain('or a question without an answer')
  expect((await world.inbox.prune({ mail_messages: 0 })).removed.threads).toBe(1)
  expect(await bodies(world)).toEqual(['Which?'])
  // An answer from someone else counts too, but the sender's own follow-up messages don't.
  const answer = { in_reply_to: message?.id, to: 'boss', body: 'That' }
  await world.inbox.mailSend({ ...answer, from: 'boss', to: 'ann' })
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  await world.clock.advance(8 * DAY)
  expect((await world.inbox.prune({})).removed.threads).toBe(0)
  await world.inbox.mailSend({ ...answer, from: 'user' })
  await world.inbox.mailMarkRead({ agent: 'boss', all: true })
  await world.clock.advance(8 * DAY)
  expect((await world.inbox.prune({})).removed.threads).toBe(1)
})

behaves('retention/imported', async (world) => {
  const line = (id: string, createdAt: string, read: boolean) =>
    `${JSON.stringify({ id, type: 'question', from: 'agent:boss', to: 'agent:ann', body: id, read, createdAt })}\n`
  const week = 7 * DAY * 1000
  const now = Date.parse(world.clock.now())
  const at = (ms: number) => new Date(ms).toISOString()
  const text =
    line('msg_old', at(now - week - 1000), true) +
    line('msg_young', at(now - week + DAY * 1000), true) +
    line('msg_unread', at(now - 2 * week), false)
  await world.importLog(text, { as: 'mailbox' })
  expect((await world.inbox.prune({})).removed.messages).toBe(1)
  expect((await bodies(world)).sort()).toEqual(['msg_unread', 'msg_young'])
  await world.clock.advance(2 * DAY)
  await world.inbox.prune({})
  expect(await bodies(world)).toEqual(['msg_unread'])
  expect(await ailments(world)).toEqual([])
})

behaves('retention/receipt-awaited', async (world) => {
  await start(world)
  const ending = new AbortController()
  const waits = world.inbox.mailSend(
    { from: 'boss', to: 'ann', body: 'Why?', wait: 'acted' },
    { signal: ending.signal },
  )
  const waiting = async () => {
    const [row] = await world.sql("select waiting_until from sightings where agent_id = 'boss'")
    return row !== undefined && row.waiting_until !== ''
  }
  await until(waiting, 'boss waits')
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  expect((await world.inbox.prune({ mail_messages: 0 })).removed.threads).toBe(0)
  ending.abort()
  await waits.catch(() => {})
  await until(async () => !(await waiting()), 'boss has gone')
  expect((await world.inbox.prune({ mail_messages: 0 })).removed.threads).toBe(1)
})

behaves('retention/dry-run', async (world) => {
  await start(world)
  await mail(world, 'Old')
  const { thread } = await held(world)
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  await world.inbox.show({ thread, agent: 'lead', mark_read: true })
  await world.clock.advance(31 * DAY)
  const before = await everything(world)
  const shown = await world.inbox.prune({ dry_run: true })
  const { work, mail: letters, ...others } = shown.removed.kinds
  expect(work).toEqual({ threads: 1, messages: 3 })
  expect(letters).toEqual({ threads: 1, messages: 1 })
  for (const none of Object.values(others)) expect(none).toEqual({ threads: 0, messages: 0 })
  expect(shown.threads.map(({ kind }) => kind)).toEqual(['work', 'mail'])
  expect(await everything(world)).toEqual(before)
  expect((await world.inbox.prune({})).removed.kinds).toEqual(shown.removed.kinds)
  expect(await ailments(world)).toEqual([])
})

behaves('retention/limit', async (world) => {
  await start(world)
  for (const body of ['One', 'Two', 'Three']) {
    await world.clock.advance(1)
    await mail(world, body)
  }
  await world.clock.advance(8 * DAY)
  const first = await world.inbox.prune({ limit: 2 })
  expect(first.removed.threads).toBe(2)
  expect(first.notes).toEqual(['there may be more mail to remove than one call does; run it again'])
  expect(await bodies(world)).toEqual(['Three'])
  expect(await world.inbox.prune({ limit: 2 })).toMatchObject({
    removed: { threads: 1 },
    notes: [],
  })
})

behaves('retention/cursor', async (world) => {
  await start(world)
  await mail(world, 'Old')
  await world.clock.advance(8 * DAY)
  await mail(world, 'Young', { read: false })
  await world.inbox.prune({})
  const [row] = await world.sql(`select value from settings where name = 'event_floor'`)
  const floor = Number(row?.value)
  expect(floor).toBeGreaterThan(1)
  const looks = (cursor: number) => {
    const since = String(cursor)
    return [
      () => world.inbox.mailRead({ agent: 'ann', since }),
      () => world.inbox.mailPeek({ agent: 'ann', since, all: true }),
      () => world.inbox.mailHistory({ agent: 'user', since }),
      () => world.exportLog({ as: 'mailbox', after_event: cursor }),
    ]
  }
  for (const look of [...looks(0), ...looks(floor - 1)]) {
    const no = await refused(look(), 'cursor_expired')
    expect(no.details).toEqual({ floor })
  }
  for (const look of looks(floor)) expect(JSON.stringify(await look())).toContain('Young')
  // A read without a cursor isn't refused, because it doesn't resume anything.
  expect((await world.inbox.mailPeek({ agent: 'ann' })).messages).toHaveLength(1)
  expect(await world.exportLog({ as: 'mailbox' })).toContain('Young')
})

behaves('retention/stays', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  await start(world)
  await mail(world, 'Old')
  await world.clock.advance(365 * DAY)
  await world.inbox.prune({})
  const { agents } = await world.inbox.agentList({})
  expect(agents.map(({ agent_id }) => agent_id)).toEqual(['ann', 'boss'])
  expect(await world.sql('select person_id from people')).toEqual([{ person_id: 'user:eve' }])
  // A pruned log, including its agents, survives an export and import.
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  await refused(world.inbox.watch({ after_event: 1, timeout_seconds: 1 }), 'cursor_expired')
})

/** Wakes of ann, a day apart, each ended within an hour. */
async function wakes(world: World, causes: ('mail' | 'timer')[]): Promise<void> {
  const { store, close } = await openMailroom(world.address)
  const common = { agent_id: 'ann', upto_event: 0, attempt: 1, hops: 0 }
  for (const [i, cause] of causes.entries()) {
    const wake_id = `wak_${i}`
    const expires_at = await world.clock.advance(DAY)
    const token = `token-${i}`
    const begins = { type: 'wake_start', wake_id, cause, ...common, token, expires_at } as const
    const ends = { type: 'wake_end', wake_id, agent_id: 'ann', upto_event: 0 } as const
    const how = { state: 'ended', exit_code: 0, reason: '', stderr: '' } as const
    for (const facts of [begins, { ...ends, ...how }]) {
      await store.write(async (tx) => {
        tx.recordStoreEvent({ agent: 'system', at: await tx.now(), summary: '', facts })
        return {}
      })
    }
  }
  await close()
}

behaves('retention/wakes', async (world) => {
  await start(world)
  for (const status of ['running', 'idle', 'dormant'] as const) {
    await world.clock.advance(1)
    await world.inbox.agentStatus({ agent: 'ann', status })
  }
  await wakes(world, ['mail', 'timer', 'mail', 'timer', 'mail', 'mail'])
  await world.clock.advance(29 * DAY)
  const left = async () => {
    const rows = await world.sql('select wake_id from wakes order by wake_id')
    return rows.map(({ wake_id }) => wake_id)
  }
  expect(await world.inbox.prune({ dry_run: true })).toMatchObject({ removed: { wakes: 3 } })
  expect((await world.inbox.prune({})).removed).toMatchObject({ wakes: 3, events: 8, threads: 0 })
  // The last wake of each cause stays, no matter how old, and so does an agent's last declaration.
  expect(await left()).toEqual(['wak_3', 'wak_4', 'wak_5'])
  expect(await ailments(world)).toEqual([])
  await world.clock.advance(365 * DAY)
  await world.inbox.prune({})
  expect(await left()).toEqual(['wak_3', 'wak_5'])
  expect((await world.inbox.agentStatus({ agent: 'ann' })).agent.declared_status).toBe('dormant')
  expect(await ailments(world)).toEqual([])
  const log = await world.exportLog()
  const other = await world.another('empty')
  await other.clock.set(world.clock.now())
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await ailments(other)).toEqual([])
})

behaves('retention/says-kept', async (world) => {
  const { inbox } = world
  const { thread } = await held(world)
  await inbox.update({ agent: 'worker', thread, status: 'in_progress', summary: 'So far' })
  await inbox.done({ agent: 'worker', thread, summary: 'Built' })
  const stopped = await held(world)
  await inbox.cancel({ agent: 'lead', thread: stopped.thread })
  await inbox.push({ agent: 'worker', comments: 'Look' })
  expect((await inbox.prune({})).notes).toEqual([
    '2 threads of work stay: they were finished less than 30 days ago',
  ])
  await world.clock.advance(31 * DAY)
  const shown = '1 pushes older than 30 days stay: no one has trashed or deleted them'
  for (const dry_run of [true, false]) {
    expect((await inbox.prune({ dry_run })).notes).toEqual([
      'finished threads of work stay while something in them is unread: 1 for lead, 1 for worker; they go once it is read, or with include_unread',
      shown,
    ])
  }
  await inbox.show({ agent: 'lead', thread, mark_read: true })
  const pruned = await inbox.prune({ include_unread: true })
  expect(pruned.removed.threads).toBe(2)
  expect(pruned.notes).toEqual([shown])
})
