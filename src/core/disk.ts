// The disk port: what installing needs of the caller's files. Only the shell's door supplies it.

export interface Disk {
  /** Null when there is no such file. A file that is not UTF-8 is refused. */
  read(path: string): string | null
  /** Writes the file whole or not at all, makes folders on the way, and writes through a link. */
  write(path: string, text: string): void
  /** Removes the file, and the folders above it that it leaves empty, up to `root`. */
  remove(path: string, root: string): void
  /** The path that links lead to, whether or not something is there yet. */
  real(path: string): string
  /** Throws if the text is not TOML. */
  parseToml(text: string): unknown
  readonly home: string
  readonly cwd: string
  /** The words that start this program again, before the command. */
  readonly program: readonly string[]
}
