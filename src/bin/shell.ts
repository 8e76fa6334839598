// Implements the shell door's port on the real process.

import fs from 'node:fs'
import { basename, resolve } from 'node:path'
import { quote, refuse, visible } from '../core/error.ts'
import type { Io, OpenWish, ShellSurroundings } from '../doors/cli/io.ts'
import type { ProgramName } from '../doors/cli/program.ts'
import { digest } from '../ops/kit/digest.ts'
import type { Terminal } from '../ops/kit/drawing/page.ts'
import type { Context, StartTerminal } from '../ops/kit/operation.ts'
import { findMailroom, lookAtMailroom, type Mailroom, makeId, openMailroom } from './compose.ts'
import { lockFile } from './file-lock.ts'
import { findInvalidUtf8 } from './invalid-utf8.ts'
import { makeLauncher, ownProgram } from './launcher.ts'
import { isAbsent, locateStore } from './locate.ts'
import type { StorePlace } from './mcp.ts'
import { VERSION } from './version.gen.ts'

const STDIN = 0
const STDOUT = 1
const STDERR = 2

export function shellIo(program: ProgramName, args: string[]): Io {
  const { env } = process
  const onCreate = (place: string) => log(`${program}: made a new store at ${visible(place)}\n`)
  const onAbsent = (place: string) =>
    log(`${program}: there is no store at ${visible(place)} yet\n`)
  const onSeenByGit = (place: string) =>
    log(
      `${program}: put ${visible(basename(place))}* in the .gitignore beside it, or git keeps your mail\n`,
    )
  const how = (wish: OpenWish) => ({ alone: !wish.lasts, onCreate, onAbsent, onSeenByGit })
  const withShell = (address: string, { more = [] }: OpenWish, mailroom: Mailroom) => {
    return { ...mailroom, ...makeSurroundings({ address, more, onCreate, mailroom }) }
  }
  return {
    program,
    args,
    findInvalidUtf8: () => findInvalidUtf8(args, env),
    env: { db: env.INBOX_DB, agent: env.INBOX_AGENT, debug: env.INBOX_DEBUG === '1' },
    out: (text) => write(STDOUT, text) && !wasClosed(STDOUT),
    err: log,
    terminal,
    isWatched: () => process.getBuiltinModule('node:tty').isatty(STDERR),
    canAsk: () => terminal().isTty && process.getBuiltinModule('node:tty').isatty(STDIN),
    now: Date.now,
    version: () => VERSION,
    locate: (db) =>
      locateStore({ cwd: () => process.cwd(), db, env: env.INBOX_DB, uid: process.getuid?.() }),
    nameOfSession: async (...asked) => (await import('./session-name.ts')).nameOfSession(...asked),
    withoutStore: (address) => makeSurroundings({ address, more: [], onCreate }),
    open: async (address, wish = {}) =>
      withShell(address, wish, await openMailroom(address, how(wish))),
    lookAt: async (address, wish = {}) =>
      withShell(address, wish, await lookAtMailroom(address, how(wish))),
    async find(address, wish = {}) {
      const found = await findMailroom(address, how(wish))
      return found && withShell(address, wish, found)
    },
    readFile,
    chunks,
    isThere: (path) => !isAbsent(path),
    appendFile,
    firstLine,
    lastLine,
    truncate: (path, end) => fs.truncateSync(resolve(path), end),
    entriesFile: async (path) => (await import('./entries-file.ts')).entriesFile(resolve(path)),
    lock: (path) => lockFile(resolve(path)),
    onInterrupt,
    onKey,
  }
}

function log(text: string): void {
  write(STDERR, text)
}

type ShellPlace = StorePlace & {
  more: string[]
}

/** The machine as a command sees it, with or without an open store. Each part is loaded on first use. */
function makeSurroundings(place: ShellPlace): ShellSurroundings {
  const { address, more, onCreate, mailroom } = place
  const { env } = process
  const { INBOX_TERMINAL: configured } = env
  const open = async () => mailroom ?? openMailroom(address, { onCreate })
  const window = configured === undefined ? {} : { terminal: terminalOf(configured) }
  return {
    ...window,
    makeId,
    digest,
    origin: readOrigin(env, workingFolder()),
    shell: {
      launcher: makeLauncher(address),
      disk: async () => (await import('./disk.ts')).makeDisk(ownProgram()),
      stdinJson: async () => (await import('./hook-io.ts')).readStdinJson(),
      remote: {
        ask: async (...asked) => (await import('./hook-io.ts')).ask(...asked),
        variable: (name) => env[name],
      },
      server: {
        async run(wish, life) {
          const { runServer } = await import('./serve.ts')
          const stores = { address, mailroom: await open(), more, onCreate, log, ...window }
          return runServer(stores, wish, life)
        },
        async find(place) {
          const { socketPath, urlOfServer } = await import('./server-socket.ts')
          return urlOfServer(await socketPath(place))
        },
        async demo(wish, life) {
          const { runDemo } = await import('./demo/demo.ts')
          return runDemo({ log }, wish, life)
        },
      },
      workflows: async () => (await import('./workflow-host.ts')).workflowHost(address),
      browse: async (url) => (await import('./desktop.ts')).browse(url),
      speakMcp: async (want) => (await import('./mcp.ts')).speakMcp(place, want),
    },
  }
}

/** Variables that programs set for their agents' shells. They identify the program, but not the session. */
const PROGRAM_OF: Record<string, string> = {
  CLAUDECODE: 'claude',
  CLAUDE_CODE_ENTRYPOINT: 'claude',
  CODEX_THREAD_ID: 'codex',
  CODEX_SANDBOX: 'codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'codex',
  CURSOR_AGENT: 'cursor',
  GEMINI_CLI: 'gemini',
  OPENCODE: 'opencode',
}

/**
 * Where a call comes from, according to the environment; it can't be set by arguments. The program that starts an agent
 * sets the INBOX_ variables, and the agent's program sets the others.
 */
function readOrigin(env: NodeJS.ProcessEnv, cwd: string | undefined) {
  const claude = env.CLAUDE_CODE_SESSION_ID
  const backend = env.INBOX_BACKEND ?? (claude === undefined ? undefined : 'claude')
  const session = env.INBOX_SESSION ?? (backend === 'claude' ? claude : undefined)
  const origin: NonNullable<Context['origin']> = {}
  const [, program = backend] =
    Object.entries(PROGRAM_OF).find(([name]) => (env[name] ?? '') !== '') ?? []
  if (backend !== undefined) origin.backend = backend
  if (program !== undefined) origin.program = program
  if (session !== undefined) origin.session = session
  if (cwd !== undefined) origin.folder = cwd
  return origin
}

/** Loaded on first use, because terminals are rarely opened. */
function terminalOf(configured: string): StartTerminal {
  return async (command, folder) => {
    const { startTerminal } = await import('./desktop.ts')
    await startTerminal(configured, command, folder)
  }
}

function workingFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // The folder was removed. Most commands don't need one.
    return undefined
  }
}

/**
 * Writes all bytes directly to the descriptor, in order, which saves 10 ms over process.stdout. Returns false if the
 * reader has closed the pipe, as in `inbox list | head -1`.
 */
function write(fd: number, text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  while (at < bytes.length) {
    try {
      at += fs.writeSync(fd, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE' || (code === 'EIO' && hasHungUp)) return false
      if (code !== 'EAGAIN')
        throw refuse.store_unusable`the command succeeded, but its answer could not be written (${String(code)})`
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}

function terminal(): Terminal {
  // Loaded only here, so that everyday commands don't pay for it.
  const tty = process.getBuiltinModule('node:tty')
  const isTty = tty.isatty(STDOUT)
  const { env } = process
  const [columns, rows] = isTty ? new tty.WriteStream(STDOUT).getWindowSize() : [0, 0]
  return {
    isTty,
    columns: columns || Number(env.COLUMNS) || 100,
    rows: rows || 24,
    colour: isTty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  }
}

function readFile(path: string, limit: number): Uint8Array {
  const fd = path === '-' ? STDIN : openForReading(path)
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    while (total <= limit) {
      const chunk = new Uint8Array(65_536)
      const read = fs.readSync(fd, chunk)
      if (read === 0) break
      chunks.push(chunk.subarray(0, read))
      total += read
    }
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    if (fd !== STDIN) fs.closeSync(fd)
  }
  return Buffer.concat(chunks)
}

function openForReading(path: string): number {
  try {
    return fs.openSync(resolve(path), fs.constants.O_RDONLY)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unwritable(path: string, error: unknown) {
  const { code } = error as NodeJS.ErrnoException
  return refuse.invalid_input`cannot write ${quote(path)}: ${String(code)}`
}

function unreadable(path: string, error: unknown) {
  const { code = '' } = error as NodeJS.ErrnoException
  return refuse.invalid_input`cannot read ${quote(path)}: ${WHY[code] ?? code}`
}

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

function appendFile(path: string, text: string | Uint8Array): void {
  try {
    fs.appendFileSync(resolve(path), text, { mode: 0o600 })
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Opens an output file to read what it already contains. Returns undefined if there's no such file. */
function openWritten(path: string): number | undefined {
  try {
    return fs.openSync(resolve(path), fs.constants.O_RDONLY)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unwritable(path, error)
  }
}

function firstLine(path: string): string | undefined {
  const fd = openWritten(path)
  if (fd === undefined) return undefined
  try {
    const head = new Uint8Array(4096)
    const read = fs.readSync(fd, head)
    const end = head.subarray(0, read).indexOf(10)
    return new TextDecoder().decode(head.subarray(0, end < 0 ? read : end))
  } catch (error) {
    throw unwritable(path, error)
  } finally {
    fs.closeSync(fd)
  }
}

function lastLine(path: string): { line: string; end: number } | undefined {
  const fd = openWritten(path)
  if (fd === undefined) return undefined
  try {
    const { size } = fs.fstatSync(fd)
    // The longest line is a message with a full body and payload, which JSON may double in size.
    const tail = new Uint8Array(Math.min(size, 8 * 1024 * 1024))
    fs.readSync(fd, tail, 0, tail.length, size - tail.length)
    if (size === 0) return undefined
    const end = tail.lastIndexOf(10)
    const start = end < 1 ? -1 : tail.lastIndexOf(10, end - 1)
    const line = new TextDecoder().decode(tail.subarray(start + 1, end < 0 ? size : end))
    return { line, end: size - tail.length + end + 1 }
  } catch (error) {
    throw unwritable(path, error)
  } finally {
    fs.closeSync(fd)
  }
}

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === '-'
      ? fs.createReadStream('', { fd: STDIN })
      : fs.createReadStream(resolve(path))
  } catch (error) {
    throw unreadable(path, error)
  }
}

function onKey(listener: (key: string) => void): () => void {
  const { stdin } = process
  const onData = (data: Buffer) => listener(data.toString('utf8'))
  stdin.setRawMode?.(true)
  stdin.on('data', onData)
  return () => {
    stdin.off('data', onData)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}

const CLOSE_ON_EXEC = 0o2000000

/**
 * Whether the program was started with this output closed, as in `inbox mail read >&-`. The runtime then opens the null
 * device instead, with close-on-exec set; a caller's redirection doesn't set that. Only detectable on Linux.
 */
function wasClosed(fd: number): boolean {
  if (!fs.fstatSync(fd).isCharacterDevice()) return false
  try {
    if (fs.readlinkSync(`/proc/self/fd/${fd}`) !== '/dev/null') return false
    const [, flags = '0'] =
      /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch {
    // Without /proc, assume that the output is being read.
    return false
  }
}

/** Whether the terminal has closed, so that no one would read further output. */
let hasHungUp = false

/** The signals that ask a command to end gracefully: Ctrl-C, SIGTERM, and SIGHUP when its terminal closes. */
function onInterrupt() {
  const controller = new AbortController()
  let number = 0
  const end = (value: number) => {
    if (number === 0) number = value
    controller.abort()
  }
  process.once('SIGINT', () => end(2))
  process.once('SIGTERM', () => end(15))
  // A closing terminal may send SIGHUP twice, and programs under nohup have to keep running.
  if (!isHangupIgnored()) {
    process.on('SIGHUP', () => {
      hasHungUp = true
      end(1)
    })
  }
  return { signal: controller.signal, number: () => number }
}

/** Whether this process was started to ignore SIGHUP. Only detectable on Linux. */
function isHangupIgnored(): boolean {
  try {
    const status = fs.readFileSync('/proc/self/status', 'utf8')
    const ignored = /^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1] ?? '0'
    return (Number.parseInt(ignored, 16) & 1) === 1
  } catch {
    return false
  }
}
