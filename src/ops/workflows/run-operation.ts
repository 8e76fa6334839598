// What `workflow run` and `workflow start` share: their fields, the plan made from them, and the answer, which says how
// the run ended and how each agent was left.

import { field, quote, Refusal, refuse } from '../../core/error.ts'
import { toInstant } from '../../core/time.ts'
import type { InstanceEnd, InstanceMode } from '../../core/workflows/instance.ts'
import type { WorkflowHost } from '../../workflows/host.ts'
import type { Problem, WorkflowPlan } from '../../workflows/plan.ts'
import type {
  AgentReport,
  DocumentReport,
  RunnerError,
  RunnerReport,
} from '../../workflows/runner-report.ts'
import { aFlag, aList, aNumber, aRow, aText, fieldsOf, maybe } from '../kit/answer.ts'
import { byDefault, flag, type Input, int, list, path, required, text } from '../kit/field.ts'
import { OPERATORS } from '../kit/operation.ts'

const DAY = 86_400

export const RUN_FIELDS = {
  file: required(path('the workflow file', { positional: true })),
  instance: byDefault(
    text('a name for the instance, so that several can run side by side', { max: 64 }),
    'default',
  ),
  param: list('a value for a param of the file, as NAME=VALUE; may be given more than once', {
    max: 100,
  }),
  resume: flag(
    'continue the last run of the instance: unread mentions are presented again, and turns are counted from zero',
  ),
  timeout_seconds: int('end it after this many seconds', { min: 1, max: 30 * DAY }),
  verbose: flag('also show what the agents’ programs say and which tools they use'),
}

export const RUN_OPERATION = {
  check: ({ param }: RunInput) => void paramsIn(param),
  writes: 'store',
  callers: OPERATORS,
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
} as const

export type RunInput = Input<typeof RUN_FIELDS>

function paramsIn(words: readonly string[] = []): Record<string, string> {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf('=')
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)]
    throw refuse.invalid_input`${field('param')} ${quote(word)} is not NAME=VALUE`
  })
  return Object.fromEntries(pairs)
}

/** The plan of the file, and how the caller wants it run. */
export async function wishFor(host: WorkflowHost, input: RunInput, mode: InstanceMode) {
  const { resume = false, verbose = false, timeout_seconds: timeoutSeconds } = input
  const plan = await planFor(host, input)
  return { plan, standalone: false, mode, resume, verbose, timeoutSeconds }
}

/** Before anything starts, refuses with a list of all problems in the file and everything missing on this machine. */
async function planFor(host: WorkflowHost, input: RunInput): Promise<WorkflowPlan> {
  const { problemsOf, readWorkflowFile } = await import('../../workflows/workflow-file.ts')
  const { file } = input
  const read = await readWorkflowFile({
    file,
    cwd: host.cwd,
    instance: input.instance,
    env: (name) => host.env[name],
    params: paramsIn(input.param),
    now: toInstant(host.now()),
  })
  const problems = await problemsOf(read, host)
  if (problems.length > 0 || !('plan' in read)) throw wrong(file, problems)
  return read.plan
}

function wrong(file: string, problems: readonly Problem[]) {
  const lines = problems.map(
    ({ file: other, line, column, what, remedy }) =>
      `${other ?? file}:${line}:${column} ${what}; ${remedy}`,
  )
  return new Refusal('invalid_input', lines.join('\n'), { problems })
}

const AGENT = aRow<AgentReport>('agent of a run', 'one agent, as the run left it', {
  agent: aText('its id'),
  name: aText('its name in the file'),
  turns: aNumber('how many turns it had'),
  unread: aNumber('its unread messages'),
  last: aText('the end of its last output'),
})

const DOCUMENT = aRow<DocumentReport>('document of a run', 'a document that changed', {
  file: aText('its path in the folder'),
  revision: aNumber('its last revision'),
  by: aText('who made that revision'),
})

export const RUN_ERROR = aRow<RunnerError>('error of a run', 'why it did not end as it should', {
  code: aText('how it ended: no_kickoff, timeout, failed, budget, hops, lost or stopped'),
  message: aText('the same for people, with the cause if known'),
})

export const RUN_REPORT = fieldsOf<RunnerReport>({
  ok: aFlag('whether it ended idle or was stopped'),
  error: maybe(RUN_ERROR),
  instance: aText('its name'),
  run: aNumber('which run of the instance, from 1'),
  ended: aText('idle, stopped, no_kickoff, timeout, failed, budget, hops or lost'),
  why: aText('details about the end, or empty'),
  seconds: aNumber('how long it took'),
  turns: aNumber('the turns of all agents'),
  entries: aNumber('the entries in the channel'),
  agents: aList(AGENT, 'in the order of the file'),
  documents: aList(DOCUMENT, 'the documents that changed in this run'),
})

export const WORDS_OF_END: Record<InstanceEnd, string> = {
  idle: 'is done',
  stopped: 'was stopped',
  no_kickoff: 'had nothing to do: the file has no kickoff that mentions an agent',
  timeout: 'ran out of time',
  failed: 'failed',
  budget: 'used up its turns',
  hops: 'ended because its agents only called each other',
  lost: 'was taken over by another runner',
}

type FailedRun = { instance: string; ended: InstanceEnd; why: string }

/** Programs that read JSON find an error whenever `ok` is false. */
export function errorOf({ instance, ended, why }: FailedRun): RunnerError {
  const more = why === '' ? '' : `: ${why}`
  return { code: ended, message: `${instance} ${WORDS_OF_END[ended]}${more}` }
}
