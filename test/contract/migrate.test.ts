import { expect } from 'bun:test'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Client, connect } from '../../src/index.ts'
import { compileMigration } from '../../src/store/compile.ts'
import { MIGRATIONS } from '../../src/store/migrations.gen.ts'
import { SCHEMA_VERSION } from '../../src/store/schema-version.gen.ts'
import { APPLICATION_ID } from '../../src/store/sqlite/connection.ts'
import { extentAsked } from '../worlds/extent.ts'
import { freshStore, type TestStore } from '../worlds/store.ts'
import { contractUnmade, ENGINES, type EngineName, type Place } from './engines.ts'

const SOURCE = join(import.meta.dir, '../../src/index.ts')

const isFull = extentAsked() === 'full'
const MIGRATED: readonly EngineName[] = isFull ? ENGINES : ['sqlite wal', 'postgres C']
/** The number of processes that create the same store or open an old one. In test/races, twenty create one. */
const MAKERS = isFull ? 20 : 6

const migrates = (says: string, prove: (place: Place) => Promise<void>) =>
  contractUnmade(says, prove, MIGRATED)

migrates('processes that open a new store at the same time create it once', async (place) => {
  const options = place.name === 'sqlite delete' ? { journal: 'delete' } : {}
  const script = `
      const { connect } = await import(${JSON.stringify(SOURCE)})
      const at = ${JSON.stringify(place.address)}
      // All processes wait for a signal after this, so that they start at the same moment.
      process.stdout.write('ready')
      await new Promise((resolve) => process.stdin.once('data', resolve))
      let made = 0
      const options = { ...${JSON.stringify(options)}, onCreate: () => { made += 1 } }
      const inbox = await connect(at, options)
      await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
      await inbox.close()
      process.stdout.write(String(made))
      process.exit(0)`
  const said = await allAtOnce(MAKERS, script)
  const made = said.reduce((sum, words) => sum + Number(words), 0)
  expect(made).toBe(1)
  const migrations = await place.sql('select number from migrations order by number')
  expect(migrations).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => ({ number: i + 1 })))
  const inbox = await place.connect()
  expect((await inbox.list({})).threads).toHaveLength(MAKERS)
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
})

migrates('refuses a store of a newer program that it cannot read', async (place) => {
  const inbox = await place.connect()
  await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  await inbox.close()
  const before = await place.sql('select * from events')
  await raise(place, '9999_everything_else', 1)
  const error = await place.open().then(
    () => undefined,
    (refusal: unknown) => refusal as Error & { code: string },
  )
  expect(error).toMatchObject({ name: 'Refusal', code: 'store_unusable' })
  expect(error?.message).toContain('9999_everything_else')
  expect(error?.message).toContain('upgrade this program')
  expect(await place.sql('select * from events')).toEqual(before)
})

migrates('opens a store of a newer program if it can still read it', async (place) => {
  const inbox = await place.connect()
  const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  await inbox.close()
  await raise(place, '9999_one_more_index', 0)
  const later = await place.connect()
  expect((await later.claim({ agent: 'worker' })).thread?.thread_id).toBe(thread.thread_id)
  // The schema isn't downgraded to what this program knows, either.
  expect(await versionOf(place)).toBe(SCHEMA_VERSION + 1)
})

migrates(
  'refuses to write to an open store after a newer program has changed it',
  async (place) => {
    const inbox = await place.connect()
    const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
    const before = await Promise.all(['events', 'messages', 'threads'].map(rowsOf(place)))
    await raise(place, '9999_everything_else', 1)
    const writes = [
      () => inbox.send({ from: 'lead', to: 'worker', subject: 'Again' }),
      () => inbox.claim({ agent: 'worker' }),
      () => inbox.reply({ from: 'lead', thread: thread.thread_id, summary: 'So' }),
    ]
    for (const write of writes) {
      const error = await write().then(
        () => undefined,
        (refusal: unknown) => refusal as Error & { code: string },
      )
      expect(error).toMatchObject({ name: 'Refusal', code: 'store_unusable' })
      expect(error?.message).toContain('upgrade this program')
    }
    expect(await Promise.all(['events', 'messages', 'threads'].map(rowsOf(place)))).toEqual(before)
    await place.sql('update migrations set breaking = 0')
    await inbox.send({ from: 'lead', to: 'worker', subject: 'Again' })
  },
)

function rowsOf(place: Place) {
  return (table: string) => place.sql(`select * from ${table}`)
}

migrates('opening an up-to-date store does not change it', async (place) => {
  await (await place.connect()).close()
  const before = await place.sql('select * from migrations')
  await (await place.connect()).close()
  expect(await place.sql('select * from migrations')).toEqual(before)
  expect(await versionOf(place)).toBe(SCHEMA_VERSION)
})

/** Marks the store as if a newer program had migrated it. */
async function raise(place: Place, name: string, breaking: number): Promise<void> {
  const next = SCHEMA_VERSION + 1
  await place.sql(
    'insert into migrations (number, name, breaking) values (?, ?, ?)',
    next,
    name,
    breaking,
  )
  if (place.engine === 'sqlite') await place.sql(`pragma user_version = ${next}`)
}

async function versionOf(place: Place): Promise<number> {
  const [row] =
    place.engine === 'sqlite'
      ? await place.sql('select user_version as n from pragma_user_version')
      : await place.sql('select max(number) as n from migrations')
  return row?.n as number
}

migrates('migrating a store from before deliveries creates them from its log', async (place) => {
  const { marked, unread } = await makeOldStore(place)
  const inbox = await place.connect()
  expect(await ailmentsOf(inbox)).toEqual([])
  expect(await versionOf(place)).toBe(SCHEMA_VERSION)
  const states = await place.sql(
    'select thread_id, recipient, state, kind, read_by, acted_by, reason from deliveries order by event_id',
  )
  expect(states.filter((row) => row.thread_id === marked)).toEqual([
    delivery(marked, 'worker', 'acted', 'task', { acted_by: 'thread_claim' }),
    delivery(marked, 'lead', 'read', 'question', { read_by: 'show' }),
    delivery(marked, 'worker', 'queued', 'answer'),
    delivery(marked, 'lead', 'queued', 'result'),
  ])
  expect(states.filter((row) => row.thread_id === unread)).toEqual([
    delivery(unread, 'bob', 'expired', 'task', { reason: 'claimed by worker' }),
    delivery(unread, 'bob', 'queued', 'directive'),
  ])
  // New messages are delivered as usual.
  await inbox.reply({ from: 'lead', thread: unread, summary: 'Still there?' })
  expect(await ailmentsOf(inbox)).toEqual([])
})

migrates('recreates deliveries in a store that had marked too many as acted', async (place) => {
  const { marked, unread } = await makeOldStore(place, 2)
  await place.sql("update deliveries set state = 'acted', acted_by = 'thread_done'")
  const inbox = await place.connect()
  expect(await ailmentsOf(inbox)).toEqual([])
  const states = async (thread: string) => {
    const rows = await place.sql(
      'select recipient, state from deliveries where thread_id = ? order by event_id',
      thread,
    )
    return rows.map(({ recipient, state }) => [recipient, state])
  }
  expect(await states(marked)).toEqual([
    ['worker', 'acted'],
    ['lead', 'read'],
    ['worker', 'queued'],
    ['lead', 'queued'],
  ])
  expect(await states(unread)).toEqual([
    ['bob', 'expired'],
    ['bob', 'queued'],
  ])
})

migrates('a migration is all or nothing', async (place) => {
  await makeOldStore(place)
  const before = await place.sql('select * from threads order by thread_id')
  // Blocks one of the last steps, when most of the migration is done.
  await place.sql('create table wakes (wake_id text)')
  await expect(place.open()).rejects.toThrow('wakes')
  expect(await versionOf(place)).toBe(1)
  expect(await place.sql('select * from threads order by thread_id')).toEqual(before)
  await place.sql('drop table wakes')
  expect(await ailmentsOf(await place.connect())).toEqual([])
})

migrates('processes that open an old store at the same time migrate it once', async (place) => {
  await makeOldStore(place)
  const options = place.name === 'sqlite delete' ? { journal: 'delete' } : {}
  const script = `
      const { connect } = await import(${JSON.stringify(SOURCE)})
      process.stdout.write('ready')
      await new Promise((resolve) => process.stdin.once('data', resolve))
      const inbox = await connect(${JSON.stringify(place.address)}, ${JSON.stringify(options)})
      await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
      await inbox.close()
      process.exit(0)`
  await allAtOnce(MAKERS, script)
  const inbox = await place.connect()
  expect(await ailmentsOf(inbox)).toEqual([])
  expect(await place.sql('select count(*) as n from deliveries')).toEqual([{ n: 6 + MAKERS }])
})

/** Doctor's findings about the log and the tables. */
async function ailmentsOf(inbox: Client) {
  const { findings } = await inbox.doctor({})
  return findings.filter(
    ({ check, ok }) => !ok && ['log', 'references', 'integrity'].includes(check),
  )
}

function delivery(thread_id: string, recipient: string, state: string, kind: string, more = {}) {
  return { thread_id, recipient, state, kind, read_by: null, acted_by: null, reason: null, ...more }
}

/** Creates a store as an older program left it: its schema, and threads with claims, read marks and answers. */
async function makeOldStore(
  place: Place,
  version = 1,
): Promise<{ marked: string; unread: string }> {
  const model = await freshStore(place.engine)
  const inbox = await connect(model.address)
  try {
    const { thread: first } = await inbox.send({ from: 'lead', to: 'worker', subject: 'One' })
    const marked = first.thread_id
    await inbox.claim({ agent: 'worker', thread: marked })
    await inbox.update({ agent: 'worker', thread: marked, status: 'blocked', summary: 'Which?' })
    await inbox.show({ agent: 'lead', thread: marked, mark_read: true })
    const answer = { to: 'worker', kind: 'answer', summary: 'This' } as const
    await inbox.reply({ from: 'bob', thread: marked, ...answer })
    await inbox.done({ agent: 'worker', thread: marked, summary: 'Built' })
    const { thread: second } = await inbox.send({ from: 'lead', to: 'bob', subject: 'Two' })
    const unread = second.thread_id
    await inbox.claim({ agent: 'worker', thread: unread })
    const stop = { to: 'bob', kind: 'control', summary: 'Stop' } as const
    await inbox.send({ from: 'lead', thread: unread, ...stop })
    await makeOldSchema(place, version)
    const tables = [...FIRST_TABLES, ...(version > 1 ? ['deliveries'] : [])]
    for (const table of tables) await copyTable(model, place, table, version)
    if (place.engine === 'postgres') {
      await place.sql(
        `select setval(pg_get_serial_sequence('events', 'event_id'), max(event_id)) from events`,
      )
    }
    return { marked, unread }
  } finally {
    await inbox.close()
    await model.remove()
  }
}

const FIRST_TABLES = ['threads', 'messages', 'leases', 'thread_reads', 'events']

async function makeOldSchema({ engine, address, sql }: Place, version: number): Promise<void> {
  const old = MIGRATIONS.slice(0, version)
  const note = `create table migrations (number bigint primary key, name text not null,
    breaking bigint not null);
    ${old.map(({ number, name }) => `insert into migrations values (${number}, '${name}', 0);`).join('')}`
  const schema = old.map(({ text }) => compileMigration(text, engine)).join('') + note
  if (engine === 'postgres') {
    await sql(`create schema ${new URL(address).searchParams.get('schema')}`)
    await sql(schema)
    return
  }
  const db = new DatabaseSync(address)
  db.exec(schema)
  db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${version}`)
  db.close()
}

/** The version in which each column was added. */
const LATER: Record<string, number> = {
  'threads.kind': 2,
  'messages.in_reply_to': 2,
  'messages.issue_id': 2,
  'messages.agent_id': 2,
  'messages.hops': 2,
  'deliveries.unread_at': 4,
  'messages.imported_by': 5,
}

/**
 * Copies the rows that a program of that version would have written. The first version had no agents and no
 * columns for mail.
 */
async function copyTable(
  from: TestStore,
  to: Place,
  table: string,
  version: number,
): Promise<void> {
  const rows = await from.sql(`select * from ${table} where thread_id <> ''`)
  for (const row of rows) {
    if (row.event_type === 'thread_claim') {
      const { handed: _, ...facts } = JSON.parse(String(row.payload_json))
      row.payload_json = JSON.stringify(facts)
    }
    const kept = Object.keys(row).filter((column) => (LATER[`${table}.${column}`] ?? 0) <= version)
    const marks = kept.map(() => '?').join(', ')
    const values = kept.map((name) => row[name] as string | number | null)
    await to.sql(`insert into ${table} (${kept.join(', ')}) values (${marks})`, ...values)
  }
}

/** Runs the script in several processes, released at the same moment. Returns what each wrote after that. */
async function allAtOnce(count: number, script: string): Promise<string[]> {
  const children = Array.from({ length: count }, () =>
    Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }),
  )
  const waiting = await Promise.all(
    children.map(async (child) => {
      const reader = child.stdout.getReader()
      const words = new TextDecoder()
      const ready = words.decode((await reader.read()).value)
      return { ready, reader, words, child }
    }),
  )
  for (const { child } of waiting) {
    child.stdin.write('go')
    child.stdin.end()
  }
  const said: string[] = []
  for (const { ready, reader, words, child } of waiting) {
    const { value } = await reader.read()
    const errors = await new Response(child.stderr).text()
    expect({ ready, errors, exit: await child.exited }).toEqual({
      ready: 'ready',
      errors: '',
      exit: 0,
    })
    said.push(words.decode(value))
  }
  return said
}
