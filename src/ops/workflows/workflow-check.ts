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
  file: maybe(aText('the file, if it is not the workflow file')),
  line: aNumber('the line, from 1'),
  column: aNumber('the column, from 1'),
  what: aText('what is wrong'),
  remedy: aText('how to fix it'),
})

const CHECKED = {
  file: aText('the path of the file'),
  valid: aFlag('whether it can be run'),
  name: aText('the workflow’s name, or empty if the file is invalid'),
  agents: aList(aText('a name'), 'its agents'),
  problems: aList(PROBLEM, 'everything that is wrong with it'),
  warnings: aList(PROBLEM, 'what works but is probably a mistake'),
}

export type CheckAnswer = AnswerOf<typeof CHECKED>

export const workflowCheck = command({
  name: 'workflow check',
  example: 'workflow check review.yaml',
  summary: 'Check a workflow file, and list what is wrong with it and where.',
  about:
    'Nothing is started and no store is needed. A file is invalid if a run would be refused: unknown keys, names and tools, missing prompt files, placeholders that cannot be filled in. Params and environment variables need no value for a check; programs and keys are checked when the workflow runs. Exit code 30 means that the file is invalid. Warnings, about things that work but are probably mistakes, do not change that.',
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
