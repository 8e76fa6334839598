// The fields that run and start share, and the plan made from them.

import { quote, Refusal, refuse } from '../../core/error.ts'
import { field } from '../../core/sentence.ts'
import { toInstant } from '../../core/time.ts'
import type { WorkflowHost } from '../../workflows/host.ts'
import type { Problem, WorkflowPlan } from '../../workflows/plan.ts'
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

/** The parts of an operation that runs a workflow file. */
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

/** Refuses with all problems of the file and everything missing on this machine, before anything starts. */
export async function planFor(host: WorkflowHost, input: RunInput): Promise<WorkflowPlan> {
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
