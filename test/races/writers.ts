// Processes write at full speed at the same time. Is every acknowledged write in the log, in its place, and nothing
// else?

import { startProgram, startTogether, untilEachSaid } from '../programs/start.ts'
import type { Shown } from '../programs/tail.ts'
import type { Sent } from '../programs/writer.ts'
import type { Engine, TestStore } from '../worlds/store.ts'
import { withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

export type Written = {
  /** The number of acknowledged writes per process; at least `each` for every process. */
  shares: number[]
  /** The acknowledged writes, and the log. If they differ, writes were lost or made up. */
  told: [number, string][]
  logged: [number, string][]
  problems: string[]
}

export async function writeTogether(
  engine: Engine,
  {
    writers,
    each,
    journal = '',
  }: { writers: number; each: number; journal?: 'wal' | 'delete' | '' },
): Promise<Written> {
  return withStore(engine, async (store) => {
    const { sent, stderr } = await runWriters(store, { writers, each, journal })
    const told = sent.flat().sort((a, b) => a.event_id - b.event_id)
    const rows = await store.sql(
      "select event_id, thread_id from events where thread_id <> '' order by event_id",
    )
    // With this journal, skips doctor: like any other program here, it would open the store with a write-ahead log.
    const findings = journal === 'delete' ? [] : await findingsOf(store.address)
    return {
      shares: sent.map((share) => share.length),
      told: told.map(({ event_id, thread }) => [event_id, thread]),
      logged: rows.map((row) => [Number(row.event_id), String(row.thread_id)]),
      problems: [...stderr, ...(await contradictions(store, told)), ...findings],
    }
  })
}

export type Followed = { shown: number[]; logged: number[] }

/** Like writeTogether, with a reader that follows the log by its cursor. */
export async function followWriters(
  engine: Engine,
  { writers, each }: { writers: number; each: number },
): Promise<Followed> {
  return withStore(engine, async (store) => {
    const tail = startProgram<Shown>('tail', [store.address])
    await tail.line()
    // Pauses briefly after each write. Otherwise, a busy machine leaves no time for the reader.
    const { sent } = await runWriters(store, { writers, each, restMs: 1 })
    const logged = sent
      .flat()
      .map(({ event_id }) => event_id)
      .sort((a, b) => a - b)
    const shown: number[] = []
    while (shown.at(-1) !== logged.at(-1)) shown.push(...(await tail.line()).ids)
    tail.signal('SIGKILL')
    return { shown, logged }
  })
}

async function runWriters(
  { address }: TestStore,
  how: { writers: number; each: number; journal?: string; restMs?: number },
): Promise<{ sent: Sent[][]; stderr: string[] }> {
  const env = { MAILROOM_JOURNAL: how.journal ?? '' }
  const programs = await startTogether(how.writers, (i) => {
    const args = [address, `writer${i}`, String(how.restMs ?? 0)]
    return startProgram<Sent>('writer', args, { env })
  })
  const sent = await untilEachSaid(programs, how.each)
  const stderr = programs.map((program) => program.stderr()).filter((said) => said !== '')
  return { sent, stderr }
}
