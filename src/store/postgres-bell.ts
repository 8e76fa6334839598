// The bell across machines: NOTIFY after the commit, never inside it (a notifying commit takes a lock
// of the whole cluster). The payload is the store's name and nothing else.
//
// (1) Rings are advisory and mean "look", so they can be merged: one is under way at a time, and over
//     time there is one in 10 ms. A few may follow each other at once, or a second commit soon after
//     a first would always be heard late.
// (2) One process listens once, on a connection of its own, however many wait in it. It goes on
//     listening for a while after the last wait: the next one usually follows.

import { Client, type Pool } from 'pg'
import type { Bell } from '../core/wake.ts'
import type { Address } from './postgres-open.ts'

const REST_MS = 10
const RINGS_AT_ONCE = 8
const LINGER_MS = 10_000
const RECONNECT_MS = [100, 200, 500, 1000, 2000]

export function postgresBell(pool: Pool, { config, schema }: Address): Bell {
  const ringer = makeRinger(() => pool.query("select pg_notify('mailroom', $1)", [schema]))
  const heard = new Set<() => void>()
  let ear: Ear | undefined
  let linger: ReturnType<typeof setTimeout> | undefined

  const leave = async (): Promise<void> => {
    const gone = ear
    ear = undefined
    await gone?.end()
  }

  return {
    ring: ringer.ring,
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

function makeRinger(notify: () => Promise<unknown>) {
  let allowance = RINGS_AT_ONCE
  let countedAt = performance.now()
  let sending: Promise<unknown> | undefined
  let resting: ReturnType<typeof setTimeout> | undefined
  let again = false
  let closing = false

  const send = (): void => {
    again = false
    allowance -= 1
    // A ring that is lost costs a waiter its backstop; it must never fail the write that rang.
    sending = notify()
      .catch(() => {})
      .finally(() => {
        sending = undefined
        if (again && !closing) ring()
      })
  }
  const ring = (): void => {
    again = true
    if (sending !== undefined || resting !== undefined) return
    const now = performance.now()
    allowance = Math.min(RINGS_AT_ONCE, allowance + (now - countedAt) / REST_MS)
    countedAt = now
    if (allowance >= 1) {
      send()
      return
    }
    resting = setTimeout(() => {
      resting = undefined
      ring()
    }, REST_MS)
  }

  return {
    ring,
    async close() {
      closing = true
      clearTimeout(resting)
      await sending
      // The last ring of a burst must not be lost because the process ends.
      if (again) await notify().catch(() => {})
      again = false
    },
  }
}

type Ear = {
  /** Settles after the first attempt, whether it succeeded or not: a wait has its backstop. */
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
      // Whatever was rung meanwhile is found by looking once the ear is back.
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
