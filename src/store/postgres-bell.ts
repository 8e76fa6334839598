// The bell across machines: NOTIFY after the commit, never inside it (a notifying commit takes a lock
// of the whole cluster), at most one in 10 ms. The payload is the store's name and nothing else.

import { Client, type Pool } from 'pg'
import type { Bell } from '../core/wake.ts'
import type { Address } from './postgres-open.ts'

const COALESCE_MS = 10
const RECONNECT_MS = [100, 200, 500, 1000, 2000]

export function postgresBell(pool: Pool, { config, schema }: Address): Bell {
  let resting: ReturnType<typeof setTimeout> | undefined
  let again = false
  let sending: Promise<unknown> = Promise.resolve()
  const ears = new Set<{ end(): Promise<void> }>()

  const ring = (): void => {
    if (resting !== undefined) {
      again = true
      return
    }
    // A ring that is lost costs a waiter its backstop; it must never fail the write that rang.
    sending = pool.query("select pg_notify('mailroom', $1)", [schema]).catch(() => {})
    resting = setTimeout(() => {
      resting = undefined
      if (again) {
        again = false
        ring()
      }
    }, COALESCE_MS)
  }

  const arm = async (onRing: () => void): Promise<() => void> => {
    let stopped = false
    let failures = 0
    let client: Client | undefined
    let retry: ReturnType<typeof setTimeout> | undefined

    const listen = async (): Promise<void> => {
      const fresh = new Client(config)
      client = fresh
      let gone = false
      const lost = () => {
        if (gone || stopped) return
        gone = true
        const wait = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)]
        // Whatever was rung meanwhile is found by looking once the ears are back.
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

    const ear = {
      async end() {
        stopped = true
        clearTimeout(retry)
        ears.delete(ear)
        await client?.end().catch(() => {})
      },
    }
    ears.add(ear)
    await listen()
    return () => void ear.end()
  }

  return {
    ring,
    arm,
    async close() {
      clearTimeout(resting)
      await sending
      // The last ring of a burst must not be lost because the process ends.
      if (again) await pool.query("select pg_notify('mailroom', $1)", [schema]).catch(() => {})
      again = false
      await Promise.all([...ears].map((ear) => ear.end()))
    },
  }
}
