// A claim that finds nothing and the watch after it, on PostgreSQL, where writers run concurrently. On SQLite they run
// one after another.

import { expect, test } from 'bun:test'
import type { Store } from '../../src/core/store.ts'
import { call } from '../../src/ops/call.ts'
import { loadOperation } from '../../src/ops/catalogue.ts'
import { until } from '../worlds/world.ts'
import { inPlace } from './engines.ts'

const { signal } = new AbortController()

test('[postgres] work sent during a claim comes after the claim’s cursor', () =>
  inPlace('postgres C', async (place) => {
    const room = await place.open()
    const inbox = await place.connect()
    await inbox.agentRegister({ agent: 'worker' })
    let sent: string | undefined
    const store: Store = {
      ...room.store,
      write: (work, key) =>
        room.store.write(async (tx) => {
          const value = await work(tx)
          // The claim has looked but not committed. Now send the work.
          sent ??= (await inbox.send({ from: 'lead', to: 'worker', subject: 'So' })).thread
            .thread_id
          return value
        }, key),
    }
    const op = await loadOperation('claim')
    const want = { op, raw: {}, agent: 'worker', door: 'library', signal } as const
    const { result } = await call({ ...room, store }, want)
    const { thread, next_event_id } = result as { thread: null; next_event_id: number }
    expect(thread).toBeNull()
    const watch = { agent: 'worker', after_event: next_event_id, timeout_seconds: 1 }
    const answer = await inbox.watch(watch)
    expect(answer).toMatchObject({ woke: true, threads: [{ thread_id: sent as string }] })
  }))

test('[postgres] a claim waits for a writer that has locked the only thread, then takes it', () =>
  inPlace('postgres C', async (place) => {
    const room = await place.open()
    const inbox = await place.connect()
    await inbox.agentRegister({ agent: 'ann', role: 'builder' })
    for (const to of ['ann', 'role:builder']) {
      const { thread } = await inbox.send({ from: 'lead', to, subject: 'So' })
      const gate = Promise.withResolvers<void>()
      const locked = Promise.withResolvers<void>()
      // Like marking a message as read, this locks the thread briefly and doesn't ring the bell.
      const marking = room.store.write(async (tx) => {
        await tx.lock(thread.thread_id)
        locked.resolve()
        await gate.promise
        return {}
      })
      await locked.promise
      const claiming = inbox.claim({ agent: 'ann' })
      const waits = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await Promise.race([
        until(async () => (await place.sql(waits)).length > 0, 'the claim waits'),
        claiming,
      ])
      gate.resolve()
      await marking
      expect((await claiming).thread?.thread_id).toBe(thread.thread_id)
    }
  }))
