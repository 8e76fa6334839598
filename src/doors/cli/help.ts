import { ALONE, EVERYDAY, SECTIONS } from '../../ops/catalogue.ts'
import type { Field } from '../../ops/kit/field.ts'
import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { flagOf, wordOf } from './argv.ts'
import { flagSpecs, GLOBAL_FLAGS, withDefault } from './flags.ts'
import type { Io } from './io.ts'
import { groupsOf, operations } from './listing.ts'
import { belongsTo, type ProgramName, renameCommands, shortName, typedCommand } from './program.ts'

const PURPOSE: Record<ProgramName, string> = {
  inbox: 'inbox: one durable inbox for agents and the people they work with.',
  'agent-worker':
    'agent-worker: agents that work together on what a YAML file says, in a channel with documents.',
}

const USUAL_WIDTH = 100
/** A narrower page would leave no room for text. */
const NARROWEST = 40

/** `program` is the name the reader uses for the program. */
export type HelpPage = { width?: number | undefined; program: ProgramName }

const PLAIN_PAGE: HelpPage = { program: 'inbox' }

export function helpPage({ program, terminal }: Pick<Io, 'program' | 'terminal'>): HelpPage {
  const { isTty, columns } = terminal()
  const width = Math.max(NARROWEST, Math.min(columns, USUAL_WIDTH))
  return isTty ? { width, program } : { program }
}

/** The first page: everyday commands, and where to find the others. */
export async function shortHelp(page = PLAIN_PAGE): Promise<string> {
  const { width = USUAL_WIDTH, program } = page
  const ops = await operations()
  const lines = [...wrap(PURPOSE[program], width), '']
  for (const name of EVERYDAY[program]) {
    const op = ops.find((one) => one.name === name)
    if (op === undefined) continue
    const line = name === ALONE[program] ? program : typedCommand(program, op.example ?? name)
    lines.push(...shorten(`  ${line}`, op.summary, width))
  }
  const [work = {}] = Object.values(SECTIONS)
  const more = [
    ...(program === 'inbox' ? [`For an agent at work: ${Object.keys(work).join(', ')}.`] : []),
    `${program} help --all lists every command, ${program} COMMAND --help explains one with an example.`,
    'Wherever an id is wanted, the short one shown in tables will do.',
    ...(program === 'inbox'
      ? ['agent-worker help: run agents that work together, from a YAML file.']
      : []),
  ]
  return [...lines, '', ...more.flatMap((line) => wrap(line, width)), ''].join('\n')
}

const FIRST_COLUMN = 45
const FEWEST_LETTERS = 24
const MOST_LINES = 2

/** Keeps the first page to one screen: long summaries are cut, or left out if there is no room for them. */
function shorten(command: string, summary: string, width: number): string[] {
  if (width - FIRST_COLUMN < FEWEST_LETTERS)
    return wrap(command.trim(), width - 2).map((line) => `  ${line}`)
  // Keep one column free for the ellipsis.
  const lines = twoColumns(command, summary, FIRST_COLUMN, width - 1)
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]?.replace(/\W+$/, '')}…`]
}

export async function overallHelp(page = PLAIN_PAGE): Promise<string> {
  const { width = USUAL_WIDTH, program } = page
  const lines = [...wrap(PURPOSE[program], width), '']
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  lines.push(
    ...sections(ops, page),
    ...wrap(
      `And: ${program} version, ${program} completion bash|zsh|fish, ${program} COMMAND --help.`,
      width,
    ),
    '',
    'Everywhere',
    ...flagLines(GLOBAL_FLAGS, width),
    '',
    ...wrap(
      'Exit codes: 0 done, 10 no work, no mail or timed out, 20 held by another, 30 invalid input or not possible now, 40 not found or not allowed, 50 the store cannot be used.',
      width,
    ),
    '',
  )
  return lines.join('\n')
}

/** The column where summaries begin, unless the names of the group are longer. */
const SUMMARY_COLUMN = 20
const WIDEST_NAMES = 32

function summaries(ops: Operation[], { width = USUAL_WIDTH, program }: HelpPage): string[] {
  const listed = ops.filter(({ isDeprecated }) => !isDeprecated)
  const names = listed.map(({ name }) => `  ${shortName(program, name)}`)
  const longest = Math.max(...names.map((name) => name.length)) + 2
  const at = Math.min(Math.max(SUMMARY_COLUMN, longest), WIDEST_NAMES)
  return listed.flatMap(({ summary }, i) => twoColumns(names[i] as string, summary, at, width))
}

export function groupHelp(group: string, ops: Operation[], page = PLAIN_PAGE): string {
  const head = typedCommand(page.program, group)
  const lines = [`${head} COMMAND [flags]`, '', ...sections(ops, page)]
  return [...lines, `${head} COMMAND --help explains one.`, ''].join('\n')
}

function sections(ops: Operation[], page: HelpPage): string[] {
  return Object.entries(SECTIONS).flatMap(([title, section]) => {
    const members = ops.filter(({ name }) => Object.hasOwn(section, name))
    if (members.length === 0) return []
    return [...wrap(title, page.width ?? USUAL_WIDTH), ...summaries(members, page), '']
  })
}

/** The help of a command, with the commands that begin with its name, if any. */
export async function helpOf(op: Operation, page = PLAIN_PAGE): Promise<string> {
  const more = groupsOf(await operations()).get(op.name)
  if (more === undefined) return commandHelp(op, page)
  return `${commandHelp(op, page)}\n${['And', ...summaries(more, page), ''].join('\n')}`
}

function commandHelp(op: Operation, { width = USUAL_WIDTH, program }: HelpPage): string {
  const own = commandFlags(op)
  const about = op.about && renameCommands(program, op.about)
  const example = op.example && typedCommand(program, op.example)
  const names = new Set(own.map((spec) => spec.flag))
  const positional = Object.entries(op.fields).filter(([, field]) => field.positional)
  const lines = [
    ...(example === undefined ? [] : [...wrap(`  ${example}`, width, '      '), '']),
    ...wrap(usage(op, program), width, '      '),
    '',
    ...wrap(op.summary, width),
    '',
    ...(about ? [...paragraphs(about, Math.min(width, 96)), ''] : []),
  ]
  if (positional.length > 0) {
    for (const [key, field] of positional) {
      const left = `  ${positionalWord(key, field)}, ${flagOf(key, field.kind)}`
      lines.push(...twoColumns(left, aboutField(field), 34, width))
    }
    lines.push('')
  }
  const needed = requiredFlags(op)
  const title = own.some(({ flag }) => needed.has(flag)) ? 'Flags (* required)' : 'Flags'
  if (own.length > 0) lines.push(title, ...flagLines(own, width, needed), '')
  lines.push('Everywhere', ...flagLines(everywhere(op, names), width), '')
  if (op.nothing) lines.push('Exit 10 when it comes back with nothing.', '')
  return lines.join('\n')
}

/** The global flags that apply to this command: `--agent` only if the command depends on the caller. */
function everywhere(op: Operation, own: Set<string>): FlagSpec[] {
  const asksWho = Object.values(op.fields).some((field) => field.kind === 'self')
  return GLOBAL_FLAGS.filter(({ flag }) => !own.has(flag) && (flag !== '--agent' || asksWho))
}

export function commandFlags(op: Operation, how = { all: false }): FlagSpec[] {
  return [...flagSpecs(op.fields, how), ...(op.shellFlags ?? [])]
}

export function aboutField(field: Field): string {
  return withDefault(field, field.kind === 'self' ? 'you, by --agent or INBOX_AGENT' : undefined)
}

function requiredFlags(op: Operation): Set<string> {
  // The caller may be set once with --agent or INBOX_AGENT instead of on every command.
  const needed = Object.entries(op.fields).filter(
    ([, field]) => field.required && field.kind !== 'self',
  )
  return new Set(needed.map(([key, { kind }]) => flagOf(key, kind)))
}

export function usage(op: Operation, program: ProgramName = 'inbox'): string {
  const words = Object.entries(op.fields)
    .filter(([, field]) => field.positional)
    .map(([key, field]) => {
      const word = positionalWord(key, field)
      // If no agent is named, it's the caller.
      return field.required && field.kind !== 'self' ? word : `[${word}]`
    })
  const needed = commandFlags(op)
    .filter((spec) => requiredFlags(op).has(spec.flag))
    .map((spec) => `${spec.flag} ${spec.value}`)
  return [typedCommand(program, op.name), ...words, ...needed, '[flags]'].join(' ')
}

/** Help shows the values of a list as MESSAGE… */
export function positionalWord(key: string, { kind }: Field): string {
  return kind === 'list' ? `${wordOf(key, kind)}…` : wordOf(key, kind)
}

function flagLines(specs: FlagSpec[], width: number, needed = new Set<string>()): string[] {
  return specs.flatMap(({ flag, value, about }) => {
    const left = `${needed.has(flag) ? '*' : ' '} ${flag} ${value}`.trimEnd()
    return twoColumns(left, about, 34, width)
  })
}

/** A name with its description next to it, or below it if the page or the column is too narrow. */
function twoColumns(left: string, right: string, at: number, width: number): string[] {
  const isNarrow = width - at < 24
  const from = isNarrow ? 6 : at
  const words = wrap(right, width - from)
  const indented = words.map((line) => ' '.repeat(from) + line)
  if (isNarrow || left.length >= at) return [...breakChoices(left, width), ...indented]
  return [`${left.padEnd(at)}${words[0] ?? ''}`, ...indented.slice(1)]
}

/** Wraps a list of choices, breaking lines only between choices. */
function breakChoices(text: string, width: number): string[] {
  if (text.length <= width) return [text]
  if (!/[|,]\S/.test(text)) return wrap(text, width, '      ')
  const lines = ['']
  for (const part of text.split(/(?<=[|,])/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + part.length > width) lines.push(`      ${part}`)
    else lines[lines.length - 1] = line + part
  }
  return lines
}

/** A line that begins with a dash is a list item. */
function paragraphs(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('- ')) return wrap(line, width)
    return wrap(line.slice(2), width - 2).map((part, i) => `${i === 0 ? '- ' : '  '}${part}`)
  })
}

/** Wraps text between words; lines after the first begin with `hang`. */
function wrap(text: string, width: number, hang = ''): string[] {
  const lines: string[] = []
  let line = /^ */.exec(text)?.[0] ?? ''
  let isEmpty = true
  for (const word of text.trim().split(' ')) {
    if (!isEmpty && line.length + word.length + 1 > width) {
      lines.push(line)
      line = hang + word
    } else line = isEmpty ? line + word : `${line} ${word}`
    isEmpty = false
  }
  return [...lines, line]
}
