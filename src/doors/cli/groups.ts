// Commands of two words share their first word: `inbox mail send`, `inbox mail read`. The first word alone
// lists them. This file also guesses what was meant by words that are not a command. It is off the path of
// every command.

import { quote, type Refusal, refuse } from '../../core/error.ts'
import { nearest } from '../../core/nearest.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { MEANT } from '../../ops/meant.ts'
import { arities } from './argv.ts'
import { groupHelp, helpPage } from './help.ts'
import type { Io } from './io.ts'
import { groupByFirst, operations } from './listing.ts'
import { parseOrHint } from './nearest.ts'

/** Commands of the shell itself, which need no store. */
const LOCAL = ['help', 'version', 'completion']

/** Handles words that are not a command: prints the help of a group, or refuses. */
export async function runGroup(
  io: Io,
  [first, second]: [string, string | undefined],
  json: boolean,
): Promise<number> {
  const ops = await operations()
  const group = groupByFirst(ops).get(first)
  const asksHelp = second === 'help'
  if (group === undefined || (second !== undefined && !asksHelp)) {
    throw unknownCommand([first, second], ops)
  }
  const { flags } = parseOrHint(io.args, arities({}), `inbox ${first} --help`)
  const help = groupHelp(first, group, helpPage(io.terminal()))
  if (asksHelp || flags.has('--help')) {
    io.out(help)
    return 0
  }
  if (json) {
    throw refuse('invalid_input', `give a command; 'inbox ${first} --help' lists the commands`)
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
    throw unknownCommand(words, ops)
  }
}

export function unknownCommand(
  [first, second]: [string, string | undefined],
  ops: Operation[],
): Refusal {
  const groups = [...groupByFirst(ops).keys()]
  const isGroup = groups.includes(first)
  const said = isGroup ? `${first} ${second}` : first
  const near = otherWord(first, second) ?? meant([first, second], ops)
  const help = isGroup ? `inbox ${first} --help` : 'inbox help'
  const hint = near === undefined ? `see '${help}'` : `did you mean 'inbox ${near}'?`
  return refuse('invalid_input', `${quote(said)} is not a command; ${hint}`)
}

/** The command that another program's word stands for, with what it wants. */
function otherWord(first: string, second: string | undefined): string | undefined {
  const words = [`${first} ${second}`, first].find((one) => Object.hasOwn(MEANT, one))
  const found = words === undefined ? undefined : MEANT[words]
  return found && [found.name, found.with ?? ''].join(' ').trimEnd()
}

function meant([first, second]: [string, string | undefined], ops: Operation[]) {
  const names = ops.map(({ name }) => name)
  const pairs = names.filter((name) => name.includes(' '))
  const groups = [...groupByFirst(ops).keys()]
  const both = second === undefined ? undefined : nearest(`${first} ${second}`, pairs)
  if (both !== undefined || groups.includes(first)) return both
  return (
    // The first word was forgotten: `inbox receipts`.
    pairs.find((name) => name.endsWith(` ${first}`)) ??
    nearest(first, [...names, ...groups, ...LOCAL])
  )
}
