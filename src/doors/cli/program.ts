// The program has several names. Each but `inbox` is short for the commands that begin with one word, so `agent-worker
// stop` is `inbox workflow stop`. Whatever a caller is told to type begins with the name that the caller used.

/** The names, each with the word that its commands begin with. `inbox` leaves nothing out. */
export const PROGRAMS = { inbox: '', 'agent-worker': 'workflow' } as const

export type ProgramName = keyof typeof PROGRAMS

export function isProgram(name: string): name is ProgramName {
  return Object.hasOwn(PROGRAMS, name)
}

/** An operation, as somebody who uses this name types it. What the name is not for is a command of `inbox`. */
export function typedCommand(program: ProgramName, operation: string): string {
  return belongsTo(program, operation)
    ? `${program} ${shortName(program, operation)}`.trimEnd()
    : `inbox ${operation}`
}

export function belongsTo(program: ProgramName, operation: string): boolean {
  const first = PROGRAMS[program]
  return first === '' || operation === first || operation.startsWith(`${first} `)
}

/** The words of an operation that follow the name of the program. */
export function shortName(program: ProgramName, operation: string): string {
  const { length } = PROGRAMS[program]
  return length === 0 || !belongsTo(program, operation) ? operation : operation.slice(length + 1)
}

/** A text of ours, in which commands are those of `inbox`, as it is said to somebody who uses this name. */
export function renameCommands(program: ProgramName, text: string): string {
  const first = PROGRAMS[program]
  return first === '' ? text : text.replaceAll(`inbox ${first} `, `${program} `)
}

/** Commands of the shell itself, which need no store and are the same under every name. */
export const LOCAL = ['help', 'version', 'completion']

/**
 * The words that were typedCommand, as words of `inbox`. The word `inbox` after another name stands for that name itself: so a
 * copy of the program that has only the other name can start itself.
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

/** A command has at most so many words. */
const MOST_WORDS = 4

/** The words that a command may be in: the first ones that are neither flags nor values of a global flag. */
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
