import { toInstant } from '../../core/time.ts'
import type { Problem } from '../../workflows/plan.ts'
import { type AnswerOf, aFlag, aList, aNumber, aRow, aText, maybe } from '../kit/answer.ts'
import { type Input, path, required } from '../kit/field.ts'
import { ANYONE, type BareContext } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'

const FIELDS = {
  file: required(path('the workflow file', { positional: true })),
}

const PROBLEM = aRow<Problem>('problem', 'something wrong with a file', {
  file: maybe(aText('the file, where it is not the workflow’s own')),
  line: aNumber('the line, from 1'),
  column: aNumber('the column, from 1'),
  what: aText('what is wrong'),
  remedy: aText('what to do about it'),
})

const CHECKED = {
  file: aText('the path of the file'),
  valid: aFlag('whether it can be run'),
  name: aText('the workflow’s name, or empty if the file is wrong'),
  agents: aList(aText('a name'), 'its agents'),
  problems: aList(PROBLEM, 'everything that is wrong with it'),
  warnings: aList(PROBLEM, 'what works but is probably not meant'),
}

export type CheckAnswer = AnswerOf<typeof CHECKED>

export const workflowCheck = command({
  name: 'workflow check',
  example: 'workflow check review.yaml',
  summary: 'Read a workflow file and say what is wrong with it, and where.',
  about:
    'Nothing is started and no store is needed. The file is wrong if a run would be refused: unknown keys, names and tools, prompt files that are missing, placeholders that cannot be filled in. Params and variables of the environment need no value for a check; whether programs and keys are there is looked at when the workflow runs. Exit code 30 means that something is wrong. Warnings, about what works but is probably not meant, change nothing.',
  fields: FIELDS,
  writes: 'nothing',
  callers: ANYONE,
  refusals: ['invalid_input'],
  storeless: { when: () => true, run: check },
  run: check,
  verdict: ({ valid }) => (valid ? undefined : 'invalid_input'),
  answer: CHECKED,
  lines: async (answer) => (await import('./drawing.ts')).drawCheck(answer),
})

async function check(
  { origin, shell }: Pick<AtShell<BareContext>, 'origin' | 'shell'>,
  { file }: Input<typeof FIELDS>,
): Promise<CheckAnswer> {
  const { ANY_MACHINE, problemsOf, readWorkflowFile } = await import(
    '../../workflows/workflow-file.ts'
  )
  const read = await readWorkflowFile({
    file,
    cwd: origin?.folder ?? '/',
    instance: 'default',
    env: shell.remote.variable,
    params: {},
    now: toInstant(Date.now()),
    checkOnly: true,
  })
  const problems = await problemsOf(read, ANY_MACHINE)
  if (problems.length > 0 || !('plan' in read)) {
    return { file, valid: false, name: '', agents: [], warnings: [], problems }
  }
  const { plan, warnings } = read
  const agents = plan.agents.map(({ name }) => name)
  return { file, valid: true, name: plan.name, agents, problems, warnings }
}
