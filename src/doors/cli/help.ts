// Help, from the catalogue.

import { ALONE, EVERYDAY, SECTIONS } from '../../ops/catalogue.ts'
import type { Field } from '../../ops/kit/field.ts'
import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { flagOf, wordOf } from './argv.ts'
import { flagSpecs, GLOBAL_FLAGS, withDefault } from './flags.ts'
import { groupByFirst, operations } from './listing.ts'

const PURPOSE = 'inbox: one durable inbox for agents and the people they work with.'

/** Help that is not for a terminal, such as the reference, is this wide. */
const USUAL_WIDTH = 100
/** A narrower page would leave no room for words. */
const NARROWEST = 40

export type HelpPage = { width?: number | undefined }

/** The width for help on this terminal. */
export function helpPage({ isTty, columns }: { isTty: boolean; columns: number }): HelpPage {
  return isTty ? { width: Math.max(NARROWEST, Math.min(columns, USUAL_WIDTH)) } : {}
}

/** The first page: the commands of a day, and where the rest is. */
export async function shortHelp({ width = USUAL_WIDTH }: HelpPage = {}): Promise<string> {
  const ops = await operations()
  const lines = [...wrap(PURPOSE, width), '']
  for (const name of EVERYDAY) {
    const op = ops.find((one) => one.name === name)
    if (op === undefined) continue
    const typed = name === ALONE ? 'inbox' : `inbox ${op.example ?? name}`
    lines.push(...inShort(`  ${typed}`, op.summary, width))
  }
  const [work = {}] = Object.values(SECTIONS)
  const more = [
    `An agent at work: ${Object.keys(work).join(', ')}.`,
    'inbox help --all lists every command, inbox COMMAND --help explains one with an example.',
    'Where an id is wanted, the short one that tables show will do.',
  ]
  return [...lines, '', ...more.flatMap((line) => wrap(line, width)), ''].join('\n')
}

const FIRST_COLUMN = 45
const FEWEST_LETTERS = 24
const MOST_LINES = 2

/** The first page fits a screen: words that need more lines are cut, and left out where there is no room for them. */
function inShort(typed: string, summary: string, width: number): string[] {
  if (width - FIRST_COLUMN < FEWEST_LETTERS)
    return wrap(typed.trim(), width - 2).map((line) => `  ${line}`)
  // One letter stays free for the sign that something was cut.
  const lines = twoColumns(typed, summary, FIRST_COLUMN, width - 1)
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]?.replace(/\W+$/, '')}…`]
}

export async function overallHelp({ width = USUAL_WIDTH }: HelpPage = {}): Promise<string> {
  const lines = [...wrap(PURPOSE, width), '']
  const ops = await operations()
  for (const [title, section] of Object.entries(SECTIONS)) {
    const members = ops.filter(({ name }) => Object.hasOwn(section, name))
    lines.push(...wrap(title, width), ...summaries(members, width), '')
  }
  lines.push(
    ...wrap('And: inbox version, inbox completion bash|zsh|fish, inbox COMMAND --help.', width),
    '',
    'Everywhere',
    ...flagLines(GLOBAL_FLAGS, width),
    '',
    ...wrap(
      'Exit codes: 0 done, 10 no work, no mail or timed out, 20 held by another, 30 wrong words or wrong moment, 40 not found or not allowed, 50 the store cannot be used.',
      width,
    ),
    '',
  )
  return lines.join('\n')
}

function summaries(ops: Operation[], width: number): string[] {
  const listed = ops.filter(({ isDeprecated }) => !isDeprecated)
  return listed.flatMap(({ name, summary }) => twoColumns(`  ${name}`, summary, 20, width))
}

/** Commands that share their first word share their section. */
export function groupHelp(
  group: string,
  ops: Operation[],
  { width = USUAL_WIDTH }: HelpPage = {},
): string {
  const [title = group] =
    Object.entries(SECTIONS).find(([, section]) => ops.some(({ name }) => name in section)) ?? []
  const more = `inbox ${group} COMMAND --help explains one.`
  const lines = [
    `inbox ${group} COMMAND [flags]`,
    '',
    title,
    ...summaries(ops, width),
    '',
    more,
    '',
  ]
  return lines.join('\n')
}

/** The help of a command, with the commands that begin with its name if there are some. */
export async function helpOf(op: Operation, page: HelpPage = {}): Promise<string> {
  const more = groupByFirst(await operations()).get(op.name)
  if (more === undefined) return commandHelp(op, page)
  const { width = USUAL_WIDTH } = page
  return `${commandHelp(op, page)}\n${['And', ...summaries(more, width), ''].join('\n')}`
}

function commandHelp(op: Operation, { width = USUAL_WIDTH }: HelpPage): string {
  const own = commandFlags(op)
  const names = new Set(own.map((spec) => spec.flag))
  const positional = Object.entries(op.fields).filter(([, field]) => field.positional)
  const lines = [
    ...(op.example === undefined ? [] : [...wrap(`  inbox ${op.example}`, width, '      '), '']),
    ...wrap(usage(op), width, '      '),
    '',
    ...wrap(op.summary, width),
    '',
    ...(op.about ? [...paragraphs(op.about, Math.min(width, 96)), ''] : []),
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

/** The global flags that mean something here: the caller does not matter to every command. */
function everywhere(op: Operation, own: Set<string>): FlagSpec[] {
  const asksWho = Object.values(op.fields).some((field) => field.kind === 'self')
  return GLOBAL_FLAGS.filter(({ flag }) => !own.has(flag) && (flag !== '--agent' || asksWho))
}

export function commandFlags(op: Operation, how = { all: false }): FlagSpec[] {
  return [...flagSpecs(op.fields, how), ...(op.shellFlags ?? [])]
}

/** The text of a value that is given by position. */
export function aboutField(field: Field): string {
  return withDefault(field, field.kind === 'self' ? 'you, by --agent or INBOX_AGENT' : undefined)
}

function requiredFlags(op: Operation): Set<string> {
  // The caller may be named once, by --agent or INBOX_AGENT, instead of on every command.
  const needed = Object.entries(op.fields).filter(
    ([, field]) => field.required && field.kind !== 'self',
  )
  return new Set(needed.map(([key, { kind }]) => flagOf(key, kind)))
}

export function usage(op: Operation): string {
  const words = Object.entries(op.fields)
    .filter(([, field]) => field.positional)
    .map(([key, field]) => {
      const word = positionalWord(key, field)
      // When no agent is named, the caller is meant.
      return field.required && field.kind !== 'self' ? word : `[${word}]`
    })
  const needed = commandFlags(op)
    .filter((spec) => requiredFlags(op).has(spec.flag))
    .map((spec) => `${spec.flag} ${spec.value}`)
  return ['inbox', op.name, ...words, ...needed, '[flags]'].join(' ')
}

/** A list may have several values, which help shows as MESSAGE… */
export function positionalWord(key: string, { kind }: Field): string {
  return kind === 'list' ? `${wordOf(key, kind)}…` : wordOf(key, kind)
}

function flagLines(specs: FlagSpec[], width: number, needed = new Set<string>()): string[] {
  return specs.flatMap(({ flag, value, about }) => {
    const left = `${needed.has(flag) ? '*' : ' '} ${flag} ${value}`.trimEnd()
    return twoColumns(left, about, 34, width)
  })
}

/** A name and, beside it, the words about it; below it where the page or the column is too narrow. */
function twoColumns(left: string, right: string, at: number, width: number): string[] {
  const isNarrow = width - at < 24
  const from = isNarrow ? 6 : at
  const words = wrap(right, width - from)
  const indented = words.map((line) => ' '.repeat(from) + line)
  if (isNarrow || left.length >= at) return [...broken(left, width), ...indented]
  return [`${left.padEnd(at)}${words[0] ?? ''}`, ...indented.slice(1)]
}

/** A list of choices is broken between two of them. */
function broken(text: string, width: number): string[] {
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

/** A line that begins with a dash is an item of a list. */
function paragraphs(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('- ')) return wrap(line, width)
    return wrap(line.slice(2), width - 2).map((part, i) => `${i === 0 ? '- ' : '  '}${part}`)
  })
}

/** Breaks a text between words; lines after the first begin with `hang`. */
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
