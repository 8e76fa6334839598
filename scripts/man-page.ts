// The manual page, generated from the catalogue. Written by scripts/generate.ts.

import { CODES } from '../src/core/error.ts'
import { flagSpecs, GLOBAL_FLAGS } from '../src/doors/cli/flags.ts'
import { usage } from '../src/doors/cli/help.ts'
import { operations } from '../src/doors/cli/listing.ts'
import { belongsTo, type ProgramName, renameCommands } from '../src/doors/cli/program.ts'
import type { Operation } from '../src/ops/kit/operation.ts'

const PAGES: Record<ProgramName, { does: string; about: string; seeAlso: string[] }> = {
  inbox: {
    does: 'one durable inbox for agents and the people they work with',
    about:
      'A leader sends a thread to a worker. The worker claims it under a lease, reports, asks and waits inside it, and finishes it. What a command has confirmed is durable.',
    seeAlso: ['agent-worker'],
  },
  'agent-worker': {
    does: 'agents that work together on what a YAML file says',
    about:
      "A file names agents and says how the work begins. The agents talk in a channel, mention each other to hand work over, and share documents. 'agent-worker X' is 'inbox workflow X': both names are one program, on one store.",
    seeAlso: ['inbox'],
  },
}

export async function manPage(program: ProgramName): Promise<string> {
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  const { does, about, seeAlso } = PAGES[program]
  return [
    '.\\" Written by scripts/generate.ts from the catalogue in src/ops.',
    `.TH ${program.toUpperCase()} 1 "" "Mailroom" "User Commands"`,
    '.SH NAME',
    `${program} \\- ${does}`,
    '.SH SYNOPSIS',
    `.B ${program}`,
    '.I COMMAND',
    '.RI [ flags ]',
    '.SH DESCRIPTION',
    text(about),
    '.SH FLAGS OF EVERY COMMAND',
    ...GLOBAL_FLAGS.flatMap(entry),
    '.SH COMMANDS',
    ...ops.flatMap((op) => command(op, program)),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, means]) => ['.TP', `.B ${code}`, text(means)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, means]) => ['.TP', `.B ${name}`, text(means)]),
    '.SH FILES',
    '.TP',
    '.I .agents/coord.db',
    text('The store, in this folder, a parent, or the root of the git repository.'),
    '.SH SEE ALSO',
    ...seeAlso.map((name) => `.BR ${escaped(name)} (1)`),
    '',
  ].join('\n')
}

const EXITS: [string, string][] = [
  ['0', 'It was done.'],
  [
    '10',
    'Nothing was there to take or to show, or the wait ran out. Not every list: see each command.',
  ],
  ...exitCodes(),
  ['128+N', 'A wait was ended by signal N.'],
]

function exitCodes(): [string, string][] {
  const byExit = Map.groupBy(Object.entries(CODES), ([, { exit }]) => exit)
  return [...byExit]
    .sort(([a], [b]) => a - b)
    .map(([exit, codes]) => [
      String(exit),
      codes.map(([code, { means }]) => `${code}: ${means}.`).join(' '),
    ])
}

const ENVIRONMENT: [string, string][] = [
  ['INBOX_DB', 'The store, when --db is not given.'],
  ['INBOX_AGENT', 'Who is calling, when --agent and --from are not given.'],
  ['NO_COLOR', 'No colours, also on a terminal.'],
  ['INBOX_DEBUG', 'Set to 1, a bug shows where it happened.'],
]

function command(op: Operation, program: ProgramName): string[] {
  const flags = [...flagSpecs(op.fields), ...(op.shellFlags ?? [])]
  return [
    `.SS ${escaped(usage(op, program))}`,
    text(op.summary),
    ...(op.about ? renameCommands(program, op.about).split('\n').flatMap(paragraph) : []),
    ...(op.nothing ? ['.PP', text('Exit 10 when it comes back with nothing.')] : []),
    ...flags.flatMap(entry),
  ]
}

function paragraph(line: string): string[] {
  return line.startsWith('- ') ? ['.IP \\(bu 2', text(line.slice(2))] : ['.PP', text(line)]
}

function entry({ flag, value, about }: { flag: string; value: string; about: string }): string[] {
  // Allow line breaks after each value of a long list.
  const words = escaped(value).replaceAll(/[,|]/g, '$&\\:')
  const head = value === '' ? `.B ${escaped(flag)}` : `.BI ${escaped(flag)} " ${words}"`
  return ['.TP', head, text(about)]
}

/** A line that begins with a dot or a quote would be a roff request. */
function text(words: string): string {
  return escaped(words).replace(/^(?=[.'])/, '\\&')
}

function escaped(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', "'")
}
