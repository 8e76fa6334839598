// The commands that aren't operations: help, version, completion, and groups. Commands that begin with the same word
// are a group: `inbox mail` lists `inbox mail send` and `inbox mail read`.

import { quote, refuse } from '../../core/error.ts'
import { ALIASES, isOperation, loadOperation, RENAMED } from '../../ops/catalogue.ts'
import { type Arity, arities, parseFlags } from './argv.ts'
import { makeCompletion } from './completion.ts'
import { SHELL_NAMES, STORE_VALUES } from './completion-scripts.ts'
import { groupHelp, type HelpPage, helpOf, helpPage, overallHelp, shortHelp } from './help.ts'
import type { Io } from './io.ts'
import { groupIn, operations } from './listing.ts'
import { shortName, typedCommand } from './program.ts'
import { FOREIGN_WORDS, nearestCommand, refuseUnknownCommand } from './suggest.ts'

const FLAGS = new Map<string, Arity>([
  ['--json', 'switch'],
  ['--db', 'once'],
  ['--agent', 'once'],
  ['--all', 'switch'],
  ['--help', 'switch'],
  ['--version', 'switch'],
])

export async function runLocal(
  io: Io,
  command: string | undefined,
  json: boolean,
): Promise<number> {
  const { program } = io
  const { flags, words } = parseFlags(io.args, FLAGS, `${program} help`)
  const topic = words[1]
  const most = command === 'version' ? 1 : command === 'help' ? 5 : 2
  if (words.length > most)
    throw refuse.invalid_input`${quote(words[most] as string)} is unexpected; see '${program} help'`
  if (command === undefined && json && flags.size === 1)
    throw refuse.invalid_input`give a command; '${program} help' lists the commands`
  if (command === 'version' || (command === undefined && flags.has('--version'))) {
    const version = io.version()
    io.out(json ? `${JSON.stringify({ ok: true, command: 'version', version })}\n` : `${version}\n`)
    return 0
  }
  const asked = command === 'completion' && STORE_VALUES.find((name) => name === topic)
  if (asked) {
    const { listStoreValues } = await import('./completion.ts')
    io.out(await listStoreValues(io, asked))
    return 0
  }
  if (command === 'completion' && !flags.has('--help')) {
    const shell = SHELL_NAMES.find((name) => name === topic)
    if (shell === undefined) {
      const said = topic === undefined ? '' : `there is no completion for ${quote(topic)}; `
      const shells = SHELL_NAMES.join(', ')
      throw refuse.invalid_input`${said}name a shell, one of ${shells}; '${program} completion --help' says what to do with it`
    }
    io.out(await makeCompletion(shell, program))
    return 0
  }
  if (command === 'completion') {
    io.out(completionHelp(program))
    return 0
  }
  if (command === 'help' && topic !== undefined) {
    io.out(await helpOn(words.slice(1), helpPage(io)))
    return 0
  }
  const help = flags.has('--all') ? overallHelp : shortHelp
  io.out(await help(helpPage(io)))
  return 0
}

function completionHelp(program: string): string {
  return `  eval "$(${program} completion bash)"

${program} completion bash|zsh|fish

Print a script with which a shell completes commands, flags, files, ids and
names. Add the line of your shell to the file that it reads when it starts:

  bash  ~/.bashrc                   eval "$(${program} completion bash)"
  zsh   ~/.zshrc, after compinit    eval "$(${program} completion zsh)"
  fish  ~/.config/fish/config.fish  ${program} completion fish | source
`
}

async function helpOn(words: string[], page: HelpPage): Promise<string> {
  const said = words.join(' ')
  if (said === 'completion') return completionHelp(page.program)
  const name = ALIASES[said] ?? RENAMED[said] ?? said
  if (isOperation(name)) return helpOf(await loadOperation(name), page)
  const ops = await operations()
  const { group, members, rest } = groupIn(words, ops)
  const turned = words.toReversed().join(' ')
  if (isOperation(turned)) {
    const hint = `did you mean '${page.program} help ${shortName(page.program, turned)}'?`
    throw refuse.invalid_input`${quote(said)} is not a command; ${hint}`
  }
  if (members === undefined || rest.length > 0) throw refuseUnknownCommand(words, ops, page.program)
  return groupHelp(group, members, page)
}

/** Prints the help of the group that the words name, or refuses them if they name none. */
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
  if (json) throw refuse.invalid_input`give a command; '${command}' lists the commands`
  io.err(help)
  return 30
}

/**
 * Refuses the word after a command such as `push` if it resembles a command of the group, unless it's an existing
 * file.
 */
export async function refuseMisspelled(io: Io, words: [string, string]): Promise<void> {
  if (io.isThere(words[1])) return
  const ops = await operations()
  const isOther = Object.hasOwn(FOREIGN_WORDS, words.join(' '))
  if (isOther || words[1] === 'help' || nearestCommand(words, ops) !== undefined) {
    throw refuseUnknownCommand(words, ops, io.program)
  }
}
