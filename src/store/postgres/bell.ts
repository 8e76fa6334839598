// The bell across machines: NOTIFY after the commit, never inside it, because a notifying commit locks the whole
// cluster. The NOTIFY is sent in the same socket write, so it costs no round trip, and the bell rings even if the
// writer is killed. The payload is only the store's name.
// (1) Rings are only hints to check the store, so they can be merged: on average, one every 10 ms. A few can follow
//     each other immediately; otherwise, a second commit soon after a first would be noticed late.
// (2) Each process listens once, on a separate connection, no matter how many waits it has. It keeps listening for a
//     while after the last wait, because another one usually follows.

import { Client, type ClientBase, type Pool } from 'pg'
import type { Bell } from '../../core/bell.ts'
import type { PostgresAddress } from './open.ts'

const REST_MS = 10
const RINGS_AT_ONCE = 8
const LINGER_MS = 10_000
const RECONNECT_MS = [100, 200, 500, 1000, 2000]

export type PostgresBell = Bell & {
  /** Rings on this connection, after everything already sent on it. Callers don't have to wait for it. */
  ringOn(client: ClientBase): void
}

export function postgresBell(pool: Pool, { config, schema }: PostgresAddress): PostgresBell {
  const notify = { text: "select pg_notify('mailroom', $1)", values: [schema] }
  const ringer = makeRinger(() => pool.query(notify))
  const heard = new Set<() => void>()
  let ear: Ear | undefined
  let linger: ReturnType<typeof setTimeout> | undefined

  const leave = async (): Promise<void> => {
    const gone = ear
    ear = undefined
    await gone?.end()
  }

  return {
    ring: () => ringer.ring(),
    ringOn: (client) => ringer.ring(() => client.query({ name: 'notify', ...notify })),
    async arm(onRing) {
      clearTimeout(linger)
      heard.add(onRing)
      ear ??= openEar(
        () => new Client(config),
        schema,
        () => {
          for (const one of heard) one()
        },
      )
      await ear.tried
      return () => {
        heard.delete(onRing)
        clearTimeout(linger)
        if (heard.size === 0) linger = setTimeout(leave, LINGER_MS)
      }
    },
    async close() {
      clearTimeout(linger)
      await ringer.close()
      await leave()
    },
  }
}

type Notify = () => Promise<unknown>

function makeRinger(notify: Notify) {
  let allowance = RINGS_AT_ONCE
  let countedAt = performance.now()
  /** The timer for the one ring that replaces rings that come too close together. */
  let merged: ReturnType<typeof setTimeout> | undefined
  const underWay = new Set<Promise<void>>()

  // If a ring is lost, a waiter only waits for its backstop. A failed ring must not fail the write it announces.
  const send = (by: Notify): void => {
    allowance -= 1
    const sent = by().then(
      () => void underWay.delete(sent),
      () => void underWay.delete(sent),
    )
    underWay.add(sent)
  }
  const ring = (by: Notify = notify): void => {
    if (merged !== undefined) return
    const now = performance.now()
    allowance = Math.min(RINGS_AT_ONCE, allowance + (now - countedAt) / REST_MS)
    countedAt = now
    if (allowance >= 1) {
      send(by)
      return
    }
    merged = setTimeout(() => {
      merged = undefined
      ring()
    }, REST_MS)
  }

  return {
    ring,
    async close() {
      // The last ring of a burst must not be lost when the process ends.
      if (merged !== undefined) send(notify)
      clearTimeout(merged)
      merged = undefined
      await Promise.all(underWay)
    },
  }
}

type Ear = {
  /** Settles after the first attempt to listen, successful or not: a wait always has its backstop. */
  tried: Promise<void>
  end(): Promise<void>
}

function openEar(connect: () => Client, schema: string, onRing: () => void): Ear {
  let stopped = false
  let failures = 0
  let client: Client | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const listen = async (): Promise<void> => {
    const fresh = connect()
    client = fresh
    let gone = false
    const lost = () => {
      if (gone || stopped) return
      gone = true
      const wait = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)]
      // Ring once the listener is back, to make up for any rings missed until then.
      retry = setTimeout(() => listen().then(onRing), wait)
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', ({ payload }) => {
      if (payload === schema) onRing()
    })
    try {
      await fresh.connect()
      await fresh.query('listen mailroom')
      failures = 0
    } catch {
      lost()
    }
  }

  return {
    tried: listen(),
    async end() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
