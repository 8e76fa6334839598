// Concurrent calls in one process share commits. With 5 ms flushes, this is the difference between 150 calls per second
// and thousands. Meanwhile, the event loop must stay responsive.

import { join } from 'node:path'
import { runChild } from './child.ts'
import type { Called, CallerTask } from './grouping-caller.ts'
import { median } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'

const IN_FLIGHT = [1, 8, 64, 256]

type Options = { seconds?: number | undefined; rounds?: number | undefined }

export async function benchGrouping({ seconds = 2, rounds = 3 }: Options): Promise<Report> {
  const found = new Map<Disk, Called[][]>()
  for (const disk of DISKS) {
    await inFolder(async (folder) => {
      const task: CallerTask = {
        db: join(folder, 'store.db'),
        inFlight: IN_FLIGHT,
        seconds,
        rounds,
      }
      const file = join(import.meta.dirname, 'grouping-caller.ts')
      found.set(disk, await runChild<Called[][]>(file, task, diskEnv(disk)))
    })
  }
  const of = (disk: Disk, at: number, what: keyof Called) =>
    median((found.get(disk)?.[at] ?? []).map((called) => called[what]))
  const figures = IN_FLIGHT.flatMap((inFlight, at): Figure[] => [
    ...(at === 0
      ? []
      : [
          {
            name: `${inFlight} calls in flight`,
            value: of('fast', at, 'perSecond') / of('fast', 0, 'perSecond'),
            slowDisk: of('slow', at, 'perSecond') / of('slow', 0, 'perSecond'),
            unit: 'x' as const,
            over: `one call at a time: ${of('fast', 0, 'perSecond').toFixed(0)}/s, slow disk ${of('slow', 0, 'perSecond').toFixed(0)}/s`,
          },
        ]),
    {
      name: `${inFlight} in flight, event loop away, p99`,
      value: of('fast', at, 'lagP99'),
      slowDisk: of('slow', at, 'lagP99'),
      unit: 'ms',
      over: `a 1 ms timer; longest ${of('fast', at, 'lagMax').toFixed(0)} ms, slow disk ${of('slow', at, 'lagMax').toFixed(0)} ms`,
    },
  ])
  return { figures, notes: [`medians of ${rounds} interleaved rounds of ${seconds} s`] }
}
