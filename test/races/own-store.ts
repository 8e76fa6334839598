// A store for one test. withLonelyStore also gives PostgreSQL a separate database, because the server reports waiting
// sessions per database and other tests share the server.

import { freshDatabase } from '../tools/postgres.ts'
import { serverUrl } from '../worlds/server.ts'
import { type Engine, emptiedStore, freshStore, type TestStore } from '../worlds/store.ts'
import { makeStore } from '../worlds/world.ts'

export const ENGINES = ['sqlite', 'postgres'] as const

export async function withStore<T>(
  engine: Engine,
  use: (store: TestStore) => Promise<T>,
): Promise<T> {
  const store = await freshStore(engine)
  try {
    return await use(store)
  } finally {
    await store.remove()
  }
}

/** A store that already exists. On PostgreSQL its schema is reused, so nothing may write to it after the test. */
export async function withEmptiedStore<T>(
  engine: Engine,
  use: (store: TestStore) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return withStore(engine, use)
  const store = await emptiedStore(makeStore)
  let hasFailed = true
  try {
    const result = await use(store)
    hasFailed = false
    return result
  } finally {
    if (hasFailed) store.spoil?.()
    await store.remove()
  }
}

export async function withLonelyStore<T>(
  engine: Engine,
  use: (store: TestStore) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return withStore(engine, use)
  const database = await freshDatabase(serverUrl())
  const store = await freshStore(engine, database.url)
  try {
    return await use(store)
  } finally {
    await store.remove()
    await database.drop()
  }
}
