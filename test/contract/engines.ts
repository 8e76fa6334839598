// The four stores that the contract holds alike: both journals of SQLite, and PostgreSQL in a
// database that sorts by byte and in one that sorts as people do.

import { afterAll, test } from 'bun:test'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { type Client, connect } from '../../src/index.ts'
import { freshDatabase, languageLocale } from '../tools/postgres.ts'
import { serverUrl } from '../worlds/server.ts'
import { freshStore, type TestStore } from '../worlds/store.ts'

export const ENGINES = ['sqlite wal', 'sqlite delete', 'postgres C', 'postgres en-US'] as const
export type EngineName = (typeof ENGINES)[number]

export type Place = TestStore & {
  name: EngineName
  /** Opens the store, and makes it the first time; closed when the test ends. */
  open(): Promise<Mailroom>
  connect(): Promise<Client>
}

/** One test of one sentence for each engine. */
export function contract(says: string, prove: (place: Place) => Promise<void>): void {
  for (const name of ENGINES) {
    test(`[${name}] ${says}`, () => inPlace(name, prove))
  }
}

export async function inPlace(
  name: EngineName,
  prove: (place: Place) => Promise<void>,
): Promise<void> {
  const store =
    name === 'postgres en-US'
      ? await freshStore('postgres', await languageDatabase())
      : await freshStore(name === 'postgres C' ? 'postgres' : 'sqlite')
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
      // Not for callers to say; here it is tried all the same.
      connect: async () => track(await connect(store.address, options as object)),
    })
  } finally {
    for (const close of closers.reverse()) await close()
    await store.remove()
  }
}

let language: ReturnType<typeof freshDatabase> | undefined

async function languageDatabase(): Promise<string> {
  language ??= freshDatabase(serverUrl(), { locale: languageLocale })
  return (await language).url
}

afterAll(async () => {
  await (await language)?.drop()
})
