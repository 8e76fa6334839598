// The caller's files, which only the shell and the library have.

/** The parts of the caller's file system that export, import and backup need. */
export interface Files {
  write(text: string): Promise<void>
  read(): AsyncIterable<Uint8Array>
  setAside(lines: readonly Uint8Array[]): void
  /** The file into which setAside puts lines, for people. */
  aside: string
  /** The event up to which an existing mailbox file goes, if there is one. */
  goesOnAfter?: number
  /** For a file of entries: its entries, and how to remove lines. */
  entries?: EntriesFile
}

export interface EntriesFile {
  known(): Promise<Set<string>>
  /** Removes the lines all at once: a reader sees the file as it was or as it is. */
  drop(ids: ReadonlySet<string>): Promise<void>
}
