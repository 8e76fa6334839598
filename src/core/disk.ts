// The disk port: the access to the caller's files that installing needs. Only the shell's door supplies it.

/** A change to one file: its content when it was read, and its new content. Null means there is no file. */
export type FileEdit = {
  path: string
  was: string | null
  text: string | null
  /** If the file is removed, folders left empty are removed too, up to this one. */
  root: string
}

export interface Disk {
  /** Null if there is no such file. Refuses directories, special files and text that isn't UTF-8. */
  read(path: string): string | null
  /**
   * Runs the work while no other process is doing this kind of work. `edit` makes all edits or none: if a process was
   * killed halfway, its edits are undone before any further work begins. `note` is a user file that records what is in
   * progress.
   */
  alone<R>(
    note: string,
    work: (edit: (edits: readonly FileEdit[]) => void) => Promise<R>,
  ): Promise<R>
  /** Resolves links, whether or not the resulting path exists yet. */
  real(path: string): string
  /** Throws if the text is not TOML. */
  parseToml(text: string): unknown
  readonly home: string
  readonly cwd: string
  /** The command line that starts this program again from anywhere, without a subcommand. */
  program(): Promise<readonly string[]>
}
