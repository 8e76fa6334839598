import { EXIT_OF_END } from '../../workflow/ending.ts'
import type { RunReport } from '../../workflow/run-lines.ts'
import { aFlag, aNumber, aText, maybe } from '../kit/answer.ts'
import { flag } from '../kit/field.ts'
import { OPERATORS } from '../kit/operation.ts'
import { command } from '../kit/shell.ts'
import { RUN_REPORT } from './run-answer.ts'
import { paramsIn, RUN_FIELDS } from './run-fields.ts'

export type StartedRunner = {
  instance: string
  background: true
  pid: number
  log: string
  socket: string
  url: string
}

/** In the background where it is found, otherwise how it ended. */
type StartAnswer = { instance: string } & Partial<Omit<StartedRunner, 'instance'>> &
  Partial<Omit<RunReport, 'instance'>>

export const workflowStart = command({
  name: 'workflow start',
  example: 'workflow start review.yaml --background',
  summary: 'Start a workflow that goes on until it is stopped.',
  about:
    "Like 'inbox workflow run', but it does not end when its agents have nothing to do: they wait for what people send with 'inbox workflow send', and for each other. Without a kickoff they wait from the start. With --background it goes on after this command: the answer says its process, its log and where its tools are, and 'inbox workflow stop' ends it. Otherwise it runs until interrupted.",
  fields: { ...RUN_FIELDS, background: flag('go on in the background') },
  check: ({ param }) => void paramsIn(param),
  writes: 'store',
  callers: OPERATORS,
  blocks: true,
  lasts: true,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  async run(context, input): Promise<StartAnswer> {
    const [host, { planFor }, { keepRunning, runPlan }] = await Promise.all([
      context.shell.workflows(),
      import('./run-fields.ts'),
      import('./run-plan.ts'),
    ])
    const wish = {
      plan: await planFor(host, input),
      standalone: false,
      mode: 'start',
      resume: input.resume ?? false,
      verbose: input.verbose ?? false,
      timeoutSeconds: input.timeout_seconds,
    } as const
    return input.background ? keepRunning(context, host, wish) : runPlan(context, host, wish)
  },
  takesLong: ({ background }) => (background ? undefined : 'running a workflow'),
  exit: ({ ended }) => (ended === undefined ? 0 : EXIT_OF_END[ended]),
  answer: {
    ...{ run: maybe(RUN_REPORT.run), ended: maybe(RUN_REPORT.ended), why: maybe(RUN_REPORT.why) },
    ...{ seconds: maybe(RUN_REPORT.seconds), turns: maybe(RUN_REPORT.turns) },
    ...{ entries: maybe(RUN_REPORT.entries), agents: maybe(RUN_REPORT.agents) },
    documents: maybe(RUN_REPORT.documents),
    instance: aText('its name'),
    background: maybe(aFlag('set if it goes on in the background')),
    pid: maybe(aNumber('the process of its runner')),
    log: maybe(aText('the file that its runner writes')),
    socket: maybe(aText('the socket of its tools')),
    url: maybe(aText('the address of its tools')),
  },
  lines: async (answer, page) => {
    const { drawReport, drawStarted } = await import('./drawing-run.ts')
    return answer.ended === undefined
      ? drawStarted(answer as StartedRunner, page)
      : drawReport(answer as RunReport, page)
  },
})
