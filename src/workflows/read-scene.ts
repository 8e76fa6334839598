// A workflow file and what is around it, for the tests of reading one.
import type { WorkflowPlan } from './plan.ts'
import type { ReadAround } from './read-parts.ts'
import { readWorkflow } from './read-workflow.ts'

export const AROUND: ReadAround = {
  path: '/work/flows/review.yaml',
  cwd: '/work/project',
  instance: 'pr-7',
  readText: (path) =>
    path === 'prompts/reviewer.md'
      ? { text: 'You review for ${{ params.team }}.' }
      : { why: 'does not exist', remedy: 'write it, or mend its name' },
  env: (name) => ({ HOME: '/home/me', WHO: '@coder', EMPTY: '' })[name],
  params: {},
  now: '2026-05-01T10:00:00.000Z',
}

export const AGENTS = `agents:
  reviewer:
    model: anthropic/claude-sonnet-4-5
    system_prompt: You review.
  coder:
    backend: command
    command: [sh, coder.sh]
`

export async function planOf(
  text: string,
  around: Partial<ReadAround> = {},
): Promise<WorkflowPlan> {
  const read = await readWorkflow(text, { ...AROUND, ...around })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.plan
}

export async function problemsOf(
  text: string,
  around: Partial<ReadAround> = {},
): Promise<string[]> {
  const read = await readWorkflow(text, { ...AROUND, ...around })
  const said = 'problems' in read ? read.problems : []
  return said.map(
    ({ file = '', line, column, what, remedy }) => `${file}${line}:${column} ${what}; ${remedy}`,
  )
}
