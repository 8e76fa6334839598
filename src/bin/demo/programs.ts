// The parts that the stand-ins of the demo play: the programs that approvals start, and the one that wakes wren.

import { answerMail } from './answers.ts'
import { APPLY, type Cast, PUBLISH, WAKE_WREN } from './cast.ts'
import { pause, type Stage } from './stage.ts'
import type { StandIn } from './stand-ins.ts'

export function programsOf(stage: Stage, { wren }: Cast): Record<string, StandIn> {
  return {
    [APPLY[0]]: async () => {
      await pause(stage, 3)
      return { code: 0 }
    },
    [PUBLISH[0]]: async () => {
      await pause(stage, 4)
      const stderr = 'publish-answers: the help desk does not answer (503); nothing was published\n'
      return { code: 1, stderr }
    },
    [WAKE_WREN[0]]: async () => {
      await pause(stage, 2)
      await answerMail(stage, 'wren', wren)
      return { code: 0 }
    },
  }
}
