// The parent's side of test programs: starts a program, reads its lines, gives it orders.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Point } from '../../src/core/store.ts'
import type { Order } from './actor.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null }

export type Program<Line> = {
  pid: number
  child: ChildProcess
  /** The next line; rejects if the program ends without one. */
  line(): Promise<Line>
  /** The remaining lines, as they arrive. */
  lines: AsyncIterable<Line>
  /** The remaining lines, once the program has ended. */
  rest(): Promise<Line[]>
  order(order: object): void
  signal(signal: NodeJS.Signals): void
  ended: Promise<Ended>
  stderr(): string
}

export type StartOptions = {
  /** The folder of a mutant's sources, to run instead of ours. */
  source?: string | undefined
  env?: Record<string, string>
  /** How to start Bun if not directly: through a shell that sets limits first, or with the powercut shim. */
  spawnBun?: (command: string, args: string[], env: NodeJS.ProcessEnv) => ChildProcess
}

const FOLDER = import.meta.dirname

export function startProgram<Line>(
  name: string,
  args: string[],
  options: StartOptions = {},
): Program<Line> {
  // The test runner ends processes that tests leave behind, but a program's children must not end with it.
  const { BUN_FEATURE_FLAG_NO_ORPHANS: _, ...own } = process.env
  const env: NodeJS.ProcessEnv = { ...own, ...options.env }
  if (options.source !== undefined) env.MAILROOM_SOURCE = options.source
  const start = options.spawnBun ?? spawnDirectly
  const child = start(process.execPath, [join(FOLDER, `${name}.ts`), ...args], env)
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('pipes are missing')
  // Writing to a killed program fails. `ended` reports its death.
  stdin.on('error', () => {})
  let said = ''
  stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  const lines = readLines<Line>(stdout)
  return {
    pid: child.pid ?? 0,
    child,
    async line() {
      const next = await lines.next()
      if (!next.done) return next.value
      const { code, signal } = await ended
      throw new Error(`${name} ended (${code ?? signal}) without a line. ${said}`)
    },
    lines,
    rest: () => Array.fromAsync(lines),
    order: (order) => void stdin.write(`${JSON.stringify(order)}\n`),
    signal: (signal) => sendSignal(child, signal),
    ended,
    stderr: () => said,
  }
}

// Used instead of child.kill, because Bun's doesn't send SIGCONT.
function sendSignal({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(pid, signal)
}

function spawnDirectly(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(command, args, { env, stdio: 'pipe' })
}

// A killed program can leave half a line, which doesn't count.
async function* readLines<Line>(stdout: NodeJS.ReadableStream): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.endsWith('}')) yield JSON.parse(line)
  }
}

/** Starts the same program several times and lets all of them begin at the same moment. */
export async function startTogether<Line>(
  count: number,
  start: (index: number) => Program<Line>,
): Promise<Program<Line>[]> {
  const programs = Array.from({ length: count }, (_, index) => start(index))
  await Promise.all(programs.map((program) => program.line()))
  for (const program of programs) program.order({ go: true })
  return programs
}

/** Reads the next `count` lines. */
export async function nextLines<Line>(program: Program<Line>, count: number): Promise<Line[]> {
  const lines: Line[] = []
  while (lines.length < count) lines.push(await program.line())
  return lines
}

/** Lets the programs run until each has printed this many lines, stops them, and returns all their output. */
export async function untilEachSaid<Line>(
  programs: Program<Line>[],
  count: number,
): Promise<Line[][]> {
  let left = programs.length
  return Promise.all(
    programs.map(async (program) => {
      const lines = await nextLines(program, count)
      left -= 1
      if (left === 0) for (const one of programs) one.order({ stop: true })
      return [...lines, ...(await program.rest())]
    }),
  )
}

export type Answer = { result?: Record<string, unknown>; refusal?: Record<string, unknown> }

/** The thread an answer is about. A refusal here means that the test is broken. */
export function threadOf({ result, refusal }: Answer): string {
  if (result === undefined) throw new Error(`refused: ${JSON.stringify(refusal)}`)
  return (result.thread as { thread_id: string }).thread_id
}

export type Actor = {
  pid: number
  child: ChildProcess
  call(op: string, input?: object): Promise<Answer>
  /** Runs the operation up to the point, and stops the process there. */
  hold(op: string, input: object, point: Point): Promise<{ answer: Promise<Answer> }>
  resume(): void
  /** Runs the operation; the process kills itself at the point. False if it never reached that point. */
  dies(op: string, input: object, die: NonNullable<Order['die']>): Promise<boolean>
  signal(signal: NodeJS.Signals): void
  close(): Promise<void>
}

type ActorLine = { ready?: true; held?: Point; id?: number } & Answer

export async function startActor(
  address: string,
  agent = 'lead',
  options: StartOptions = {},
): Promise<Actor> {
  const program = startProgram<ActorLine>('actor', [address, agent], options)
  const waiting = new Map<number, (answer: Answer) => void>()
  let onHeld = () => {}
  let orders = 0
  await program.line()
  void (async () => {
    for (;;) {
      const line = await program.line().catch((error: Error) => error)
      if (line instanceof Error) break
      if (line.held !== undefined) onHeld()
      else waiting.get(line.id ?? 0)?.(line)
    }
    // Calls still waiting are told how the process ended and what it wrote to stderr.
    const { code, signal } = await program.ended
    const message = `the actor ended (${code ?? signal}). ${program.stderr()}`
    for (const answer of waiting.values()) answer({ refusal: { code: 'ended', message } })
  })()
  const order = (more: Omit<Order, 'id'>): Promise<Answer> => {
    const id = ++orders
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    program.order({ id, ...more })
    return answer
  }
  return {
    pid: program.pid,
    child: program.child,
    call: (op, input = {}) => order({ op, input: { ...input } }),
    async hold(op, input, hold) {
      const held = new Promise<void>((resolve) => {
        onHeld = resolve
      })
      const answer = order({ op, input: { ...input }, hold })
      const early = await Promise.race([held, answer])
      if (early) throw new Error(`${op} never came to ${hold}: ${JSON.stringify(early)}`)
      return { answer }
    },
    resume: () => program.signal('SIGCONT'),
    async dies(op, input, die) {
      const { refusal } = await order({ op, input: { ...input }, die })
      return refusal?.code === 'ended' && (await program.ended).signal === 'SIGKILL'
    },
    signal: program.signal,
    async close() {
      program.signal('SIGCONT')
      program.order({ id: 0, op: 'close', input: {} })
      await program.ended
    },
  }
}
