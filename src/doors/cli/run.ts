// The shell door turns a command line into one result and an exit code. It knows about operations only from the
// catalogue.

import { USER } from '../../core/agents/agent.ts'
import { CODES, type Code, quote, Refusal, refusalIn, refuse, visible } from '../../core/error.ts'
import type { AnswerNotes, Stop } from '../../ops/answer-notes.ts'
import { call, type Enter } from '../../ops/call.ts'
import {
  ALIASES,
  ALONE,
  isGroup,
  isOperation,
  loadOperation,
  type OperationName,
  RENAMED,
} from '../../ops/catalogue.ts'
import { RAW, SESSION_NAME, YES } from '../../ops/kit/for-doors.ts'
import { mayMakeStore, type Operation } from '../../ops/kit/operation.ts'
import { arities, arityOf, type ParsedWords, parseFlags, rawInput } from './argv.ts'
import type { StoreCaller } from './complete-input.ts'
import type { ExportFile } from './files.ts'
import type { Io, ShellMailroom } from './io.ts'
import { commandWords, expandName, typedCommand } from './program.ts'
import type { ProgressLine } from './progress-line.ts'

const EMPTY_HANDED = 10
/** Flags that ask about the program itself, with or without a store. */
const NOT_ALONE = ['--help', '-h', '--version', '-v', '-V']
/** A program killed by signal N exits with this plus N, as shells expect. */
const SIGNAL_BASE = 128

/** A quick operation needs no handler: a signal simply ends the process. */
const NEVER = { signal: new AbortController().signal, number: () => 0 }

export async function runCli(io: Io): Promise<number> {
  // Looks for --json without parsing, so that even a parse error is printed as JSON.
  const json = io.args.includes('--json')
  const named = { ...io, ...expandName(io.program, io.args) }
  try {
    const broken = io.findInvalidUtf8()
    if (broken !== undefined)
      throw refuse.invalid_input`${broken} is not valid UTF-8; encode it as UTF-8 and try again`
    return await dispatch(named, json)
  } catch (error) {
    return report(named, await suggestFlag(error), json)
  }
}

async function dispatch(io: Io, json: boolean): Promise<number> {
  const words = commandWords(io.args)
  const [first, second] = words
  const alone = ALONE[io.program]
  if (first === undefined && !io.args.some((word) => NOT_ALONE.includes(word))) {
    const { hasAnythingToShow } = await import('./no-command.ts')
    if (await hasAnythingToShow(io, alone)) return runCommand(io, alone, json)
  }
  if (first === undefined || first === 'help' || first === 'version' || first === 'completion') {
    const { runLocal } = await import('./local.ts')
    return runLocal(io, first, json)
  }
  const command = commandOf(io.args, words)
  if (command === undefined) {
    const both = `${first} ${second}`
    const alias = ALIASES[both]
    if (alias !== undefined) return runCommand(io, alias, json)
    const name = RENAMED[both]
    if (name === undefined) {
      const { runGroup } = await import('./local.ts')
      return runGroup(io, words, json)
    }
    io.err(`inbox: 'inbox ${both}' is now called 'inbox ${name}'\n`)
    return runCommand(io, name, json)
  }
  // `push` is a command and a group, so the word after it may be a misspelled command of the group.
  if (command === first && isGroup(first) && /^[a-z]+$/.test(wordAfter(io.args, first) ?? '')) {
    const { refuseMisspelled } = await import('./local.ts')
    await refuseMisspelled(io, [first, second as string])
  }
  return runCommand(io, command, json)
}

/**
 * The longest command that the words begin with. Both `push` and `push history` are commands, so the second word only
 * counts directly after the first.
 */
function commandOf(args: string[], words: string[]): OperationName | undefined {
  const [first = '', second] = words
  if (isOperation(first) && wordAfter(args, first) !== second) return first
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    if (isOperation(name)) return name
  }
  return undefined
}

function wordAfter(args: string[], word: string): string | undefined {
  return args[args.indexOf(word) + 1]
}

export type CommandLine = {
  io: Io
  op: Operation
  parsed: ParsedWords
  json: boolean
  file?: ExportFile
}

export type ShellInput = Record<string, unknown>

async function runCommand(io: Io, command: OperationName, json: boolean): Promise<number> {
  const op = await loadOperation(command)
  let parsed: ParsedWords | undefined
  try {
    parsed = parseFor(op, io)
    return await runParsed({ io, op, parsed, json })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { wordForShell } = await import('./refusal.ts')
    throw await wordForShell(error, { op, parsed, agent: io.env.agent, program: io.program })
  }
}

function parseFor(op: Operation, { args, program }: Io): ParsedWords {
  const known = arities(op.fields)
  for (const spec of op.shellFlags ?? []) known.set(spec.flag, arityOf(spec))
  const { flags, words } = parseFlags(args, known, `${typedCommand(program, op.name)} --help`)
  return { flags, words: words.slice(op.name.split(' ').length) }
}

async function runParsed(line: CommandLine): Promise<number> {
  const { io, op, parsed } = line
  if (parsed.flags.has('--help')) {
    const { helpOf, helpPage } = await import('./help.ts')
    io.out(await helpOf(op, helpPage(io)))
    return 0
  }
  if (parsed.flags.has('--watch')) {
    const { runLive } = await import('./live.ts')
    return runLive(io, op, parsed)
  }
  const raw = rawInput(op.fields, parsed, (...file) => readText(io, ...file))
  const path = parsed.flags.get('--out')?.[0]
  if (path === undefined || op.outFile === undefined) return runOperation(line, raw)
  const { withOutFile } = await import('./files.ts')
  return withOutFile(io, { path, holds: op.outFile(raw) }, (file) => {
    const after_event = raw.after_event ?? file.lastEvent()
    return runOperation({ ...line, file }, { ...raw, after_event })
  })
}

function readText(io: Io, flag: string, path: string, limit: number): string {
  const bytes = io.readFile(path, limit)
  if (bytes.length > limit)
    throw refuse.invalid_input`${flag} ${quote(path)} is over ${limit} bytes; keep it in a file and give its path`
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse.invalid_input`${flag} ${quote(path)} is not valid UTF-8`
  }
}

async function runOperation(line: CommandLine, raw: ShellInput): Promise<number> {
  const { io, op } = line
  const agent = await findCaller(line)
  const interrupt = op.blocks ? io.onInterrupt() : NEVER
  const { signal } = interrupt
  let progress: ProgressLine | undefined
  const { enter, leave } = enterStore(line, { progressLine: () => progress })
  try {
    const input = await completeInput(line, raw, { enter, agent })
    if (input === null) return EMPTY_HANDED
    progress = await startProgress(line, input, agent)
    const called = await call(enter, { op, raw: input, agent, door: 'cli', signal })
    progress?.end()
    const { result, afterAnswer, drop } = called
    const isTaken = await printResult(line, result, agent)
    await (isTaken ? afterAnswer() : drop())?.catch((error) => report(io, error, false))
    if (signal.aborted && !op.lasts) return SIGNAL_BASE + interrupt.number()
    return exitCode(op, result)
  } finally {
    progress?.end()
    await leave()
  }
}

type StoreEntry = { enter: Enter; leave: () => Promise<void> }

/** Opens the store that the command line names, but only once the call needs it. Adds the caller's machine. */
function enterStore(
  line: CommandLine,
  { progressLine }: { progressLine: () => ProgressLine | undefined },
): StoreEntry {
  const { io, json, file } = line
  const [db, ...others] = line.parsed.flags.get('--db') ?? []
  let opened: ShellMailroom | null = null
  const enter: Enter = async (op, input) => {
    const address = io.locate(db)
    const by = db !== undefined ? '--db' : io.env.db === undefined ? undefined : 'INBOX_DB'
    const more = others.map((other) => io.locate(other))
    const how = { lasts: op.lasts, more }
    const openOrMake = () => io.open(address, how)
    if (!op.storeless) {
      opened ??= await (mayMakeStore(op, input) ? io.open : io.lookAt)(address, how)
    } else if (op.storeless.makes?.(input)) opened = await openOrMake()
    else if (!op.storeless.when?.(input)) opened = await io.find(address, how)
    const ends = opened === null ? undefined : await file?.mustBeOf(opened)
    const files = await filesOf(line, input)
    const house = opened ?? io.withoutStore(address)
    const progress = progressLine()?.progress
    return {
      ...house,
      ...(files && { files: { ...files, ...ends } }),
      ...(progress && { progress }),
      shell: {
        ...house.shell,
        ...(by && { named: { by, address } }),
        async openStore() {
          opened ??= await openOrMake()
          return opened
        },
        say(data: object, text: string) {
          progressLine()?.wipe()
          if (json) io.out(`${visible(JSON.stringify(data))}\n`)
          // A long-running operation prints its result here, and uses standard error for its log.
          else (op.lasts ? io.out : io.err)(`${text}\n`)
        },
      },
    }
  }
  return { enter, leave: async () => opened?.close() }
}

async function filesOf(
  { io, op, parsed: { flags }, file }: CommandLine,
  input: { file?: unknown },
) {
  if (!op.streams && !op.readsFile) return undefined
  const { filesFor } = await import('./files.ts')
  return filesFor(io, { flags, input, file })
}

/** Tries --agent, INBOX_AGENT, the session's name and, if a person is at the terminal, the owner, in that order. */
async function findCaller({ io, op, parsed: { flags } }: CommandLine): Promise<string | undefined> {
  const named = flags.get('--agent')?.[0] ?? io.env.agent
  if (named !== undefined) return named
  const wanted = flags.get(SESSION_NAME.flag)?.[0]
  if (wanted !== undefined && op.shellFlags?.includes(SESSION_NAME)) {
    return io.nameOfSession(io.locate(flags.get('--db')?.[0]), wanted)
  }
  const isForOwner = Object.values(op.fields).some(({ orOwner }) => orOwner)
  return isForOwner && io.canAsk() ? USER : undefined
}

/** The input after placing a lone word and asking the person at the terminal; null if they said no. */
async function completeInput(
  { io, op, parsed, json }: CommandLine,
  raw: ShellInput,
  caller: StoreCaller,
): Promise<ShellInput | null> {
  const load = () => import('./complete-input.ts')
  const word = loneWord(op, parsed, raw)
  const placed = word === undefined ? raw : await (await load()).placeLoneWord(raw, word, caller)
  const { confirm } = op
  if (confirm === undefined || placed[confirm.field] !== undefined || json || !io.canAsk()) {
    return placed
  }
  const { flags } = parsed
  const how = { isSure: flags.has(YES.flag), isRaw: flags.has(RAW.flag) }
  return (await load()).askToConfirm(io, confirm, placed, { ...caller, ...how })
}

/** The lone argument of a command like `inbox done fixed`, which can be the text if the thread is optional. */
function loneWord(
  { fields: { thread, summary } }: Operation,
  { words: [word, ...more] }: ParsedWords,
  raw: ShellInput,
): string | undefined {
  const isEither = thread?.positional && !thread.required && summary?.positional
  if (!isEither || more.length > 0 || raw.thread !== word) return undefined
  return raw.summary === undefined && raw.body === undefined ? word : undefined
}

async function startProgress(
  { io, op, parsed, json }: CommandLine,
  input: ShellInput,
  agent: string | undefined,
): Promise<ProgressLine | undefined> {
  const text = json ? undefined : op.takesLong?.(input, agent)
  // Lines that stream to the same terminal already show the progress.
  const isSeen = op.streams && !parsed.flags.has('--out') && io.terminal().isTty
  if (text === undefined || isSeen || !io.isWatched()) return undefined
  return (await import('./progress-line.ts')).startProgressLine(io, text)
}

/** Returns false if the reader has closed the pipe. Streamed output has already been printed. */
async function printResult(
  { io, op, parsed, json }: CommandLine,
  result: Parameters<typeof formatAnswer>[1],
  caller: string | undefined,
): Promise<boolean> {
  if (op.streams && !parsed.flags.has('--out')) return false
  const isRaw = parsed.flags.has(RAW.flag)
  const isTaken = io.out(await formatAnswer(op, result, { json, isRaw, caller }, io))
  if (json) return isTaken
  if (result.warning !== undefined) {
    io.err(`${io.program}: ${await formatForPeople(io, visible(result.warning))}\n`)
  }
  if (result.stop !== undefined) io.err(await formatStop(io, result.stop))
  return isTaken
}

function exitCode(op: Operation, result: object): number {
  const exit = op.exit?.(result)
  if (exit !== undefined) return exit
  const verdict = op.verdict?.(result)
  if (verdict !== undefined) return CODES[verdict].exit
  return op.nothing?.(result) ? EMPTY_HANDED : 0
}

/** Suggests a known flag if a command without an operation, such as help, got an unknown one. */
async function suggestFlag(error: unknown): Promise<unknown> {
  if (!(error instanceof Refusal) || error.details.flag === undefined) return error
  return (await import('./refusal.ts')).withNearestFlag(error)
}

async function formatAnswer(
  op: Operation,
  result: AnswerNotes,
  { json, ...how }: { json: boolean; isRaw: boolean; caller: string | undefined },
  io: Io,
): Promise<string> {
  if (json) return `${visible(JSON.stringify({ ok: true, command: op.name, ...result }))}\n`
  const { pageOf } = await import('../../ops/kit/drawing/page.ts')
  const command = (operation: string) => typedCommand(io.program, operation)
  return op.lines(result, pageOf(io, { ...how, command }))
}

/** Formats a stop for standard error, so that programs that only read the result aren't confused. */
async function formatStop(io: Io, { id, from, subject, thread_id, about }: Stop): Promise<string> {
  const where = await formatForPeople(
    io,
    `(thread ${thread_id}; heard: inbox mail mark-read --message ${id})`,
  )
  const { oneLine } = await import('../../ops/kit/drawing/text.ts')
  const what = { agent: '', thread: ' this thread', agent_run: ' this agent run' }[about]
  return `${io.program}: STOP${what}, ${oneLine(from)} says: ${oneLine(subject)} ${where}\n`
}

/** Unless a person is watching, full ids and absolute times are printed. */
async function formatForPeople(io: Io, text: string): Promise<string> {
  if (!io.isWatched()) return text
  const { readable } = await import('../../ops/kit/drawing/text.ts')
  return readable(text, io.now())
}

async function report(io: Io, error: unknown, json: boolean): Promise<number> {
  const refusal = refusalIn(error)
  const code: Code = refusal?.code ?? 'internal'
  const message =
    refusal?.message ?? 'something went wrong inside; set INBOX_DEBUG=1 to see where, and report it'
  if (json) {
    const error = { code, message, ...refusal?.details }
    io.out(`${visible(JSON.stringify({ ok: false, error }))}\n`)
  } else io.err(`${io.program}: ${await formatForPeople(io, visible(message))}\n`)
  if (refusal === undefined && io.env.debug) io.err(`${(error as Error)?.stack ?? String(error)}\n`)
  return CODES[code].exit
}
