// Suggests a command in place of one that doesn't exist: the equivalent of another program's command, the same word
// elsewhere in the catalogue, or the nearest spelling. Loaded only for refusals.

import { quote, type Refusal, refuse } from '../../core/error.ts'
import { nearest } from '../../core/nearest.ts'
import { shellWord } from '../../core/shell-word.ts'
import { isOperation, type OperationName } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { groupIn, groupsOf } from './listing.ts'
import { belongsTo, LOCAL, PROGRAMS, type ProgramName, shortName, typedCommand } from './program.ts'

/** Refuses an unknown command and suggests the one that was probably intended. */
export function refuseUnknownCommand(
  words: string[],
  ops: Operation[],
  program: ProgramName,
): Refusal {
  const { group, rest } = groupIn(words, ops)
  const known = Math.max(words.length - rest.length, words[0] === PROGRAMS[program] ? 1 : 0)
  const said = shortName(program, words.slice(0, known + 1).join(' '))
  const near =
    workflowRun(words) ??
    foreignCommand(words) ??
    commandOfInbox(words, ops, program) ??
    nearestCommand(words, ops)
  const help = group === '' ? `${program} help` : `${typedCommand(program, group)} --help`
  const hint =
    near === undefined ? `see '${help}'` : `did you mean '${typedCommand(program, near)}'?`
  return refuse.invalid_input`${quote(said)} is not a command; ${hint}`
}

/** Suggests `workflow run` if a workflow file was given in place of a command. */
function workflowRun(words: string[]): string | undefined {
  const file = words.find((word) => /\.ya?ml$/.test(word))
  const isAlone = words.filter((word) => word !== 'workflow' && word !== 'run').length === 1
  return file !== undefined && isAlone ? `workflow run ${shellWord(file)}` : undefined
}

function commandOfInbox(
  words: string[],
  ops: Operation[],
  program: ProgramName,
): string | undefined {
  if (PROGRAMS[program] === '') return undefined
  const own = words.slice(1)
  const names = own.map((_, i) => own.slice(0, own.length - i).join(' '))
  const isKnown = (name: string) => isOperation(name) || groupsOf(ops).has(name)
  return names.find((name) => isKnown(name) && !belongsTo(program, name))
}

/** The equivalent of another program's command, with the values it needs. */
function foreignCommand([first = '', second]: string[]): string | undefined {
  const words = [`${first} ${second}`, first].find((one) => Object.hasOwn(FOREIGN_WORDS, one))
  const found = words === undefined ? undefined : FOREIGN_WORDS[words]
  return found && [found.name, found.with ?? ''].join(' ').trimEnd()
}

export function nearestCommand(words: string[], ops: Operation[]): string | undefined {
  const [first = ''] = words
  const names = ops.map(({ name }) => name)
  const { group, rest } = groupIn(words, ops)
  // Compare only the words after the group, because the matching ones would hide the difference.
  const below = group === '' ? '' : `${group} `
  const within = names.flatMap((name) => (name.startsWith(below) ? name.slice(below.length) : []))
  for (let count = rest.length; count > (group === '' ? 1 : 0); count--) {
    const alike = within.filter((name) => name.split(' ').length === count)
    const near = nearest(rest.slice(0, count).join(' '), alike)
    if (near !== undefined) return `${below}${near}`
  }
  if (group !== '') return undefined
  return (
    // The user may have left out the first word, as in `inbox receipts`.
    names.find((name) => name.includes(' ') && name.endsWith(` ${first}`)) ??
    nearest(first, [...names, ...groupsOf(ops).keys(), ...LOCAL])
  )
}

type ForeignWord = { name: OperationName; with?: string }

const REGISTER: ForeignWord = { name: 'agent register', with: 'NAME' }
const TURN_OFF: ForeignWord = { name: 'agent status', with: 'NAME --status off' }
const CANCEL: ForeignWord = { name: 'cancel', with: 'ID' }
const SHOW: ForeignWord = { name: 'show', with: 'ID' }

export const FOREIGN_WORDS: Readonly<Record<string, ForeignWord>> = {
  add: { name: 'send', with: 'NAME "what to do"' },
  new: { name: 'send', with: 'NAME "what to do"' },
  create: { name: 'send', with: 'NAME "what to do"' },
  assign: { name: 'send', with: 'NAME "what to do"' },
  answer: { name: 'reply', with: 'ID "text"' },
  login: { name: 'sign-in' },
  signin: { name: 'sign-in' },
  start: { name: 'serve' },
  web: { name: 'serve', with: '--open' },
  ui: { name: 'serve', with: '--open' },
  dashboard: { name: 'status' },
  run: { name: 'workflow run', with: 'FILE' },
  log: { name: 'watch' },
  logs: { name: 'watch' },
  rm: CANCEL,
  remove: CANCEL,
  delete: CANCEL,
  close: { name: 'done', with: 'ID "what was done"' },
  finish: { name: 'done', with: 'ID "what was done"' },
  take: { name: 'claim' },
  tasks: { name: 'list' },
  threads: { name: 'list' },
  todo: { name: 'list', with: '--status pending' },
  ps: { name: 'agent list' },
  agents: { name: 'agent list' },
  who: { name: 'agent list' },
  view: SHOW,
  cat: SHOW,
  get: SHOW,
  search: { name: 'mail history', with: '--text WORDS' },
  message: { name: 'mail send', with: 'NAME "text"' },
  setup: { name: 'install', with: 'claude' },
  connect: { name: 'install', with: 'claude' },
  'agent add': REGISTER,
  'agent create': REGISTER,
  'agent new': REGISTER,
  'agent remove': TURN_OFF,
  'agent delete': TURN_OFF,
  'agent stop': TURN_OFF,
  'agent show': { name: 'agent status', with: 'NAME' },
  'mail list': { name: 'mail peek' },
  'mail inbox': { name: 'mail read' },
  'mail show': SHOW,
  'mail reply': { name: 'reply', with: 'ID "text"' },
  'mail search': { name: 'mail history', with: '--text WORDS' },
  'push list': { name: 'push history' },
  'push send': { name: 'push', with: 'FILE' },
  'request show': { name: 'request get', with: 'ID' },
  'request approve': { name: 'approve', with: 'ID' },
  'request reject': { name: 'reject', with: 'ID' },
  'request comment': { name: 'comment', with: 'ID "text"' },
  'request cancel': { name: 'cancel-request', with: 'ID' },
  'token create': { name: 'token issue', with: 'NAME' },
  'token add': { name: 'token issue', with: 'NAME' },
  'token remove': { name: 'token revoke', with: 'TOKEN' },
  'workspace create': { name: 'workspace add', with: 'FOLDER' },
  'workflow ps': { name: 'workflow list' },
  'workflow status': { name: 'workflow peek' },
  'workflow log': { name: 'workflow peek' },
  'workflow logs': { name: 'workflow peek' },
  'workflow kill': { name: 'workflow stop' },
  'workflow down': { name: 'workflow stop' },
  'workflow say': { name: 'workflow send', with: '"text"' },
  'workflow tell': { name: 'workflow send', with: '"text"' },
  'workflow lint': { name: 'workflow check', with: 'FILE' },
  'workflow validate': { name: 'workflow check', with: 'FILE' },
  'person create': { name: 'person add', with: 'NAME' },
}
