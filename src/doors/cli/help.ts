// Help, from the catalogue.

import { SECTIONS } from '../../ops/catalogue.ts'
import type { Field } from '../../ops/kit/field.ts'
import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { flagOf, wordOf } from './argv.ts'
import { flagSpecs, GLOBAL_FLAGS, withDefault } from './flags.ts'
import { groupByFirst, operations } from './listing.ts'

export async function overallHelp(): Promise<string> {
  const lines = ['inbox: one durable inbox for agents and the people they work with.', '']
  const ops = await operations()
  for (const [title, section] of Object.entries(SECTIONS)) {
    const members = ops.filter(({ name }) => Object.hasOwn(section, name))
    lines.push(title, ...summaries(members), '')
  }
  lines.push(
    'And: inbox version, inbox completion bash|zsh|fish, inbox COMMAND --help.',
    '',
    'Everywhere',
    ...flagLines(GLOBAL_FLAGS),
    '',
    'Exit codes: 0 done, 10 no work, no mail or timed out, 20 held by another, 30 wrong words or wrong',
    'moment, 40 not found or not allowed, 50 the store cannot be used.',
    '',
  )
  return lines.join('\n')
}

function summaries(ops: Operation[]): string[] {
  return ops.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`)
}

/** Commands that share their first word share their section. */
export function groupHelp(group: string, ops: Operation[]): string {
  const [title = group] =
    Object.entries(SECTIONS).find(([, section]) => ops.some(({ name }) => name in section)) ?? []
  const more = `inbox ${group} COMMAND --help explains one.`
  return [`inbox ${group} COMMAND [flags]`, '', title, ...summaries(ops), '', more, ''].join('\n')
}

/** The help of a command, with the commands that begin with its name if there are some. */
export async function helpOf(op: Operation): Promise<string> {
  const more = groupByFirst(await operations()).get(op.name)
  if (more === undefined) return commandHelp(op)
  return `${commandHelp(op)}\n${['And', ...summaries(more), ''].join('\n')}`
}

function commandHelp(op: Operation): string {
  const own = commandFlags(op)
  const names = new Set(own.map((spec) => spec.flag))
  const positional = Object.entries(op.fields).filter(([, field]) => field.positional)
  const lines = [
    usage(op),
    '',
    op.summary,
    '',
    ...(op.about ? [...paragraphs(op.about, 96), ''] : []),
  ]
  if (positional.length > 0) {
    for (const [key, field] of positional) {
      const left = `  ${positionalWord(key, field)}, ${flagOf(key, field.kind)}`
      lines.push(`${left.padEnd(34)}${aboutField(field)}`)
    }
    lines.push('')
  }
  const needed = requiredFlags(op)
  const title = own.some(({ flag }) => needed.has(flag)) ? 'Flags (* required)' : 'Flags'
  if (own.length > 0) lines.push(title, ...flagLines(own, needed), '')
  lines.push('Everywhere', ...flagLines(everywhere(op, names)), '')
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

function flagLines(specs: FlagSpec[], needed = new Set<string>()): string[] {
  return specs.map(({ flag, value, about }) => {
    const left = `${needed.has(flag) ? '*' : ' '} ${flag} ${value}`.trimEnd()
    return left.length < 34 ? `${left.padEnd(34)}${about}` : `${left}\n${' '.repeat(34)}${about}`
  })
}

/** A line that begins with a dash is an item of a list. */
function paragraphs(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('- ')) return wrap(line, width)
    return wrap(line.slice(2), width - 2).map((part, i) => `${i === 0 ? '- ' : '  '}${part}`)
  })
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
