// One process that keeps a number of calls in flight for a while, and a timer that shows how long the event loop was
// blocked.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { percentile } from './numbers.ts'

export type CallerTask = { db: string; inFlight: number[]; seconds: number; rounds: number }
export type Called = { perSecond: number; lagP50: number; lagP99: number; lagMax: number }

const task = await nextMessage<CallerTask>()
const inbox = await connect(task.db, { agent: 'lead' })
const found = task.inFlight.map((): Called[] => [])
for (let round = 0; round < task.rounds; round++) {
  for (const [at, inFlight] of task.inFlight.entries()) {
    found[at]?.push(await callFor(inFlight, task.seconds * 1000))
  }
}
await inbox.close()
answer(found)

async function callFor(inFlight: number, ms: number): Promise<Called> {
  const lags: number[] = []
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 1))
      lags.push(performance.now() - startedAt - 1)
    }
  })()
  const startedAt = performance.now()
  const until = startedAt + ms
  let calls = 0
  const caller = async () => {
    while (performance.now() < until) {
      await inbox.send({ to: 'worker', subject: 'a call among others' })
      calls++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  const seconds = (performance.now() - startedAt) / 1000
  isOver = true
  await watch
  return {
    perSecond: calls / seconds,
    lagP50: percentile(lags, 0.5),
    lagP99: percentile(lags, 0.99),
    lagMax: Math.max(...lags),
  }
}
