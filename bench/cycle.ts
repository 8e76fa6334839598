// Cycles of claim, update and done through the library on SQLite, compared with a hand-written loop; and eight
// processes on one store, none of which may starve.

import { join } from 'node:path'
import { runChild, startChild } from './child.ts'
import { sharedMs } from './clock.ts'
import type { Rates, RoundsTask } from './cycle-rounds.ts'
import { fillStore } from './fill.ts'
import { median } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Report } from './report.ts'

const RACERS = 8
const AGENT = 'worker-1'

type Options = {
  rounds?: number | undefined
  cycles?: number | undefined
  seconds?: number | undefined
}
type Race = { cycles: number; slowestMs: number }

export async function benchCycle({
  rounds = 7,
  cycles = 200,
  seconds = 10,
}: Options): Promise<Report> {
  const rates = new Map<Disk, Rates>()
  const races = new Map<Disk, Race[]>()
  for (const disk of DISKS) {
    await inFolder(async (folder) => {
      // On a slow disk, each cycle spends 15 ms flushing, so fewer cycles are enough.
      const each = disk === 'slow' ? Math.ceil(cycles / 8) : cycles
      rates.set(disk, await alone(folder, { disk, rounds, cycles: each }))
      races.set(disk, await race(folder, disk, seconds))
    })
  }
  // The median of the per-round ratios, so that disturbances on the machine affect both sides alike.
  const ratio = (disk: Disk, to: 'hand' | 'bare') => {
    const { library = [], [to]: other = [] } = rates.get(disk) ?? {}
    return median(library.map((rate, i) => rate / (other[i] as number)))
  }
  const spread = (disk: Disk) => {
    const counts = (races.get(disk) ?? []).map((racer) => racer.cycles)
    return Math.min(...counts) / Math.max(...counts)
  }
  const each = (disk: Disk, what: keyof Rates) => median(rates.get(disk)?.[what] ?? [])
  const notes = DISKS.flatMap((disk) => [
    `${disk} disk, cycles/s: library ${each(disk, 'library').toFixed(0)}, by hand ${each(disk, 'hand').toFixed(0)}, bare ${each(disk, 'bare').toFixed(0)}`,
    `${disk} disk, ${RACERS} processes for ${seconds} s: ${(races.get(disk) ?? []).map((racer) => racer.cycles).join(' ')} cycles; longest cycle ${Math.max(...(races.get(disk) ?? []).map((racer) => racer.slowestMs)).toFixed(0)} ms`,
  ])
  return {
    figures: [
      {
        name: 'library',
        value: ratio('fast', 'hand'),
        slowDisk: ratio('slow', 'hand'),
        unit: 'x',
        bar: { at: '>=', value: 0.7 },
        over: 'hand-written loop: same schema and rows, three commits a cycle',
      },
      {
        name: 'library, against bare commits',
        value: ratio('fast', 'bare'),
        slowDisk: ratio('slow', 'bare'),
        unit: 'x',
        over: 'three commits of one 500-byte row into a table without indexes',
      },
      {
        name: `${RACERS} processes, slowest`,
        value: spread('fast'),
        slowDisk: spread('slow'),
        unit: 'x',
        bar: { at: '>=', value: 0.3 },
        over: 'the fastest of them',
      },
    ],
    notes: [`medians of ${rounds} interleaved rounds; ratios are taken within each`, ...notes],
  }
}

async function alone(
  folder: string,
  run: { disk: Disk; rounds: number; cycles: number },
): Promise<Rates> {
  const { rounds, cycles } = run
  const task: RoundsTask = {
    library: join(folder, 'library.db'),
    hand: join(folder, 'hand.db'),
    bare: join(folder, 'bare.db'),
    agent: AGENT,
    rounds,
    cycles,
  }
  // Threads are divided equally among the workers, and this worker needs enough for all rounds.
  const threads = (rounds + 2) * cycles * 4
  await fillStore(task.library, { threads, onlyPending: true })
  await fillStore(task.hand, { threads, onlyPending: true })
  return runChild<Rates>(join(import.meta.dirname, 'cycle-rounds.ts'), task, diskEnv(run.disk))
}

async function race(folder: string, disk: Disk, seconds: number): Promise<Race[]> {
  const db = join(folder, 'race.db')
  await fillStore(db, { threads: 20_000, onlyPending: true, workers: RACERS })
  const racers = Array.from({ length: RACERS }, (_, i) =>
    startChild(
      join(import.meta.dirname, 'cycle-racer.ts'),
      { db, agent: `worker-${i}` },
      diskEnv(disk),
    ),
  )
  try {
    await Promise.all(racers.map((racer) => racer.hear()))
    const from = sharedMs() + 100
    for (const racer of racers) racer.tell({ from, until: from + seconds * 1000 })
    return await Promise.all(racers.map((racer) => racer.hear<Race>()))
  } finally {
    await Promise.all(racers.map((racer) => racer.end()))
  }
}
