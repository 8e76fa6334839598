// A wait ended by a signal ends like any other call: it prints its results and closes the store.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from '../../src/index.ts'
import { ENGINES, withLonelyStore } from '../races/own-store.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { startInbox } from './inbox.ts'
import { untilWaiter } from './noticing.ts'

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

const WAITS: Record<string, (thread: string) => string[]> = {
  watch: () => ['watch', '--timeout-seconds=0'],
  'wait-reply': (thread) => ['wait-reply', `--thread=${thread}`, '--agent=worker'],
  'export --follow': () => ['export', '--follow'],
  'wake run': () => ['wake', 'run'],
  'export --follow --out': () => ['export', '--follow', '--out=log.jsonl'],
}

describe.each([...ENGINES])('%s: a signal during', (engine) => {
  const cases = Object.keys(WAITS).flatMap((wait) =>
    SIGNALS.map((signal) => [wait, ...signal] as const),
  )
  test.each(cases)(
    '%s, %s, ends it with exit code %i and closes the store',
    async (wait, signal, exit) => {
      await withLonelyStore(engine, async (store) => {
        const { thread, end } = await oneThread(store)
        const waiter = startInbox(
          [...(WAITS[wait]?.(thread) ?? []), `--db=${store.address}`, '--json'],
          {
            folder: store.folder,
          },
        )
        await untilWaiter(store, waiter.child)
        process.kill(waiter.pid, signal)
        const ran = await waiter.ended
        expect({ exit: ran.exit, signal: ran.signal, stderr: ran.stderr }).toEqual({
          exit,
          signal: null,
          stderr: '',
        })
        const last = JSON.parse(ran.stdout.trimEnd().split('\n').at(-1) ?? '')
        if (wait === 'export --follow') expect(last.event.event_id).toBe(end)
        else expect(last).toMatchObject({ ok: true, next_event_id: end })
        await untilLeft(store)
      })
    },
  )
})

test('two signals at once end a wait just as one does', async () => {
  await withLonelyStore('sqlite', async (store) => {
    await oneThread(store)
    const waiter = startInbox(['watch', `--db=${store.address}`])
    await untilWaiter(store, waiter.child)
    process.kill(waiter.pid, 'SIGINT')
    process.kill(waiter.pid, 'SIGTERM')
    const { exit, stderr } = await waiter.ended
    expect([130, 143]).toContain(exit ?? 0)
    expect(stderr).toBe('')
    await untilLeft(store)
  })
})

/** Waits until the last user has closed the store: no log next to the file, or no session on the server. */
async function untilLeft(store: TestStore): Promise<void> {
  if (store.engine === 'sqlite') {
    expect(existsSync(store.address)).toBe(true)
    expect(readdirSync(store.folder).filter((name) => /-(wal|shm)$/.test(name))).toEqual([])
    return
  }
  await until(async () => {
    const rows = await store.sql(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'mailroom'`,
    )
    return rows.length === 0
  }, 'no session of the program')
}

async function oneThread({ address }: TestStore): Promise<{ thread: string; end: number }> {
  const lead = await connect(address, { agent: 'lead' })
  const { thread, next_event_id } = await lead.send({ to: 'worker', subject: 'one' })
  await lead.close()
  return { thread: thread.thread_id, end: next_event_id }
}
