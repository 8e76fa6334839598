// The shell door's port to the process and its files. src/bin implements it; tests have their own implementations.

import type { House } from '../../core/house.ts'
import type { Terminal } from '../../ops/kit/drawing/page.ts'
import type { EntriesFile } from '../../ops/kit/files.ts'
import type { Context } from '../../ops/kit/operation.ts'
import type { Shell } from '../../ops/kit/shell.ts'
import type { ProgramName } from './program.ts'

export interface Io {
  program: ProgramName
  /** The arguments without that name. */
  args: string[]
  env: { db: string | undefined; agent: string | undefined; debug: boolean }
  /**
   * Describes the first argument or variable that isn't UTF-8; undefined if all are. Cheap unless one of them
   * contains the replacement character.
   */
  findInvalidUtf8(): string | undefined
  /** Writes results only. False if the reader has closed the pipe. */
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
  /** Resolves --db, or its absence, to an address. */
  locate(db: string | undefined): string
  /**
   * The agent name for the session this process was started in, if several sessions of a program want the same name.
   */
  nameOfSession(address: string, wanted: string): Promise<string>
  /** The machine for a command that has no store, or only creates one when needed. */
  withoutStore(address: string): ShellSurroundings
  /** Opens the store, and creates it if there is none. */
  open(address: string, how?: OpenWish): Promise<ShellMailroom>
  /** Opens the store for a look, or an empty one in memory if there is none. */
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
  /** Drops everything after `end`: a line its writer didn't finish before it died. */
  truncate(path: string, end: number): void
  /** A file of entries. The caller holds its lock. */
  entriesFile(path: string): Promise<EntriesFile>
  /** Keeps other processes from this file until the returned function is called. */
  lock(path: string): () => void
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP; the number is the signal's. */
  onInterrupt(): { signal: AbortSignal; number: () => number }
  /** One key press at a time, for the live view; ends with the returned function. */
  onKey(listener: (key: string) => void): () => void
}

export type OpenWish = {
  /** For a process that makes many calls instead of one. */
  lasts?: boolean | undefined
  more?: string[]
}

export type ShellSurroundings = Pick<Context, 'makeId' | 'digest' | 'origin' | 'terminal'> & {
  shell: Omit<Shell, 'say' | 'openStore'>
}

export type ShellMailroom = ShellSurroundings & House & { close: () => Promise<void> }
