// The reference pages, generated from the catalogue so that they can't describe what the program doesn't do. Written by
// scripts/generate.ts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODES, type Code } from '../src/core/error.ts'
import { flagSpecs, GLOBAL_FLAGS } from '../src/doors/cli/flags.ts'
import { aboutField, positionalWord, usage } from '../src/doors/cli/help.ts'
import { operations } from '../src/doors/cli/listing.ts'
import { belongsTo, type ProgramName, renameCommands, shortName } from '../src/doors/cli/program.ts'
import { ANSWER_NOTES, recordsOf } from '../src/ops/answer-notes.ts'
import type { AnswerValue, Holds } from '../src/ops/kit/answer.ts'
import type { Field } from '../src/ops/kit/field.ts'
import { ANYONE, type Operation, type Writes } from '../src/ops/kit/operation.ts'

const ROOT = join(import.meta.dirname, '..')
const NOTE = '<!-- Written by scripts/generate.ts. Change the catalogue in src/ops instead. -->'

/** The title of each program's page, and a note about grouped commands. */
const HEADS: Record<ProgramName, { title: string; also: string }> = {
  inbox: {
    title: '# Commands',
    also: '`inbox mail`, alone or with `--help`, lists the commands that begin with it; so do the other first words.',
  },
  'agent-worker': {
    title: '# Commands of agent-worker',
    also: '`agent-worker X` is `inbox workflow X`: the same operation, which HTTP and the library have too.',
  },
}

export async function commandsPage(program: ProgramName): Promise<string> {
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  const { title, also } = HEADS[program]
  return [
    NOTE,
    '',
    title,
    '',
    `Every command with its flags and answers. \`${program} COMMAND --help\` shows a short version.`,
    'What each refusal means is in [refusals.md](../refusals.md); in addition to its own, every command may',
    `return those of the store: ${[...STORE_CODES].map(refusalLink).join(', ')}.`,
    '',
    ...table(
      ['command', 'does'],
      ops.map((op) => {
        const name = shortName(program, op.name)
        return [`[${name}](#${name.replaceAll(' ', '-')})`, op.summary]
      }),
    ),
    '',
    also,
    `These take no store: \`${program} help [COMMAND]\`, \`${program} version\`, \`${program} completion bash|zsh|fish\`.`,
    '',
    '## Everywhere',
    '',
    ...table(
      ['flag', 'is'],
      GLOBAL_FLAGS.map(({ flag, value, about }) => [flagCell(flag, value), cell(about)]),
    ),
    '',
    '`--flag value` and `--flag=value` are the same; a value that begins with `--` requires the second form.',
    'Most flags may be given once. A bare `--` ends the flags.',
    '',
    ...ops.flatMap((op) => commandSection(op, program)),
    '## Answers',
    '',
    'With `--json`, over HTTP and as the structured content of a tool an answer is one object: `ok`, `command`, what the',
    'command answers, and notes that any answer may have.',
    '',
    ...answerTable(ANSWER_NOTES, 'told'),
    '',
    ...recordSections(ops),
    '## Values',
    '',
    ...table(['value', 'is'], VALUES),
    '',
  ].join('\n')
}

const VALUES = [
  [
    'NAME',
    'letters, digits, `_` and `-`, beginning with a letter; at most 64. `NAME@INSTANCE` is an agent of a workflow, `user` or `user:NAME` a person',
  ],
  [
    'ADDRESS',
    '`NAME` or `agent:NAME`, `orchestrator`, `role:NAME`, `broadcast`, `user` or `user:NAME`, `NAME@INSTANCE`, `@INSTANCE`',
  ],
  ['ID', 'as given in an earlier answer: `thr_…` for a thread, `msg_…` for a message'],
  ['N', 'a whole number'],
  ['TEXT', 'not empty, valid Unicode, no NUL; at most 1000 characters unless stated otherwise'],
  ['JSON', 'stored exactly as given'],
  ['PATH', 'relative to the working folder, or absolute'],
  ['`a\\|b\\|c`', 'one of these'],
  ['`a,b,c`', 'some of these, separated by commas'],
]

function commandSection(op: Operation, program: ProgramName): string[] {
  const about = op.about && renameCommands(program, op.about)
  const positional = Object.entries(op.fields).filter(([, field]) => field.positional)
  const flags = Object.entries(op.fields).filter(([, field]) => !field.positional)
  const rows = [
    ...positional.map(([key, field]) => [
      `\`${positionalWord(key, field)}\``,
      aboutCell(field, aboutField(field)),
    ]),
    ...flags.flatMap(([key, field]) =>
      flagSpecs({ [key]: field }).map((spec, i) => [
        flagCell(spec.flag, spec.value) + (i === 0 ? neededMark(field) : ''),
        i === 0 ? aboutCell(field, spec.about) : cell(spec.about),
      ]),
    ),
    ...(op.shellFlags ?? []).map(({ flag, value, about }) => [flagCell(flag, value), cell(about)]),
  ]
  return [
    `## ${shortName(program, op.name)}`,
    '',
    `    ${usage(op, program)}`,
    '',
    op.summary,
    ...(about === undefined ? [] : ['', withFlagsMarked(about).replace('\n- ', '\n\n- ')]),
    '',
    ...(rows.length === 0 ? [] : [...table(['flag', 'is'], rows), '']),
    ...facts(op).map((fact) => `- ${fact}`),
    '',
    ...answerTable(op.answer),
    '',
  ]
}

/** The fields of an answer, with --json and at every other door. */
function answerTable(holds: Holds, head = 'answers'): string[] {
  const rows = Object.entries(holds).map(([name, value]) => [
    `\`${name}\``,
    typeCell(value),
    cell(value.about),
  ])
  return table([head, 'a', 'is'], rows)
}

function typeCell({ type, of, record, orNull, optional }: AnswerValue): string {
  const what =
    type === 'record'
      ? `[${record?.name}](#record-${record?.name.replaceAll(' ', '-')})`
      : of === undefined
        ? type
        : `list of ${typeCell(of)}`
  return `${what}${orNull ? ' or null' : ''}${optional ? ', if any' : ''}`
}

function recordSections(ops: Operation[]): string[] {
  return [...recordsOf(ops)].flatMap(([name, holds]) => [
    `### Record: ${name}`,
    '',
    ...answerTable(holds, 'name'),
    '',
  ])
}

/** The caller's name isn't needed, because it has a default. */
function neededMark({ required, kind }: Field): string {
  return required && kind !== 'self' ? ' (required)' : ''
}

function withFlagsMarked(text: string): string {
  return text.replace(/--[a-z-]+/g, (flag) => `\`${flag}\``)
}

function facts(op: Operation): string[] {
  const own = op.refusals.filter((code) => !STORE_CODES.has(code))
  return [
    CHANGES[op.writes],
    ...(op.blocks ? ['May wait. SIGINT and SIGTERM end it cleanly.'] : []),
    ...(op.nothing ? ['Exits with 10 if there is nothing to return.'] : []),
    ...(own.length === 0 ? [] : [`Refusals: ${own.map(refusalLink).join(', ')}.`]),
    op.callers === ANYONE
      ? 'For agents and people.'
      : 'For people and services, not for agents (checked where callers have tokens).',
  ]
}

const CHANGES: Record<Writes, string> = {
  nothing: 'Changes nothing in the store.',
  marks: 'Changes only the side effects of looking: who was seen, what was shown or read.',
  store: 'Changes the store, durably, before it answers.',
}

/** Codes that any operation may return because of the store itself. */
const STORE_CODES: ReadonlySet<Code> = new Set(['busy', 'store_unusable', 'internal'])

function refusalLink(code: Code): string {
  return `[${code}](../refusals.md#${code}) (${CODES[code].exit})`
}

/** Describes a field, with its limits. */
function aboutCell(field: Field, about: string): string {
  const limits = limitsOf(field)
  return cell(limits === '' ? about : `${about}; ${limits}`)
}

function limitsOf(field: Field): string {
  const { kind, max, min = 0 } = field
  const number = (n: number) => n.toLocaleString('en-US')
  if (kind === 'int' && max < Number.MAX_SAFE_INTEGER) return `${number(min)} to ${number(max)}`
  if (kind === 'artifacts' || kind === 'list') return `at most ${max}`
  if ((kind === 'text' && max !== 1000) || kind === 'body' || kind === 'json')
    return `at most ${number(max)} characters`
  return ''
}

function flagCell(flag: string, value: string): string {
  return value === '' ? `\`${flag}\`` : `\`${flag} ${cell(value)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

export function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

/** Writes only the table, and keeps what the page says under each code's heading. */
export function refusalsPage(): string {
  const page = readFileSync(join(ROOT, 'docs/refusals.md'), 'utf8')
  const rows = Object.entries(CODES).map(([code, { exit, http, retry, means }]) => [
    `[${code}](#${code})`,
    String(exit),
    String(http),
    retry,
    means,
  ])
  const [begin, end] = ['<!-- table from src/core/error.ts -->', '<!-- end of table -->']
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/refusals.md has lost the marks of its table')
  const made = table(['code', 'exit', 'HTTP', 'try again', 'means'], rows).join('\n')
  return `${page.slice(0, from + begin.length)}\n${made}\n${page.slice(to)}`
}

type Behaviour = {
  says: string
  worlds: readonly string[]
  why?: string
  own?: { doors: readonly string[]; why: string }
  fails?: string
}

/** The specification is the list of behaviours, each of them a sentence and a test. */
export async function specPage(): Promise<string> {
  const file = join(ROOT, 'test/behaviours.ts')
  const { behaviours } = (await import(file)) as { behaviours: Record<string, Behaviour> }
  const entries = Object.entries(behaviours)
  if (entries.length === 0) throw new Error('test/behaviours.ts names no behaviours')
  const all = new Set(entries.flatMap(([, { worlds }]) => worlds))
  const lines = [
    '<!-- Written by scripts/generate.ts. Change test/behaviours.ts and what it gathers instead. -->',
    '',
    '# What Mailroom does',
    '',
    `${entries.length} sentences. Each is proved through the library on SQLite and on PostgreSQL, unless it names other worlds`,
    'and why. A world is a store behind a door. A sentence that says "at" is about doors, and is proved there as well.',
    'Beside those, every operation has at every door a sentence for its success, its refusal, its empty answer and',
    'its retry: `test/at-doors.ts`. `npm run test:full` proves every sentence in every world.',
  ]
  let area = ''
  for (const [id, { says, worlds, why, own, fails }] of entries) {
    const [start = '', rest = ''] = id.split('/')
    if (start !== area) lines.push('', `## ${start}`, '')
    area = start
    const only = worlds.length === all.size ? '' : ` Only ${worlds.join(', ')}: ${why}.`
    const at = own === undefined ? '' : ` At ${own.doors.join(', ')}: ${own.why}.`
    const not = fails === undefined ? '' : ` **Does not hold yet:** ${fails}.`
    lines.push(`- \`${rest}\` ${says}${only}${at}${not}`)
  }
  return `${lines.join('\n')}\n`
}
