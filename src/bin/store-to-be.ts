// A store that is not there yet. Who looks finds it empty, and leaves no mark in it. The first thing to be kept
// makes it, and so does the first wait: what is refused leaves no file behind.
//
// Whether something is kept shows only when it is tried: a unit of work runs on an empty store first, up to the
// commit. It may run twice, as it may after a commit that failed.

import { refuse, visible } from '../core/error.ts'
import type { Store, Tx } from '../core/store.ts'
import type { Writes } from '../ops/kit/operation.ts'
import { rehearsed } from '../ops/kit/rehearsed.ts'
import { writesOf } from '../ops/kit/writes.ts'
import { NOWHERE } from '../store/sqlite/open.ts'
import { openSqlite } from '../store/sqlite/store.ts'
import { type Mailroom, type MailroomOptions, machine, openMailroom } from './compose.ts'
import { findMailroom } from './find.ts'
import { isFile } from './locate.ts'

/** For one call. When it is over, the store is still not there, and nobody has said so, that is said. */
export async function findOrMakeLater(
  address: string,
  call: Parameters<typeof writesOf>,
  { log, ...options }: MailroomOptions & { log: (text: string) => void },
): Promise<Mailroom> {
  const there = await findMailroom(address, options)
  if (there !== null) return there
  const place = await placeOf(address)
  const writes = writesOf(...call)
  let isSaid = false
  const make = async () => {
    isSaid = true
    if (writes === 'nothing') {
      throw refuse('not_found', `there is no store at ${place}; 'inbox init' makes one`)
    }
    return openMailroom(address, options)
  }
  const mailroom = await storeToBe(address, writes, make)
  return {
    ...mailroom,
    async close() {
      await mailroom.close()
      if (!isSaid) log(`inbox: there is no store at ${visible(place)} yet\n`)
    },
  }
}

export async function storeToBe(
  address: string,
  writes: Writes,
  make: () => Promise<Mailroom>,
): Promise<Mailroom> {
  const empty = await openSqlite({
    path: NOWHERE,
    afterCommit: () => {},
    systemClock: Date.now,
    alone: true,
  })
  let made: Mailroom | undefined
  let making: Promise<Mailroom> | undefined
  const real = async (): Promise<Mailroom> => {
    making ??= make()
    try {
      made = await making
      return made
    } catch (error) {
      making = undefined
      throw error
    }
  }
  const store: Store = {
    ...following(() => made?.store ?? empty, empty),
    engine: isFile(address) ? 'sqlite' : 'postgres',
    place: await placeOf(address),
    async write(work, idempotency) {
      if (made === undefined) {
        const { value, isKept } = await tried(empty, work)
        if (!isKept || writes !== 'store') return { value, eventId: 0, replayed: false }
      }
      return (await real()).store.write(work, idempotency)
    },
    lookout() {
      const { everyMs } = empty.lookout()
      let own = made?.store.lookout()
      const changed = async () => {
        own ??= (await real()).store.lookout()
        return own.changed()
      }
      return { everyMs, changed }
    },
    keeper: async () => (await real()).store.keeper(),
  }
  return {
    ...machine,
    store,
    bell: {
      ring: () => made?.bell.ring(),
      arm: async (...rings) => (await real()).bell.arm(...rings),
      close: async () => {},
    },
    allowedCommands: {
      includes: async (...asked) => (await real()).allowedCommands.includes(...asked),
      allow: async (...asked) => (await real()).allowedCommands.allow(...asked),
    },
    async close() {
      await made?.close()
      await empty.close()
    },
  }
}

/** The methods of a store, each asked of the store that is meant by then. */
function following(store: () => Store, { engine: _, place: __, ...methods }: Store): Store {
  const names = Object.keys(methods) as (keyof typeof methods)[]
  const asked = names.map((name) => [
    name,
    (...args: unknown[]) => (store()[name] as (...args: unknown[]) => unknown)(...args),
  ])
  return Object.fromEntries(asked)
}

async function tried<T>(empty: Store, work: (tx: Tx) => Promise<T>) {
  let isKept = false
  const value = await rehearsed(empty, (tx) => {
    isKept = false
    return work({
      ...tx,
      record(...said) {
        isKept = true
        return tx.record(...said)
      },
      recordStoreEvent(...said) {
        isKept = true
        tx.recordStoreEvent(...said)
      },
    })
  })
  return { value, isKept }
}

async function placeOf(address: string): Promise<string> {
  if (isFile(address)) return address
  const { parseAddress } = await import('../store/postgres/open.ts')
  return parseAddress(address).place
}
