// The shell door's port to the process and its files. src/bin implements it; tests have their own implementations.

import type { House } from '../../core/house.ts'
import type { Terminal } from '../../ops/kit/drawing/page.ts'
import type { EntriesFile } from '../../ops/kit/files.ts'
import type { Context } from '../../ops/kit/operation.ts'
import type { Shell } from '../../ops/kit/shell.ts'
import type { ProgramName } from './program.ts'

export interface Io {
  program: ProgramName
  /** The arguments, without the program name. */
  args: string[]
  env: { db: string | undefined; agent: string | undefined; debug: boolean }
  /**
   * Describes the first argument or environment variable that isn't valid UTF-8; undefined if there is none. Cheap
   * unless one of them contains the replacement character.
   */
  findInvalidUtf8(): string | undefined
  /** Writes to standard output, only for results. Returns false if the reader has closed the pipe. */
  out(text: string): boolean
  /** Writes to standard error, for people. */
  err(text: string): void
  terminal(): Terminal
  /** Whether a person is watching standard error. */
  isWatched(): boolean
  /** Whether a person can be asked: standard input and output are both terminals. */
  canAsk(): boolean
  now(): number
  version(): string
  /** Resolves --db, or the default if it's absent, to an address. */
  locate(db: string | undefined): string
  /** The agent name for this process's session, in case several sessions of a program want the same name. */
  nameOfSession(address: string, wanted: string): Promise<string>
  /** The machine, for a command that doesn't use a store or only creates one when needed. */
  withoutStore(address: string): ShellSurroundings
  /** Opens the store, and creates it if there is none. */
  open(address: string, how?: OpenWish): Promise<ShellMailroom>
  /** Opens the store without creating it. If there is none, opens an empty one in memory. */
  lookAt(address: string, how?: OpenWish): Promise<ShellMailroom>
  /** Opens the store; null if there is none. */
  find(address: string, how?: OpenWish): Promise<ShellMailroom | null>
  /** Reads up to `limit` bytes plus one, so that the caller notices a longer file. `-` is standard input. */
  readFile(path: string, limit: number): Uint8Array
  chunks(path: string): AsyncIterable<Uint8Array>
  isThere(path: string): boolean
  appendFile(path: string, text: string | Uint8Array): void
  /** The first line, up to the length of a header; undefined if there is no file. */
  firstLine(path: string): string | undefined
  /** The last complete line of a file and where it ends; undefined if there is none. */
  lastLine(path: string): { line: string; end: number } | undefined
  /** Drops the unfinished line after `end`. */
  truncate(path: string, end: number): void
  /** Opens a file of entries, which the caller must have locked. */
  entriesFile(path: string): Promise<EntriesFile>
  /** Locks this file against other processes until the returned function is called. */
  lock(path: string): () => void
  /** `signal` aborts on the first SIGINT, SIGTERM or SIGHUP, and `number` returns that signal's number. */
  onInterrupt(): { signal: AbortSignal; number: () => number }
  /** Reports each key press, for the live view, until the returned function is called. */
  onKey(listener: (key: string) => void): () => void
}

export type OpenWish = {
  /** Whether the process makes many calls instead of one. */
  lasts?: boolean | undefined
  more?: string[]
}

export type ShellSurroundings = Pick<Context, 'makeId' | 'digest' | 'origin' | 'terminal'> & {
  shell: Omit<Shell, 'say' | 'openStore'>
}

export type ShellMailroom = ShellSurroundings & House & { close: () => Promise<void> }
