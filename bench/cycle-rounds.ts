// One process that alternates rounds of the library and of the hand-written loops. Answers with the cycles per second
// of every round.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { bareLoop, handLoop } from './cycle-hand.ts'

export type RoundsTask = {
  library: string
  hand: string
  bare: string
  agent: string
  rounds: number
  cycles: number
}
export type Rates = Record<'library' | 'hand' | 'bare', number[]>

const task = await nextMessage<RoundsTask>()
const inbox = await connect(task.library, { agent: task.agent })
const hand = handLoop(task.hand, task.agent)
const bare = bareLoop(task.bare)

const loops: Record<keyof Rates, () => Promise<void> | void> = {
  async library() {
    const { thread } = await inbox.claim({})
    if (thread === null) throw new Error('nothing left')
    const { thread_id } = thread
    await inbox.update({
      thread: thread_id,
      status: 'in_progress',
      summary: 'half of it is done',
    })
    await inbox.done({ thread: thread_id, summary: 'all of it is done' })
  },
  hand: hand.cycle,
  bare: bare.cycle,
}

const rates: Rates = { library: [], hand: [], bare: [] }
for (let round = -1; round < task.rounds; round++) {
  for (const [name, cycle] of Object.entries(loops)) {
    const startedAt = performance.now()
    for (let i = 0; i < task.cycles; i++) await cycle()
    const seconds = (performance.now() - startedAt) / 1000
    if (round >= 0) rates[name as keyof Rates].push(task.cycles / seconds)
  }
}
await inbox.close()
hand.close()
bare.close()
answer(rates)
