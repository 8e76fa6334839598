// The four kinds of stores under one contract: both journals of SQLite, and PostgreSQL in a database that sorts by byte
// and in one that sorts by language.

import { test } from 'bun:test'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { type Client, connect } from '../../src/index.ts'
import { freshDatabase, languageLocale } from '../tools/postgres.ts'
import { extentAsked } from '../worlds/extent.ts'
import { serverUrl } from '../worlds/server.ts'
import { emptiedStore, freshStore, type TestStore } from '../worlds/store.ts'
import { makeStore } from '../worlds/world.ts'

export const ENGINES = ['sqlite wal', 'sqlite delete', 'postgres C', 'postgres en-US'] as const
export type EngineName = (typeof ENGINES)[number]

export type Place = TestStore & {
  name: EngineName
  /** Opens the store, and creates it if necessary. It closes when the test ends. */
  open(): Promise<Mailroom>
  connect(): Promise<Client>
}

/** One kind of store of each engine. The behaviours run on PostgreSQL sorted by byte, so this is sorted by language. */
const BY_RULE: readonly EngineName[] = ['sqlite wal', 'postgres en-US']

/** Makes one test for each engine; with `npm run test:full`, for each kind of store. */
export function contract(says: string, prove: (place: Place) => Promise<void>): void {
  for (const name of extentAsked() === 'full' ? ENGINES : BY_RULE) {
    test(`[${name}] ${says}`, () => inPlace(name, prove))
  }
}

/** Like `contract`, for a store that doesn't exist yet, or whose tables other programs change. */
export function contractUnmade(
  says: string,
  prove: (place: Place) => Promise<void>,
  engines: readonly EngineName[] = ENGINES,
): void {
  for (const name of engines) {
    test(`[${name}] ${says}`, () => inPlace(name, prove, 'unmade'))
  }
}

async function storeOf(name: EngineName, state: 'any' | 'unmade'): Promise<TestStore> {
  if (name.startsWith('sqlite')) return freshStore('sqlite')
  const database = name === 'postgres en-US' ? await languageDatabase() : serverUrl()
  return state === 'any' ? emptiedStore(makeStore, database) : freshStore('postgres', database)
}

export async function inPlace(
  name: EngineName,
  prove: (place: Place) => Promise<void>,
  state: 'any' | 'unmade' = 'any',
): Promise<void> {
  const store = await storeOf(name, state)
  let hasFailed = true
  const closers: (() => Promise<void>)[] = []
  const track = <T extends { close(): Promise<void> }>(opened: T): T => {
    closers.push(() => opened.close())
    return opened
  }
  const options = name === 'sqlite delete' ? { journal: 'delete' as const } : {}
  try {
    await prove({
      ...store,
      name,
      open: async () => track(await openMailroom(store.address, options)),
      // The cast is needed because callers have no option for the journal.
      connect: async () => track(await connect(store.address, options as object)),
    })
    hasFailed = false
  } finally {
    for (const close of closers.reverse()) await close()
    if (hasFailed) store.spoil?.()
    await store.remove()
  }
}

let language: ReturnType<typeof freshDatabase> | undefined

async function languageDatabase(): Promise<string> {
  language ??= freshDatabase(serverUrl(), { locale: languageLocale })
  return (await language).url
}
