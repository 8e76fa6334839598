// The port through which the shell door sees the process and its files. The composition root supplies it; tests supply
// their own.

import type { Terminal } from '../../ops/kit/drawing/page.ts'
import type { EntriesFile } from '../../ops/kit/files.ts'
import type { Context, StoreContext } from '../../ops/kit/operation.ts'
import type { Shell } from '../../ops/kit/shell.ts'
import type { ProgramName } from './program.ts'

export interface Io {
  /** The name by which the program was called. */
  program: ProgramName
  /** The arguments without that name. */
  args: string[]
  env: { db: string | undefined; agent: string | undefined; debug: boolean }
  /**
   * Describes the first argument or variable that is not UTF-8; undefined if there is none. Cheap unless one of them
   * holds the replacement character.
   */
  findBrokenText(): string | undefined
  /** Writes results only. False when the reader has gone. */
  out(text: string): boolean
  /** Writes to standard error, for people. */
  err(text: string): void
  terminal(): Terminal
  /** Whether a person reads what goes to standard error. */
  isWatched(): boolean
  /** Whether a person can be asked: standard input and output are both a terminal. */
  canAsk(): boolean
  now(): number
  version(): string
  /** Turns --db, or its absence, into an address. */
  locate(db: string | undefined): string
  /** The name of the session that this process was started in, if several of a program want one name. */
  nameOfSession(address: string, wanted: string): Promise<string>
  /** The machine around a command that has no store, or makes one only when it needs it. */
  withoutStore(address: string): ShellSurroundings
  /** Opens the store. `absent` says what happens if there is none: make one, look at an empty one, or return null. */
  open(address: string, how: OpenWish & { absent: 'make' | 'look' }): Promise<ShellMailroom>
  open(address: string, how: OpenWish & { absent: 'null' }): Promise<ShellMailroom | null>
  /** Reads at most `limit` bytes and one more, so that the caller notices a longer file. `-` is standard input. */
  readFile(path: string, limit: number): Uint8Array
  /** Reads a file of any size in chunks. */
  chunks(path: string): AsyncIterable<Uint8Array>
  isThere(path: string): boolean
  appendFile(path: string, text: string | Uint8Array): void
  /** The first line, up to the length of a header; undefined when there is none. */
  firstLine(path: string): string | undefined
  /** The last whole line of a file and where it ends; undefined when there is none. */
  lastLine(path: string): { line: string; end: number } | undefined
  /** Drops everything after `end`: a line that its writer did not finish before it died. */
  truncate(path: string, end: number): void
  /** A file of entries, to be used under its lock. */
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
  /** Other stores to serve beside it. */
  more: string[]
}

export type ShellSurroundings = Pick<Context, 'makeId' | 'digest' | 'origin' | 'terminal'> & {
  shell: Omit<Shell, 'say' | 'openStore'>
}

export type ShellMailroom = ShellSurroundings & StoreContext & { close: () => Promise<void> }
