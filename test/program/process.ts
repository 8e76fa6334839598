// Runs the built program as a process, with or without a terminal.

import { afterAll } from 'bun:test'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const DIST = join(ROOT, 'dist')
export const INBOX = join(DIST, 'inbox')

if (!existsSync(INBOX)) throw new Error('dist/inbox is not built: run `npm run build`')

/** Call this at the top of a test file. Returns a function that creates folders, and removes them at the end. */
export function folders(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-program-')))
    made.push(folder)
    return folder
  }
}

export type Ran = { code: number; out: string; err: string }

export type Around = {
  folder: string
  env?: Record<string, string>
  stdin?: string
  /** Another program, or the same one under another name. */
  program?: string[]
}

export async function run(args: string[], around: Around): Promise<Ran> {
  const child = start(args, around)
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

export function start(args: string[], { folder, env, stdin, program = [INBOX] }: Around) {
  return Bun.spawn([...program, ...args], {
    cwd: folder,
    env: environment(folder, env),
    stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** The tester's own shell must not affect a test. */
function environment(folder: string, env: Record<string, string> = {}) {
  return { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', ...env }
}

/** The answer of a command with --json that must succeed. */
export async function ask(args: string[], around: Around): Promise<Answer> {
  const ran = await run([...args, '--json'], around)
  if (ran.code !== 0) throw new Error(`${args.join(' ')}: exit ${ran.code}\n${ran.out}${ran.err}`)
  return JSON.parse(ran.out) as Answer
}

export type Answer = {
  thread: { thread_id: string; status: string; created_by: string }
  threads: { thread_id: string }[]
  lease: { lease_token: string }
  next_event_id: number
  db_path: string
}

export type Screen = {
  /** Everything written to the terminal so far. */
  text(): string
  /** Waits until something written after `from` matches. */
  until(pattern: RegExp, from?: number): Promise<void>
  type(keys: string): void
  kill(signal: NodeJS.Signals): void
  exited: Promise<number>
}

/** Longer than any step of a live view takes on a slow machine. */
const PATIENCE_MS = 60_000

export function onScreen(
  args: string[],
  around: Omit<Around, 'stdin'> & { columns?: number; rows?: number },
): Screen {
  const { folder, env, program = [INBOX], columns = 80, rows = 24 } = around
  const decoder = new TextDecoder()
  let text = ''
  let onMore = () => {}
  const closed = Promise.withResolvers<void>()
  const child = Bun.spawn([...program, ...args], {
    cwd: folder,
    env: environment(folder, env),
    terminal: {
      cols: columns,
      rows,
      data(_, bytes) {
        text += decoder.decode(bytes, { stream: true })
        onMore()
      },
      exit: () => closed.resolve(),
    },
  })
  return {
    text: () => text,
    type: (keys) => void child.terminal?.write(keys),
    kill: (signal) => child.kill(signal),
    // Also waits for output that arrives after the exit.
    exited: Promise.all([child.exited, closed.promise]).then(([code]) => code),
    until(pattern, from = 0) {
      return new Promise((resolve, reject) => {
        const fail = (why: string) =>
          reject(new Error(`${why} before ${pattern}; the screen had ${JSON.stringify(text)}`))
        const patience = setTimeout(() => fail('time ran out'), PATIENCE_MS)
        onMore = () => {
          if (!pattern.test(text.slice(from))) return
          clearTimeout(patience)
          resolve()
        }
        onMore()
      })
    },
  }
}

/** Everything that a program wrote to a terminal until it exited. */
export async function shown(
  args: string[],
  around: Parameters<typeof onScreen>[1],
): Promise<string> {
  const screen = onScreen(args, around)
  const code = await screen.exited
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}\n${screen.text()}`)
  return screen.text().replaceAll('\r\n', '\n')
}
