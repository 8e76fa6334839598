// How long a waiting process takes to notice what another has committed. The backstop looks by itself
// every second, on PostgreSQL every three; whoever is woken by the bell is far faster.

import type { ChildProcess } from 'node:child_process'
import { startActor, startProgram, threadOf } from '../programs/start.ts'
import { untilAsleep } from '../tools/asleep.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'

/** Well before the backstop, and far beyond what a bell takes even on a machine that is busy. */
export const BEFORE_BACKSTOP_MS = 600
/** The backstop (a second, three for a server), and room for a busy machine. */
export const WITH_BACKSTOP_MS = 6000

/**
 * A process waits for one event, another commits a burst of others and then that one. How late was each
 * last one noticed? Gaps of 0.1 to 4 ms: where Bun's watcher swallows rings. Ends early once one was
 * noticed as late as `enoughMs`.
 */
export async function noticeBursts(
  store: TestStore,
  { bursts, source, enoughMs = Infinity }: { bursts: number; source?: string; enoughMs?: number },
): Promise<number[]> {
  const waiter = await startActor(store.address, 'waiter', { source })
  const burster = startProgram<object>('burster', [store.address], { source })
  await burster.line()
  const late: number[] = []
  try {
    for (let burst = 0; burst < bursts && Math.max(0, ...late) < enoughMs; burst++) {
      const sent = await waiter.call('send', { to: 'nobody', subject: 'watched' })
      const thread = threadOf(sent)
      const waiting = waiter.call('watch', {
        status: ['cancelled'],
        after_event: sent.result?.next_event_id,
        timeout_seconds: 0,
      })
      const gapsUs = Array.from({ length: 1 + (burst % 19) }, () => 100 * 40 ** Math.random())
      burster.order({ thread, gapsUs })
      await burster.line()
      const cancelledAt = performance.now()
      await waiting
      late.push(performance.now() - cancelledAt)
    }
    return late
  } finally {
    burster.signal('SIGKILL')
    await waiter.close()
  }
}

/** A process waits, another commits once. */
export async function noticeOne(store: TestStore, source?: string): Promise<number> {
  const [late = Infinity] = await noticeSingles(store, { source, tries: 1 })
  return late
}

/**
 * The backstop has its own rhythm: a commit that comes just before its next look is noticed early by
 * chance. Whoever has only the backstop is late within a few tries; whoever hears the bell, in none.
 */
export function worstOfSingles(store: TestStore, source: string): Promise<number> {
  return noticeSingles(store, { source, tries: 25 }).then((late) => Math.max(...late))
}

async function noticeSingles(
  store: TestStore,
  { source, tries }: { source: string | undefined; tries: number },
): Promise<number[]> {
  const writer = await startActor(store.address, 'writer', { source })
  const waiter = await startActor(store.address, 'waiter', { source })
  const late: number[] = []
  try {
    while (late.length < tries && Math.max(0, ...late) < BEFORE_BACKSTOP_MS) {
      const sent = await writer.call('send', { to: 'waiter', subject: 'before' })
      const waiting = waiter.call('watch', {
        after_event: sent.result?.next_event_id,
        timeout_seconds: 0,
      })
      await untilWaiter(store, waiter.child)
      await writer.call('send', { to: 'waiter', subject: 'noticed' })
      const sentAt = performance.now()
      await waiting
      late.push(performance.now() - sentAt)
    }
    return late
  } finally {
    await Promise.all([writer.close(), waiter.close()])
  }
}

/** When the process has armed its bell, has looked, and sleeps: only then does a ring wake it. */
export async function untilWaiter(store: TestStore, child: ChildProcess): Promise<void> {
  if (store.engine === 'sqlite') {
    const { pid = 0 } = child
    return untilAsleep(Object.assign(child, { pid }))
  }
  // Somebody listens, and nobody has asked anything for a while: in a database of the test's own.
  await until(async () => {
    const [row] = await store.sql(
      `select bool_or(query = 'listen mailroom') as listens,
         extract(epoch from clock_timestamp() - max(query_start)) as quiet
       from pg_stat_activity where datname = current_database() and application_name = 'mailroom'`,
    )
    return row?.listens === true && Number(row.quiet) > 0.2
  }, 'a waiter that listens and is quiet')
}
