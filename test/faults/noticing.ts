// Is a waiting process woken when another one commits and rings? The backstop, which checks every second or every five,
// would hide a lost ring, so it is removed from the sources that run here. A wait that returns was therefore woken by a
// ring, however long that took.

import type { ChildProcess } from 'node:child_process'
import { type Actor, type Answer, startActor, startProgram, threadOf } from '../programs/start.ts'
import { untilAsleep } from '../tools/asleep.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import type { Mutation } from './guards/mutant.ts'

export const WITHOUT_BACKSTOP: Mutation[] = [
  ['store/sqlite/store.ts', 'const LOOKOUT_MS = 1000'] as const,
  ['store/postgres/store.ts', 'const LOOKOUT_MS = 5000'] as const,
].map(([file, guard]) => ({ file, guard, without: 'const LOOKOUT_MS = 3_600_000' }))

/** Not an agent, because a waiting agent regularly records that it's waiting, and looks again after that. */
const OPERATOR = ''

/** How to tell that the waiter wasn't woken: it never returns, or it is asleep after all rings. */
type Patience = 'until it comes' | 'until it sleeps'

/** One process waits while another commits once. Returns whether the waiter is woken. */
export async function hearsOne(
  store: TestStore,
  source: string,
  patience: Patience,
): Promise<boolean> {
  const writer = await startActor(store.address, 'writer', { source })
  const waiter = await startActor(store.address, OPERATOR, { source })
  try {
    const sent = await writer.call('send', { to: 'worker', subject: 'before' })
    const after_event = sent.result?.next_event_id
    const waiting = waiter.call('watch', { after_event, timeout_seconds: 0 })
    await untilWaiter(store, waiter.child)
    await writer.call('send', { to: 'worker', subject: 'noticed' })
    return await isWoken(store, { waiter, waiting, patience })
  } finally {
    await Promise.all([writer.close(), waiter.close()])
  }
}

/**
 * A process waits for one event while another commits a burst of others and then that one. Returns once the waiter has
 * been woken for the last event of every burst. The gaps are 0.1 to 4 ms, where Bun's watcher swallows rings.
 */
export async function hearBursts(
  store: TestStore,
  source: string,
  { bursts }: { bursts: number },
): Promise<void> {
  const waiter = await startActor(store.address, OPERATOR, { source })
  const burster = startProgram<object>('burster', [store.address], { source })
  await burster.line()
  try {
    for (let burst = 0; burst < bursts; burst++) {
      const sent = await waiter.call('send', { from: 'lead', to: 'nobody', subject: 'watched' })
      const waiting = waiter.call('watch', {
        status: ['cancelled'],
        after_event: sent.result?.next_event_id,
        timeout_seconds: 0,
      })
      const gapsUs = Array.from({ length: 1 + (burst % 19) }, () => 100 * 40 ** Math.random())
      burster.order({ thread: threadOf(sent), gapsUs })
      await burster.line()
      await isWoken(store, { waiter, waiting, patience: 'until it comes' })
    }
  } finally {
    burster.signal('SIGKILL')
    await waiter.close()
  }
}

type Wait = { waiter: Actor; waiting: Promise<Answer>; patience: Patience }

async function isWoken(store: TestStore, { waiter, waiting, patience }: Wait): Promise<boolean> {
  let isBack = false
  const back = waiting.then(({ result, refusal }) => {
    isBack = result?.woke === true
    if (!isBack) throw new Error(`it was not woken: ${JSON.stringify(refusal ?? result)}`)
  })
  const giveUp =
    patience === 'until it sleeps'
      ? untilWaiter(store, waiter.child)
      : until(async () => isBack, 'the waiter is woken')
  await Promise.race([back, giveUp])
  return isBack
}

/** Waits until the process has armed its bell, has looked, and is asleep. Only then can a ring wake it. */
export async function untilWaiter(store: TestStore, child: ChildProcess): Promise<void> {
  if (store.engine === 'sqlite') {
    const { pid = 0 } = child
    return untilAsleep(Object.assign(child, { pid }))
  }
  // One session listens and has sent no query for a while. The database belongs to this test.
  await until(async () => {
    const [row] = await store.sql(
      `select bool_or(query = 'listen mailroom') as listens,
         extract(epoch from clock_timestamp() - max(query_start)) as quiet
       from pg_stat_activity where datname = current_database() and application_name = 'mailroom'`,
    )
    return row?.listens === true && Number(row.quiet) > 0.2
  }, 'a waiter that listens and is quiet')
}
