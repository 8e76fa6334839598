// Uses a made-up record to show that its declaration is all that replay, pages, doctor, export and import need.

import { expect } from 'bun:test'
import { listRecords, type StoreRecord } from '../../src/core/record.ts'
import { RECORDS, type StoreFacts } from '../../src/core/records.ts'
import {
  type FactsOf,
  FLAG,
  ID,
  INSTANT,
  listOf,
  nullOr,
  pick,
  type RowFrom,
  type Shape,
  text,
} from '../../src/core/shape.ts'
import type { Store } from '../../src/core/store.ts'
import { connect } from '../../src/index.ts'
import { checkLog } from '../../src/ops/keeping/doctor-log.ts'
import { importWhole } from '../../src/ops/keeping/import.ts'
import { digest } from '../../src/ops/kit/digest.ts'
import { compileMigration } from '../../src/store/compile.ts'
import { openPostgres } from '../../src/store/postgres/store.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { DAWN, freshStore, type TestStore } from '../worlds/store.ts'
import { contract } from './engines.ts'
import { exported, filesOf } from './files.ts'

const NOTES: Shape<{ by?: string }> = { is: 'object', of: { by: text() } }
const FIELDS = {
  shelf_id: ID,
  title: text({ max: 20 }),
  is_full: FLAG,
  books: listOf(ID, 0),
  notes: NOTES,
  put_up_at: INSTANT,
  closed_at: nullOr(INSTANT),
}
type Shelf = RowFrom<typeof FIELDS>

const FACTS = {
  shelf_put: pick(FIELDS, 'shelf_id', 'title', 'is_full', 'books', 'notes'),
  shelf_close: pick(FIELDS, 'shelf_id'),
}
type ShelfFacts = FactsOf<typeof FACTS>
type ShelfPut = Extract<ShelfFacts, { type: 'shelf_put' }>

const SHELVES: StoreRecord<Shelf, ShelfFacts> = {
  table: 'shelves',
  one: 'shelf',
  key: 'shelf_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    shelf_put: {
      makes: (facts, { at }) => ({ ...facts, put_up_at: at }),
      keeps: ['put_up_at'],
    },
    shelf_close: {
      changes: (_, { at }) => ({ closed_at: at }),
    },
  },
  mustFollow(before, { type }) {
    if (type === 'shelf_close' && (before?.closed_at ?? null) !== null) {
      throw new Error('shelf_close of a shelf that is closed')
    }
  },
  admit(facts, { rows }) {
    if (facts.type !== 'shelf_put') return
    for (const { title, shelf_id } of rows(SHELVES).values()) {
      if (title === facts.title && shelf_id !== facts.shelf_id) {
        throw new Error(`its title is that of shelf ${shelf_id}`)
      }
    }
  },
}

const KNOWN = listRecords([...RECORDS.all, SHELVES])

const TABLE = `create table shelves (
  shelf_id text primary key,
  title text not null,
  is_full integer not null,
  books text not null,
  notes_json text not null,
  put_up_at text not null,
  closed_at text,
  dust text not null default 'some'
)`

const POEMS: ShelfPut = {
  type: 'shelf_put',
  shelf_id: 'sh_1',
  title: 'Poems',
  is_full: false,
  books: ['keats', 'heaney'],
  notes: { by: 'ann' },
}
const MAPS: ShelfPut = {
  type: 'shelf_put',
  shelf_id: 'sh_2',
  title: 'Maps',
  is_full: true,
  books: [],
  notes: { by: 'bob' },
}

contract('writes, reads, replays and compares a record known only from a list', (place) =>
  withShelves(place, async (store) => {
    await note(store, POEMS, MAPS)
    await place.clock.advance(60)
    await note(store, { type: 'shelf_close', shelf_id: 'sh_1' })
    await note(store, { ...MAPS, title: 'Sea maps' })
    const later = place.clock.now()
    const poems = { ...row(POEMS), closed_at: later }
    const maps = { ...row(MAPS), title: 'Sea maps' }
    expect(await store.rowOf(SHELVES, 'sh_1')).toEqual(poems)
    expect(await store.rowOf(SHELVES, 'sh_3')).toBeNull()
    const keeper = await store.keeper()
    expect(await keeper.recordsPage(SHELVES, '', 1)).toEqual([poems])
    expect(await keeper.recordsPage(SHELVES, 'sh_1', 1)).toEqual([maps])
    expect(await keeper.recordsPage(SHELVES, 'sh_2', 1)).toEqual([])
    expect(await checkLog({ store, digest }, keeper, KNOWN)).toMatchObject({ ok: true })

    // A column that isn't in the declaration is outside the log.
    await place.sql(`update shelves set dust = 'much'`)
    expect(await checkLog({ store, digest }, keeper, KNOWN)).toMatchObject({ ok: true })
    await place.sql(`update shelves set books = 'keats', is_full = 1 where shelf_id = 'sh_1'`)
    await place.sql(`delete from shelves where shelf_id = 'sh_2'`)
    expect((await checkLog({ store, digest }, keeper, KNOWN)).detail).toBe(
      'shelf sh_1 differs from the log in is_full, books; 1 shelves stored, 2 in the log',
    )
  }),
)

contract('an export and import leave a log with the record unchanged', (place) =>
  withShelves(place, async (store) => {
    await note(store, POEMS, MAPS)
    await note(store, { type: 'shelf_close', shelf_id: 'sh_2' })
    const log = await exportedFrom(place)
    const copy = await freshStore(place.engine)
    try {
      await withShelves(copy, async (other) => {
        expect(await load(other, log)).toMatchObject({ events: 3, rejected: [] })
        expect(await checkLog({ store: other, digest }, await other.keeper(), KNOWN)).toMatchObject(
          { ok: true },
        )
      })
      expect(await exportedFrom(copy)).toBe(log)
    } finally {
      await copy.remove()
    }
  }),
)

contract('an import rejects events of the record that its declaration does not allow', (place) =>
  withShelves(place, async (store) => {
    const closed = { type: 'shelf_close', shelf_id: 'sh_1' } as const
    const lines: [ShelfFacts, string | null][] = [
      [POEMS, null],
      [{ ...POEMS, title: 'P'.repeat(21) }, 'title'],
      [{ ...POEMS, books: ['keats', 'keats'] }, 'books names something twice'],
      [{ ...POEMS, dust: 'much' } as ShelfFacts, 'dust is not known here'],
      [{ ...MAPS, title: 'Poems' }, 'its title is that of shelf sh_1'],
      [{ type: 'shelf_close', shelf_id: 'sh_2' }, 'shelf_close: that shelf is not there'],
      [closed, null],
      [closed, 'shelf_close of a shelf that is closed'],
    ]
    const log = lines.map(([facts], i) => lineOf(i + 1, facts)).join('')
    const { rejected } = await load(store, log)
    const wrong = lines.flatMap(([, why], i) => (why === null ? [] : [{ line: i + 1, why }]))
    expect(rejected.map(({ line }) => line)).toEqual(wrong.map(({ line }) => line))
    for (const [i, { why }] of wrong.entries()) expect(rejected[i]?.why).toContain(why)
    expect(await checkLog({ store, digest }, await store.keeper(), KNOWN)).toMatchObject({
      ok: true,
    })
  }),
)

async function withShelves(place: TestStore, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openWithRecords(place)
  try {
    await place.sql(compileMigration(TABLE, place.engine))
    await place.clock.set(DAWN)
    await use(store)
  } finally {
    await store.close()
  }
}

async function openWithRecords({ engine, address }: TestStore): Promise<Store> {
  if (engine === 'postgres') {
    const makeKey = () => crypto.randomUUID()
    return (await openPostgres({ url: address, makeKey, records: KNOWN })).store
  }
  return openSqlite({
    path: address,
    afterCommit: () => {},
    systemClock: Date.now,
    records: KNOWN,
  })
}

async function note(store: Store, ...events: ShelfFacts[]): Promise<void> {
  await store.write(async (tx) => {
    const at = await tx.now()
    for (const facts of events as unknown as StoreFacts[]) {
      tx.recordStoreEvent({ agent: 'ann', at, summary: '', facts })
    }
    return {}
  })
}

function row({ type: _, ...fields }: ShelfPut): Shelf {
  return { ...fields, put_up_at: DAWN, closed_at: null }
}

function lineOf(event_id: number, { type, ...facts }: ShelfFacts): string {
  const event = {
    event_id,
    run_id: '',
    task_id: '',
    thread_id: '',
    source: 'inbox',
    event_type: type,
    agent: 'ann',
    status: '',
    message_id: null,
    summary: '',
    payload_json: JSON.stringify(facts),
    created_at: DAWN,
  }
  return `${JSON.stringify({ event })}\n`
}

function load(store: Store, log: string) {
  return importWhole({ store, digest, by: 'user' }, filesOf(log).files, KNOWN)
}

async function exportedFrom({ address }: TestStore): Promise<string> {
  const inbox = await connect(address)
  try {
    return await exported(inbox)
  } finally {
    await inbox.close()
  }
}
