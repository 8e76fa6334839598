// Compares a durable tool call with one that does nothing, using the same package and client.

import { join } from 'node:path'
import { runChild, startChild } from './child.ts'
import type { CallerTask } from './mcp-caller.ts'
import { percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { serve } from './serving.ts'

export async function benchMcp({
  rounds = 5,
  calls = 200,
}: {
  rounds?: number | undefined
  calls?: number | undefined
}): Promise<Report> {
  const caller = join(import.meta.dirname, 'mcp-caller.ts')
  return inFolder(async (folder) => {
    const server = await serve(join(folder, 'store.db'))
    const empty = startChild(join(import.meta.dirname, 'mcp-empty.ts'), {})
    const eras = [false, true].map((isNewer) => ({
      isNewer,
      durable: [] as number[],
      floor: [] as number[],
    }))
    try {
      const emptyUrl = await empty.hear<string>()
      const input = { to: 'worker', subject: 'A piece of work', body: 'x'.repeat(200) }
      const ours = { url: `${server.url}/mcp`, tool: 'thread_send', input, calls }
      const theirs = { url: emptyUrl, tool: 'empty', input: {}, calls }
      const times = (task: CallerTask) => runChild<number[]>(caller, task)
      for (let round = 0; round < rounds; round++) {
        for (const { isNewer, floor, durable } of eras) {
          floor.push(...(await times({ ...theirs, isNewer })))
          durable.push(...(await times({ ...ours, isNewer })))
        }
      }
    } finally {
      await empty.end()
      await server.stop()
    }
    return {
      figures: eras.map(({ isNewer, durable, floor }) => {
        const p50 = percentile(floor, 0.5)
        return {
          name: `thread_send in the ${isNewer ? 'newer' : 'older'} era, p50`,
          value: percentile(durable, 0.5) / p50,
          unit: 'x',
          bar: { at: '<=', value: 2.5 },
          over: `a tool that does nothing, p50 (${p50.toFixed(2)} ms)`,
        } as const
      }),
      notes: [`${rounds} rounds of ${calls} calls, one after the other, over HTTP`],
    }
  })
}
