// Every page of help, for each name of the program. Written by scripts/generate.ts.

import { groupHelp, helpOf, overallHelp, shortHelp } from '../src/doors/cli/help.ts'
import { groupsOf, operations } from '../src/doors/cli/listing.ts'
import { belongsTo, type ProgramName, shortName, typedCommand } from '../src/doors/cli/program.ts'

/** Joins all help pages of the shell, so that a review shows every change to them. */
export async function helpTranscript(): Promise<string> {
  return [await pagesOf('inbox'), await pagesOf('agent-worker')].join('\n')
}

async function pagesOf(program: ProgramName): Promise<string> {
  const page = { program }
  const pages = [
    `$ ${program} help\n${await shortHelp(page)}`,
    `$ ${program} help --all\n${await overallHelp(page)}`,
  ]
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  for (const [group, members] of groupsOf(ops)) {
    // Skip a group that is also a command (printed with the commands below), and one whose short name is empty.
    if (ops.some(({ name }) => name === group) || shortName(program, group) === '') continue
    pages.push(`$ ${typedCommand(program, group)} --help\n${groupHelp(group, members, page)}`)
  }
  for (const op of ops)
    pages.push(`$ ${typedCommand(program, op.name)} --help\n${await helpOf(op, page)}`)
  return pages.join('\n')
}
