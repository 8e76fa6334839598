// Makes a number of sends per second, whether or not the earlier ones have been answered. Meanwhile, it reads the list
// over a separate connection and records how long that takes.

import { answer, nextMessage } from './child.ts'
import { as } from './serving.ts'

export type CrowdTask = { url: string; perSecond: number; seconds: number }
export type Crowded = { looks: number[]; answered: number; asked: number; failed: number }

const { url, perSecond, seconds } = await nextMessage<CrowdTask>()
const words = JSON.stringify({ to: 'worker', subject: 'A piece of work', body: 'x'.repeat(200) })
const post = async (op: string, agent: string, body: string) => {
  const response = await fetch(`${url}/api/ops/${op}`, { method: 'POST', headers: as(agent), body })
  await response.arrayBuffer()
  return response.ok
}

const crowded: Crowded = { looks: [], answered: 0, asked: 0, failed: 0 }
const start = performance.now()
const open = new Set<Promise<void>>()
let isOver = false

const looking = (async () => {
  while (!isOver) {
    const before = performance.now()
    await post('list', 'onlooker', '{"limit":10}')
    crowded.looks.push(performance.now() - before)
    await Bun.sleep(10)
  }
})()

while (performance.now() - start < seconds * 1000) {
  const due = Math.floor(((performance.now() - start) / 1000) * perSecond)
  for (; crowded.asked < due; crowded.asked++) {
    const sending = post('send', 'lead', words)
      .then((ok) => {
        if (ok) crowded.answered += 1
        else crowded.failed += 1
      })
      .catch(() => {
        crowded.failed += 1
      })
      .finally(() => open.delete(sending))
    open.add(sending)
  }
  await Bun.sleep(1)
}
await Promise.all(open)
isOver = true
await looking
answer(crowded)
