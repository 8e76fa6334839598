// The caller's files, which only the shell and the library have.

/** What export, import and backup need from the caller's file system. */
export interface Files {
  write(text: string): Promise<void>
  read(): AsyncIterable<Uint8Array>
  setAside(lines: readonly Uint8Array[]): void
  /** The file that setAside appends to, as shown to people. */
  aside: string
  /** The last event that the mailbox file covers, if the file already exists. */
  goesOnAfter?: number
  /** For an entries file: finds out which entries it has, and removes lines. */
  entries?: EntriesFile
}

export interface EntriesFile {
  known(): Promise<Set<string>>
  /** Removes the lines atomically: a reader sees either the old file or the new one. */
  drop(ids: ReadonlySet<string>): Promise<void>
}
