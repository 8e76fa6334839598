// The time from the start of the executable to the first request it has served.

import { join } from 'node:path'
import { inFolder } from './place.ts'
import { serve } from './serving.ts'

/** Returns the best time in this many rounds, in milliseconds, and the smallest command's best time for comparison. */
export async function timeOfStart(rounds: number): Promise<[number, number]> {
  let best = Number.POSITIVE_INFINITY
  let floor = Number.POSITIVE_INFINITY
  const program = join(import.meta.dirname, '..', 'dist', 'inbox')
  for (let round = 0; round < rounds; round++) {
    const took = await inFolder(async (folder) => {
      const start = performance.now()
      const server = await serve(join(folder, 'store.db'))
      await (await fetch(`${server.url}/healthz`)).text()
      const took = performance.now() - start
      await server.stop()
      return took
    })
    best = Math.min(best, took)
    const start = performance.now()
    await Bun.spawn([program, 'version'], { stdout: 'ignore' }).exited
    floor = Math.min(floor, performance.now() - start)
  }
  return [best, floor]
}
