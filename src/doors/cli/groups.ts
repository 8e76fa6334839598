// Commands that begin with the same words are a group: `inbox mail` lists `inbox mail send` and `inbox mail read`.
// Loaded only if the words are not a command, or the command is also a group.

import { refuse } from '../../core/error.ts'
import { arities, parseFlags } from './argv.ts'
import { groupHelp, helpPage } from './help.ts'
import type { Io } from './io.ts'
import { groupIn, operations } from './listing.ts'
import { typedCommand } from './program.ts'
import { FOREIGN_WORDS, nearestCommand, refuseUnknownCommand } from './suggest.ts'

/** Prints the help of the group the words name, or refuses them. */
export async function runGroup(io: Io, words: string[], json: boolean): Promise<number> {
  const ops = await operations()
  const { group, members, rest } = groupIn(words, ops)
  const asksHelp = rest[0] === 'help'
  if (members === undefined || (rest.length > 0 && !asksHelp)) {
    throw refuseUnknownCommand(words, ops, io.program)
  }
  const command = `${typedCommand(io.program, group)} --help`
  const { flags } = parseFlags(io.args, arities({}), command)
  const help = groupHelp(group, members, helpPage(io))
  if (asksHelp || flags.has('--help')) {
    io.out(help)
    return 0
  }
  if (json) {
    throw refuse('invalid_input', `give a command; '${command}' lists the commands`)
  }
  io.err(help)
  return 30
}

/** Refuses the word after a command such as `push` if it resembles a command of the group, unless there is a file of that name. */
export async function refuseMisspelled(io: Io, words: [string, string]): Promise<void> {
  if (io.isThere(words[1])) return
  const ops = await operations()
  const isOther = Object.hasOwn(FOREIGN_WORDS, words.join(' '))
  if (isOther || words[1] === 'help' || nearestCommand(words, ops) !== undefined) {
    throw refuseUnknownCommand(words, ops, io.program)
  }
}
