// The disk port: what installing needs of the caller's files. Only the shell's door supplies it.

/** One file that changes: from what it held when it was read, to what it is to hold. Null is no file. */
export type FileEdit = {
  path: string
  was: string | null
  text: string | null
  /** When the file goes, folders that it leaves empty go too, up to this one. */
  root: string
}

export interface Disk {
  /** Null when there is no such file. What is no file, or not UTF-8, is refused. */
  read(path: string): string | null
  /**
   * Does the work while no other process does such work. `edit` makes all edits or none, whatever happens on
   * the way: what a killed process left half done is undone before the work begins. `note` is a file of the
   * user's own that says what is under way.
   */
  alone<R>(
    note: string,
    work: (edit: (edits: readonly FileEdit[]) => void) => Promise<R>,
  ): Promise<R>
  /** The path that links lead to, whether or not something is there yet. */
  real(path: string): string
  /** Throws if the text is not TOML. */
  parseToml(text: string): unknown
  readonly home: string
  readonly cwd: string
  /** The words that start this program again, before the command, from wherever the user starts programs. */
  program(): Promise<readonly string[]>
}
