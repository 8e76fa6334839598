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
  /** Null if there is no such file. Refuses directories, special files and text that isn't UTF-8. */
  read(path: string): string | null
  /**
   * Does the work while no other process does similar work. `edit` makes all edits or none: if a process was killed
   * halfway, its edits are undone before the next work begins. `note` is a file of the user that records what is in
   * progress.
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
  /** The command line that starts this program again from wherever the user starts programs, without the command. */
  program(): Promise<readonly string[]>
}
