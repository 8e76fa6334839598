// Commands of several words share their first ones: `inbox mail send`, `inbox mail read`. The shared words alone
// list them. This file also guesses what was meant by words that are not a command. It is off the path of
// every command.

import { quote, type Refusal, refuse } from '../../core/error.ts'
import { nearest } from '../../core/nearest.ts'
import { shellWord } from '../../core/shell-word.ts'
import { isOperation } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { MEANT } from '../../ops/meant.ts'
import { arities } from './argv.ts'
import { groupHelp, helpPage } from './help.ts'
import type { Io } from './io.ts'
import { groupsOf, operations } from './listing.ts'
import { parseOrHint } from './nearest.ts'
import { isOf, LOCAL, PROGRAMS, type ProgramName, shortName, typed } from './program.ts'

/** Handles words that are not a command: prints the help of a group, or refuses. */
export async function runGroup(io: Io, words: string[], json: boolean): Promise<number> {
  const ops = await operations()
  const { group, members, rest } = groupIn(words, ops)
  const asksHelp = rest[0] === 'help'
  if (members === undefined || (rest.length > 0 && !asksHelp)) {
    throw unknownCommand(words, ops, io.program)
  }
  const command = `${typed(io.program, group)} --help`
  const { flags } = parseOrHint(io.args, arities({}), command)
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

/** For a word after a command such as `push`: an existing file of that name is more likely than a typo. */
export async function mustNotMean(io: Io, words: [string, string]): Promise<void> {
  if (io.isThere(words[1])) return
  const ops = await operations()
  const isOther = Object.hasOwn(MEANT, words.join(' '))
  if (isOther || words[1] === 'help' || meant(words, ops) !== undefined) {
    throw unknownCommand(words, ops, io.program)
  }
}

/** The longest words that several commands begin with, and what was said after them. */
export function groupIn(words: string[], ops: Operation[]) {
  const groups = groupsOf(ops)
  const count = words.findLastIndex((_, i) => groups.has(words.slice(0, i + 1).join(' '))) + 1
  const group = words.slice(0, count).join(' ')
  return { group, members: groups.get(group), rest: words.slice(count) }
}

export function unknownCommand(words: string[], ops: Operation[], program: ProgramName): Refusal {
  const { group, rest } = groupIn(words, ops)
  const known = Math.max(words.length - rest.length, words[0] === PROGRAMS[program] ? 1 : 0)
  const said = shortName(program, words.slice(0, known + 1).join(' '))
  const near =
    aWorkflow(words) ?? otherWord(words) ?? ofInbox(words, ops, program) ?? meant(words, ops)
  const help = group === '' ? `${program} help` : `${typed(program, group)} --help`
  const hint = near === undefined ? `see '${help}'` : `did you mean '${typed(program, near)}'?`
  return refuse('invalid_input', `${quote(said)} is not a command; ${hint}`)
}

/** A workflow file where a command is wanted. */
function aWorkflow(words: string[]): string | undefined {
  const file = words.find((word) => /\.ya?ml$/.test(word))
  const isAlone = words.filter((word) => word !== 'workflow' && word !== 'run').length === 1
  return file !== undefined && isAlone ? `workflow run ${shellWord(file)}` : undefined
}

/** A command, or the words that several begin with, that the other name of the program has. */
function ofInbox(words: string[], ops: Operation[], program: ProgramName): string | undefined {
  if (PROGRAMS[program] === '') return undefined
  const own = words.slice(1)
  const names = own.map((_, i) => own.slice(0, own.length - i).join(' '))
  const isKnown = (name: string) => isOperation(name) || groupsOf(ops).has(name)
  return names.find((name) => isKnown(name) && !isOf(program, name))
}

/** The command that another program's word stands for, with what it wants. */
function otherWord([first = '', second]: string[]): string | undefined {
  const words = [`${first} ${second}`, first].find((one) => Object.hasOwn(MEANT, one))
  const found = words === undefined ? undefined : MEANT[words]
  return found && [found.name, found.with ?? ''].join(' ').trimEnd()
}

function meant(words: string[], ops: Operation[]): string | undefined {
  const [first = ''] = words
  const names = ops.map(({ name }) => name)
  const { group, rest } = groupIn(words, ops)
  // Words that are right say nothing about the wrong one, so that one is compared by itself.
  const below = group === '' ? '' : `${group} `
  const within = names.flatMap((name) => (name.startsWith(below) ? name.slice(below.length) : []))
  for (let count = rest.length; count > (group === '' ? 1 : 0); count--) {
    const alike = within.filter((name) => name.split(' ').length === count)
    const near = nearest(rest.slice(0, count).join(' '), alike)
    if (near !== undefined) return `${below}${near}`
  }
  if (group !== '') return undefined
  return (
    // The first word was forgotten: `inbox receipts`.
    names.find((name) => name.includes(' ') && name.endsWith(` ${first}`)) ??
    nearest(first, [...names, ...groupsOf(ops).keys(), ...LOCAL])
  )
}
