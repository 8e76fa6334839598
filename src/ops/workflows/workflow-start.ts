import type { InstanceEnd } from '../../core/workflows/instance.ts'
import { EXIT_OF_END } from '../../workflows/ending.ts'
import type { RunnerError, RunnerReport } from '../../workflows/runner-report.ts'
import { aFlag, aNumber, aText, maybe } from '../kit/answer.ts'
import { flag, type Input } from '../kit/field.ts'
import type { BareContext } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'
import { RUN_ERROR, RUN_FIELDS, RUN_OPERATION, RUN_REPORT, wishFor } from './run-operation.ts'

export type StartedRunner = {
  instance: string
  background: true
  has_begun: boolean
  pid: number
  log: string
  socket: string
  url: string
}

/** A background runner that ended before it called any agent. */
export type UnbegunRunner = {
  ok: false
  error: RunnerError
  instance: string
  ended: InstanceEnd
  why: string
  log: string
}

/** How to reach the runner if it's in the background; otherwise, how the run ended. */
type StartAnswer = { instance: string } & Partial<Omit<StartedRunner, 'instance'>> &
  Partial<Omit<RunnerReport, 'instance'>>

/** The exit code if the wait timed out. */
const NOT_YET = 10

const FIELDS = { ...RUN_FIELDS, background: flag('keep running in the background') }

export const workflowStart = command({
  name: 'workflow start',
  example: 'workflow start review.yaml --background',
  summary: 'Start a workflow that keeps running until it is stopped.',
  about:
    "Like 'inbox workflow run', but it does not end when its agents have nothing to do: they wait for messages that people send with 'inbox workflow send', and for each other. Without a kickoff they wait from the start. With --background it keeps running after this command, which answers once setup is over and the kickoff was sent, with the process, its log and the address of its tools; 'inbox workflow stop' ends it. If setup fails, the exit code is 1 and the end of the log is shown. If setup takes longer than two minutes, it continues and the exit code is 10. Without --background it runs until interrupted.",
  fields: FIELDS,
  ...RUN_OPERATION,
  lasts: true,
  // Don't create a store for a file that can't run; a run in memory has a temporary store anyway.
  storeless: { when: () => true, run: start },
  run: start,
  takesLong: ({ background }) =>
    background ? 'waiting until setup is over' : 'running a workflow',
  exit({ ended, has_begun, log }) {
    if (ended === undefined) return has_begun ? 0 : NOT_YET
    // Ending before the agents were called isn't a success, even if the run was stopped.
    return EXIT_OF_END[ended] || (log === undefined ? 0 : 1)
  },
  answer: {
    ok: maybe(aFlag('whether it keeps running, or ended as it should')),
    error: maybe(RUN_ERROR),
    run: maybe(RUN_REPORT.run),
    ended: maybe(RUN_REPORT.ended),
    why: maybe(RUN_REPORT.why),
    seconds: maybe(RUN_REPORT.seconds),
    turns: maybe(RUN_REPORT.turns),
    entries: maybe(RUN_REPORT.entries),
    agents: maybe(RUN_REPORT.agents),
    documents: maybe(RUN_REPORT.documents),
    instance: aText('its name'),
    background: maybe(aFlag<true>('set if it keeps running in the background')),
    has_begun: maybe(
      aFlag('whether setup was over and the kickoff sent at the time of this answer'),
    ),
    pid: maybe(aNumber('the process of its runner')),
    log: maybe(aText('the log file of its runner')),
    socket: maybe(aText('the socket of its tools')),
    url: maybe(aText('the address of its tools')),
  },
  lines: async (answer, page) => {
    const { drawReport, drawStarted, drawUnbegun } = await import('./drawing.ts')
    if (answer.ended === undefined) return drawStarted(answer as StartedRunner, page)
    if (answer.log !== undefined) return drawUnbegun(answer as UnbegunRunner, page)
    return drawReport(answer as RunnerReport, page)
  },
})

async function start(
  context: AtShell<BareContext>,
  input: Input<typeof FIELDS>,
): Promise<StartAnswer> {
  const [host, { keepRunning, runPlan }] = await Promise.all([
    context.shell.workflows(),
    import('./run-plan.ts'),
  ])
  const wish = await wishFor(host, input, 'start')
  return input.background ? keepRunning(context, host, wish) : runPlan(context, host, wish)
}
