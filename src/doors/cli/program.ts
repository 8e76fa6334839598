// The program has several names. Each one except `inbox` stands for `inbox` plus one word, so `agent-worker stop` is
// `inbox workflow stop`. Commands we suggest begin with the name the caller used.

/** Maps each name to the first word of its commands. `inbox` has all commands. */
export const PROGRAMS = { inbox: '', 'agent-worker': 'workflow' } as const

export type ProgramName = keyof typeof PROGRAMS

export function isProgram(name: string): name is ProgramName {
  return Object.hasOwn(PROGRAMS, name)
}

/** An operation as a user of this program name types it. A command the name doesn't cover is written with `inbox`. */
export function typedCommand(program: ProgramName, operation: string): string {
  return belongsTo(program, operation)
    ? `${program} ${shortName(program, operation)}`.trimEnd()
    : `inbox ${operation}`
}

export function belongsTo(program: ProgramName, operation: string): boolean {
  const first = PROGRAMS[program]
  return first === '' || operation === first || operation.startsWith(`${first} `)
}

export function shortName(program: ProgramName, operation: string): string {
  const { length } = PROGRAMS[program]
  return length === 0 || !belongsTo(program, operation) ? operation : operation.slice(length + 1)
}

/** Rewrites the `inbox` commands in a text for this program name. */
export function renameCommands(program: ProgramName, text: string): string {
  const first = PROGRAMS[program]
  return first === '' ? text : text.replaceAll(`inbox ${first} `, `${program} `)
}

/** Commands that need no store and are the same under every name. */
export const LOCAL = ['help', 'version', 'completion']

/**
 * Expands the arguments to those of `inbox`. After another program name, the word `inbox` switches to that name, so
 * that a copy of the program that only has the other name can start itself.
 */
export function expandName(
  program: ProgramName,
  args: string[],
): { program: ProgramName; args: string[] } {
  const first = PROGRAMS[program]
  const [at, next] = wordPlaces(args)
  const word = at === undefined ? undefined : args[at]
  if (first === '' || at === undefined || word === first) return { program, args }
  if (word === 'inbox') return { program: 'inbox', args: args.toSpliced(at, 1) }
  if (word !== 'help') {
    const isLocal = LOCAL.includes(word as string)
    return { program, args: isLocal ? args : args.toSpliced(at, 0, first) }
  }
  const isPlain = next === undefined || args[next] === first || LOCAL.includes(args[next] as string)
  return { program, args: isPlain ? args : args.toSpliced(next, 0, first) }
}

const MOST_WORDS = 4

/** The first words that are neither flags nor values of a global flag. They include the command. */
export function commandWords(args: string[]): string[] {
  return wordPlaces(args).map((at) => args[at] as string)
}

function wordPlaces(args: string[]): number[] {
  const places: number[] = []
  for (let i = 0; i < args.length && places.length < MOST_WORDS; i++) {
    const word = args[i] as string
    if (word === '--db' || word === '--agent') i += 1
    else if (!word.startsWith('-')) places.push(i)
  }
  return places
}
