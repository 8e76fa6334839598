// Shared by the backends of CLI programs. These programs start with a prompt, report events as lines of JSON, and exit.
// Each backend is a shape: the arguments that start its program, and what the program's events mean.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Backend, BackendAgent, MachineLook, TurnResult, TurnTask } from './backend.ts'
import { elsewhereNote, writeToolConfig } from './mcp-json.ts'
import { boundedTelling, LAST_LETTERS, shorten, tailOf } from './output.ts'
import { runProgram } from './program.ts'
import { unknownTools } from './tools.ts'

/** The longest system prompt passed on the command line. A longer one may not fit. */
export const ARGUMENT_LETTERS = 8000

export type StreamFact =
  | { session: string }
  | { text: string }
  /** Part of a message that continues with the next fact of this kind. */
  | { piece: string }
  | { tool: string; input?: unknown }
  /** Worth a line in the log, but not a failure. */
  | { trouble: string }
  /** The turn failed, regardless of the exit code. */
  | { failure: string }

/** An event as the program wrote it, unchecked. */
export type ProgramEvent = { readonly [key: string]: unknown }

export type Launch = { words: string[]; env?: Record<string, string>; input: string }

export type CliShape = {
  name: string
  /** The program to look up on the PATH. `remedy` says how to install it. */
  program: string
  remedy: string
  tools: readonly string[]
  isTool?: (name: string) => boolean
  modelProblem: (model: string) => string | undefined
  launch: (task: TurnTask) => Launch
  read: (event: ProgramEvent) => StreamFact[]
  /** Matches the program's message when it no longer knows a session. */
  lostSession: RegExp
  /** Prepares the program's surroundings; the returned function undoes it. */
  around?: (task: TurnTask) => Promise<() => Promise<void>>
}

export function cliBackend(shape: CliShape): Backend {
  return {
    name: shape.name,
    tools: shape.tools,
    check: (agent, look) => checkAgent(shape, agent, look),
    run: (task) => takeTurn(shape, task),
  }
}

function checkAgent(shape: CliShape, agent: BackendAgent, { which }: MachineLook): string[] {
  const { program, remedy, tools, isTool, modelProblem } = shape
  const why = agent.model === undefined ? undefined : modelProblem(agent.model)
  return [
    ...(which(program) === null
      ? [`agent ${agent.name}: the program ${program} is not installed; ${remedy}`]
      : []),
    ...(why === undefined ? [] : [`agent ${agent.name}: ${why}`]),
    ...unknownTools(agent, tools, isTool),
  ]
}

async function takeTurn(shape: CliShape, task: TurnTask): Promise<TurnResult> {
  let undo: (() => Promise<void>) | undefined
  try {
    undo = await shape.around?.(task)
    const { result, said } = await runOnce(shape, task)
    const isLost = !result.ok && task.session !== null && shape.lostSession.test(said)
    if (!isLost || task.signal.aborted) return result
    task.tell({ kind: 'error', text: `its session ${task.session} is gone; it begins a new one` })
    return (await runOnce(shape, { ...task, session: null })).result
  } catch (error) {
    const why = (error as Error).message
    task.tell({ kind: 'error', text: why })
    return { ok: false, exit: null, session: task.session, last: '', why }
  } finally {
    await undo?.().catch((error: Error) => task.tell({ kind: 'error', text: error.message }))
  }
}

async function runOnce(shape: CliShape, task: TurnTask) {
  const hearing = hear(task)
  // Write mcp.json even if this program doesn't use it, for people and programs that look for it.
  writeToolConfig(task)
  const note = elsewhereNote(task)
  if (note !== undefined) task.tell({ kind: 'error', text: note })
  const { words, env, input } = shape.launch(task)
  const { exit, why, stderr } = await runProgram({
    command: [shape.program, ...words],
    cwd: task.cwd,
    input,
    signal: task.signal,
    env: { ...task.env, ...task.mcp.env, ...identityOf(task), ...env },
    onLine(line, isCut) {
      const event = isCut ? null : eventIn(line)
      if (event !== null) hearing.hear(shape.read(event))
      else if (line.trim() !== '') hearing.hear([{ trouble: line }])
    },
    onError: (line) => hearing.hear([{ trouble: line }]),
  })
  const { session, last, failure } = hearing.end()
  const problem = failure === undefined ? why : failureWords(failure, why)
  const result: TurnResult = {
    ok: problem === undefined,
    exit,
    session: session ?? task.session,
    last: last || (problem === undefined ? '' : stderr),
    ...(problem === undefined ? {} : { why: problem }),
  }
  return { result, said: `${stderr}\n${failure ?? ''}` }
}

/** Tells the program's hooks whose turn it is. */
function identityOf({ agent_id, instance }: TurnTask): Record<string, string> {
  return { INBOX_AGENT: agent_id, INBOX_INSTANCE: instance }
}

function failureWords(failure: string, why: string | undefined): string {
  return shorten(why === undefined ? failure : `${why}: ${failure}`, 1000)
}

function hear(task: TurnTask) {
  const tell = boundedTelling(task.tell)
  let session: string | undefined
  let failure: string | undefined
  let pieces = ''
  /** The text of the most recent message; earlier ones aren't kept. */
  let last = ''
  const say = (text: string) => {
    if (text.trim() === '') return
    const kept = tailOf(LAST_LETTERS)
    kept.add(text)
    last = kept.text()
    tell({ kind: 'text', text })
  }
  const endPieces = () => {
    const text = pieces
    pieces = ''
    say(text)
  }
  const one = (fact: StreamFact) => {
    if ('piece' in fact) {
      // Report a very long message in parts, so that memory use stays bounded.
      if (pieces.length > 100_000) endPieces()
      pieces += fact.piece
      return
    }
    endPieces()
    if ('session' in fact) session = fact.session
    else if ('text' in fact) say(fact.text)
    else if ('tool' in fact) tell({ kind: 'tool', text: toolLine(fact) })
    else if ('trouble' in fact) tell({ kind: 'error', text: fact.trouble })
    else {
      failure = fact.failure
      tell({ kind: 'error', text: fact.failure })
    }
  }
  return {
    hear: (facts: StreamFact[]) => facts.forEach(one),
    end() {
      endPieces()
      return { session, last, failure }
    },
  }
}

function toolLine({ tool, input }: { tool: string; input?: unknown }): string {
  const words = input === undefined ? '' : ` ${JSON.stringify(input)}`
  return shorten(`${tool}${words}`, 500)
}

function eventIn(line: string): ProgramEvent | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as ProgramEvent
  } catch {
    // A line that only looks like an event is reported as plain text.
    return null
  }
}

/** Writes a file for the program to the agent's private folder, and returns its path. */
export function writePrivate({ folder }: TurnTask, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

export function fieldsOf(value: unknown): ProgramEvent {
  return typeof value === 'object' && value !== null ? (value as ProgramEvent) : {}
}

export function listOf(value: unknown): ProgramEvent[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** The error's message, or `otherwise` if it has none. */
export function messageIn(error: unknown, otherwise: unknown = error): string {
  return wordsOf(fieldsOf(error).message ?? otherwise)
}

export function sessionIn(id: unknown): StreamFact[] {
  return typeof id === 'string' ? [{ session: id }] : []
}

export function flagAndValue(flag: string, value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [flag, value]
}

/** Puts the system prompt before the prompt, for programs that don't take one or don't take one this long. */
export function systemFirst({ system, prompt }: Pick<TurnTask, 'system' | 'prompt'>): string {
  return system === '' ? prompt : `${system}\n\n${prompt}`
}
