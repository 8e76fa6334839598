// The commands that need no store.

import { quote, refuse } from '../../core/error.ts'
import { isOperation, loadOperation, type OperationName, RENAMED } from '../../ops/catalogue.ts'
import type { Arity } from './argv.ts'
import { completion, IDS, SHELLS } from './completion.ts'
import { unknownCommand } from './groups.ts'
import { groupHelp, type HelpPage, helpOf, helpPage, overallHelp, shortHelp } from './help.ts'
import type { Io } from './io.ts'
import { groupByFirst, operations } from './listing.ts'
import { parseOrHint } from './nearest.ts'

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
  const { flags, words } = parseOrHint(io.args, FLAGS, 'inbox help')
  const topic = words[1]
  const most = command === 'version' ? 1 : command === 'help' ? 3 : 2
  if (words.length > most) {
    throw refuse('invalid_input', `${quote(words[most] as string)} is unexpected; see 'inbox help'`)
  }
  if (command === undefined && json && flags.size === 1) {
    throw refuse('invalid_input', "give a command; 'inbox help' lists the commands")
  }
  if (command === 'version' || (command === undefined && flags.has('--version'))) {
    const version = io.version()
    io.out(json ? `${JSON.stringify({ ok: true, command: 'version', version })}\n` : `${version}\n`)
    return 0
  }
  if (command === 'completion' && topic === IDS) {
    const { offeredIds } = await import('./ids.ts')
    io.out(await offeredIds(io))
    return 0
  }
  if (command === 'completion' && !flags.has('--help')) {
    if (topic === undefined || !Object.hasOwn(SHELLS, topic)) {
      const said = topic === undefined ? '' : `${quote(topic)} is not a shell it knows; `
      throw refuse('invalid_input', `${said}name a shell: ${Object.keys(SHELLS).join(', ')}`)
    }
    io.out(await completion(topic as keyof typeof SHELLS))
    return 0
  }
  if (command === 'help' && topic !== undefined) {
    io.out(await helpOn(topic, words[2], helpPage(io.terminal())))
    return 0
  }
  const help = flags.has('--all') ? overallHelp : shortHelp
  io.out(await help(helpPage(io.terminal())))
  return 0
}

async function helpOn(first: string, second: string | undefined, page: HelpPage): Promise<string> {
  const said = second === undefined ? first : `${first} ${second}`
  const name = Object.hasOwn(RENAMED, said) ? (RENAMED[said] as OperationName) : said
  if (isOperation(name)) return helpOf(await loadOperation(name), page)
  const ops = await operations()
  const group = groupByFirst(ops).get(first)
  if (group === undefined || second !== undefined) throw unknownCommand([first, second], ops)
  return groupHelp(first, group, page)
}
