// The caller's files, which only the shell and the library have.

/** What export, import and backup need from the caller's file system. */
export interface Files {
  write(text: string): Promise<void>
  read(): AsyncIterable<Uint8Array>
  setAside(lines: readonly Uint8Array[]): void
  /** The file that setAside appends to, to show people. */
  aside: string
  /** The event up to which an existing mailbox file goes, if there is one. */
  goesOnAfter?: number
  /** For a file of entries: its entries, and how to remove lines. */
  entries?: EntriesFile
}

export interface EntriesFile {
  known(): Promise<Set<string>>
  /** Removes the lines atomically: a reader sees the file before or after, never in between. */
  drop(ids: ReadonlySet<string>): Promise<void>
}
