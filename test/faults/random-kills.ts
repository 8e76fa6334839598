// Worker processes are killed at random moments and replaced, again and again. Is every acknowledged write still there?

import type { Kept } from '../programs/cycler.ts'
import { nextLines, type Program, startProgram } from '../programs/start.ts'
import { withStore } from '../races/own-store.ts'
import { contradictions, findingsOf } from '../races/witness.ts'
import type { Engine } from '../worlds/store.ts'

export type Killed = {
  kills: number
  acknowledged: number
  stored: number
  /** Acknowledged writes that are missing or differ from what was acknowledged. */
  lost: Kept[]
  contradictions: string[]
  findings: string[]
}

export async function killAtRandom(
  engine: Engine,
  { kills, workers = 4 }: { kills: number; workers?: number },
): Promise<Killed> {
  return withStore(engine, async (store) => {
    let started = 0
    const kept: Kept[] = []
    const oneAfterAnother = async (lives: number) => {
      for (let life = 0; life < lives; life++) {
        const name = `worker${started++}`
        const worker = startProgram<Kept>('cycler', [store.address, name])
        kept.push(...(await liveAndDie(worker, 1 + (started % 8))))
      }
    }
    const share = Math.ceil(kills / workers)
    await Promise.all(Array.from({ length: workers }, () => oneAfterAnother(share)))
    const events = await store.sql('select event_id, event_type, thread_id from events')
    const logged = new Map(
      events.map((row) => [Number(row.event_id), `${row.event_type} ${row.thread_id}`]),
    )
    return {
      kills: started,
      acknowledged: kept.length,
      stored: logged.size,
      lost: kept.filter(({ event_id, op, thread }) => logged.get(event_id) !== `${op} ${thread}`),
      contradictions: await contradictions(store, kept),
      findings: await findingsOf(store.address),
    }
  })
}

/** Kills the worker within 20 ms of its first lines of output, at any point of its work. */
async function liveAndDie(worker: Program<Kept>, words: number): Promise<Kept[]> {
  const first = await nextLines(worker, words)
  const timer = setTimeout(() => worker.signal('SIGKILL'), Math.random() * 20)
  const rest = await worker.rest()
  clearTimeout(timer)
  const { signal } = await worker.ended
  if (signal !== 'SIGKILL') throw new Error(`a worker ended by itself: ${worker.stderr()}`)
  return [...first, ...rest]
}
