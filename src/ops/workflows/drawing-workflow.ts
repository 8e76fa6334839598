// A workflow file as people see it.

import { visible } from '../../core/error.ts'
import type { Problem } from '../../workflows/plan.ts'

/** One line for each, in the form that editors and terminals turn into links: FILE:LINE:COLUMN. */
export function drawCheck(answer: {
  file: string
  valid: boolean
  name: string
  agents: string[]
  problems: Problem[]
  warnings: Problem[]
}): string {
  const { file, valid, name, agents, problems, warnings } = answer
  const line = (said: Problem, mark = '') =>
    `${visible(said.file ?? file)}:${said.line}:${said.column} ${mark}${visible(said.what)}; ${visible(said.remedy)}\n`
  const said = [
    ...problems.map((one) => line(one)),
    ...warnings.map((one) => line(one, 'warning: ')),
  ]
  if (valid)
    said.push(`${visible(file)} is right: workflow ${visible(name)} with ${agents.join(', ')}\n`)
  return said.join('')
}
