// The shell door: words in, one result out, and an exit code. Everything it knows of an operation comes
// from the catalogue.

import { USER } from '../../core/agents/agent.ts'
import { CODES, quote, Refusal, refuse, visible } from '../../core/error.ts'
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
import type { Operation } from '../../ops/kit/operation.ts'
import { arities, arityOf, type ParsedWords, parseFlags, rawInput } from './argv.ts'
import { enterStore } from './enter-store.ts'
import type { Io } from './io.ts'
import type { ExportFile } from './keeping/export-file.ts'
import type { LongLine } from './long-line.ts'
import { answerOf, forPeople, report, toldToStop } from './print.ts'
import { spelledOut, typed, wordsOf } from './program.ts'

const EMPTY_HANDED = 10
/** Flags that ask about the program itself, whatever store there is. */
const NOT_ALONE = ['--help', '-h', '--version', '-v', '-V']
/** A shell expects this plus N from a program that was ended by signal N. */
const SIGNAL_BASE = 128

/** Quick operations are not worth a handler: a signal simply ends them. */
const NEVER = { signal: new AbortController().signal, number: () => 0 }

export async function runCli(io: Io): Promise<number> {
  // Decided by the words alone, so that even a refusal to parse them comes in the right form.
  const json = io.args.includes('--json')
  const asked = { ...io, ...spelledOut(io.program, io.args) }
  try {
    const odd = io.notText()
    if (odd !== undefined) {
      throw refuse('invalid_input', `${odd} is not valid UTF-8; encode it as UTF-8 and try again`)
    }
    return await dispatch(asked, wordsOf(asked.args), json)
  } catch (error) {
    return report(asked, error, json)
  }
}

async function dispatch(io: Io, words: string[], json: boolean): Promise<number> {
  const [first, second] = words
  const alone = ALONE[io.program]
  if (first === undefined && !io.args.some((word) => NOT_ALONE.includes(word))) {
    const { hasSomething } = await import('./alone.ts')
    if (await hasSomething(io, alone)) return dispatchTo(io, alone, json)
  }
  if (first === undefined || first === 'help' || first === 'version' || first === 'completion') {
    const { runLocal } = await import('./local.ts')
    return runLocal(io, first, json)
  }
  const command = commandOf(io.args, words)
  if (command === undefined) {
    const said = `${first} ${second}`
    const alias = ALIASES[said]
    if (alias !== undefined) return dispatchTo(io, alias, json)
    const name = RENAMED[said]
    if (name === undefined) {
      const { runGroup } = await import('./groups.ts')
      return runGroup(io, words, json)
    }
    io.err(`inbox: 'inbox ${said}' is now called 'inbox ${name}'\n`)
    return dispatchTo(io, name, json)
  }
  // For a group that is itself a command, the next word may be meant as a command of the group.
  if (command === first && isGroup(first) && /^[a-z]+$/.test(wordAfter(io.args, first) ?? '')) {
    const { mustNotMean } = await import('./groups.ts')
    await mustNotMean(io, [first, second as string])
  }
  return dispatchTo(io, command, json)
}

async function dispatchTo(io: Io, command: OperationName, json: boolean): Promise<number> {
  const op = await loadOperation(command)
  let parsed: ParsedWords | undefined
  try {
    parsed = parseFor(op, io)
    return await runParsed(io, op, parsed, json)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { inShellWords } = await import('./refused.ts')
    throw await inShellWords(error, { op, parsed, agent: io.env.agent, program: io.program })
  }
}

async function runParsed(
  io: Io,
  op: Operation,
  parsed: ParsedWords,
  json: boolean,
): Promise<number> {
  if (parsed.flags.has('--help')) {
    const { helpOf, helpPage } = await import('./help.ts')
    io.out(await helpOf(op, helpPage(io)))
    return 0
  }
  if (parsed.flags.has('--watch')) {
    const { runLive } = await import('./live.ts')
    return runLive(io, op, parsed)
  }
  const out = parsed.flags.get('--out')?.[0]
  const raw = rawInput(op.fields, parsed, (...given) => readText(io, ...given))
  if (out === undefined || op.outFile === undefined) return runOperation(io, op, parsed, raw, json)
  const { withOutFile } = await import('./keeping/out-file.ts')
  return withOutFile(io, { path: out, holds: op.outFile(raw) }, (file) =>
    runOperation(
      io,
      op,
      parsed,
      { ...raw, after_event: raw.after_event ?? file.lastEvent() },
      json,
      file,
    ),
  )
}

/**
 * The longest command that the words begin with. `push` is one, and so is `push history`: the second word counts if it
 * stands beside the first.
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

function parseFor(op: Operation, { args, program }: Io): ParsedWords {
  const known = arities(op.fields)
  for (const spec of op.shellFlags ?? []) known.set(spec.flag, arityOf(spec))
  const { flags, words } = parseFlags(args, known, `${typed(program, op.name)} --help`)
  return { flags, words: words.slice(op.name.split(' ').length) }
}

async function runOperation(
  io: Io,
  op: Operation,
  parsed: ParsedWords,
  raw: Record<string, unknown>,
  json: boolean,
  file?: ExportFile,
): Promise<number> {
  const named = parsed.flags.get('--agent')?.[0] ?? io.env.agent ?? (await nameOf(io, op, parsed))
  const agent = named ?? ownerAt(io, op)
  const interrupt = op.blocks ? io.onInterrupt() : NEVER
  const { signal } = interrupt
  const isRaw = parsed.flags.has(RAW.flag)
  const isShown = !op.streams || parsed.flags.has('--out')
  let line: LongLine | undefined
  const house = enterStore(io, parsed, { json, file, makeRoom: () => line?.wipe() })
  try {
    const said = await wordPlaced(op, raw, { ...house, agent, parsed })
    const input = await inputAsked(io, op, said, { ...house, agent, parsed, json })
    if (input === null) return EMPTY_HANDED
    const words = json ? undefined : op.takesLong?.(input, agent)
    // Lines that go to the same terminal already show how far it has come.
    const isSeen = op.streams && !isShown && io.terminal().isTty
    if (words !== undefined && !isSeen && io.isWatched()) {
      line = (await import('./long-line.ts')).longLine(io, words)
    }
    const progress = line && { progress: line.progress }
    const enter: Enter = async (...asked) => ({ ...(await house.enter(...asked)), ...progress })
    const called = await call(enter, { op, raw: input, agent, door: 'cli', signal })
    line?.end()
    const { result, settle, drop } = called
    const isTaken =
      isShown && io.out(await answerOf(op, result, { json, isRaw, caller: agent }, io))
    if (isShown && !json && result.warning !== undefined) {
      io.err(`${io.program}: ${await forPeople(io, visible(result.warning))}\n`)
    }
    if (isShown && !json && result.stop !== undefined) io.err(await toldToStop(io, result.stop))
    await (isTaken ? settle() : drop())?.catch((error) => report(io, error, false))
    if (signal.aborted && !op.lasts) return SIGNAL_BASE + interrupt.number()
    const exit = op.exit?.(result)
    if (exit !== undefined) return exit
    const verdict = op.verdict?.(result)
    if (verdict !== undefined) return CODES[verdict].exit
    return op.nothing?.(result) ? EMPTY_HANDED : 0
  } finally {
    line?.end()
    await house.leave()
  }
}

type AskedCall = Pick<ReturnType<typeof enterStore>, 'enter'> & {
  agent: string | undefined
  parsed: ParsedWords
  json: boolean
}

/** Where a thread may be left out, a single word may be the text that follows it. */
async function wordPlaced(
  op: Operation,
  raw: Record<string, unknown>,
  { enter, agent, parsed }: Omit<AskedCall, 'json'>,
): Promise<Record<string, unknown>> {
  const { thread, summary } = op.fields
  const [word, ...more] = parsed.words
  const isEither = thread?.positional && !thread.required && summary?.positional
  if (!isEither || word === undefined || more.length > 0 || raw.thread !== word) return raw
  if (raw.summary !== undefined || raw.body !== undefined) return raw
  const { placed } = await import('./lone-word.ts')
  return placed(raw, word, { enter: (_, input) => enter(op, input), agent })
}

/** The input after a person at a terminal was asked, where the operation wants that; null if they said no. */
async function inputAsked(
  io: Io,
  { confirm }: Operation,
  raw: Record<string, unknown>,
  { enter, agent, parsed, json }: AskedCall,
): Promise<Record<string, unknown> | null> {
  if (confirm === undefined || raw[confirm.field] !== undefined || json || !io.canAsk()) return raw
  const { confirmed } = await import('./confirm.ts')
  const { flags } = parsed
  const how = { isSure: flags.has(YES.flag), isRaw: flags.has(RAW.flag) }
  return confirmed(io, confirm, raw, { enter, agent, ...how })
}

/** A person at the terminal owns the store, unless they say a name. */
function ownerAt(io: Io, { fields }: Operation): string | undefined {
  return Object.values(fields).some(({ orOwner }) => orOwner) && io.canAsk() ? USER : undefined
}

/** The name of a session, for operations that a program starts in each of its sessions. */
async function nameOf(
  io: Io,
  { shellFlags }: Operation,
  { flags }: ParsedWords,
): Promise<string | undefined> {
  const wanted = shellFlags?.includes(SESSION_NAME) ? flags.get(SESSION_NAME.flag)?.[0] : undefined
  if (wanted === undefined) return undefined
  return io.nameOfSession(io.locate(flags.get('--db')?.[0]), wanted)
}

function readText(io: Io, flag: string, path: string, limit: number): string {
  const bytes = io.readFile(path, limit)
  if (bytes.length > limit) {
    throw refuse(
      'invalid_input',
      `${flag} ${quote(path)} is over ${limit} bytes; keep it in a file and give its path`,
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse('invalid_input', `${flag} ${quote(path)} is not valid UTF-8`)
  }
}
