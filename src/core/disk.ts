// The disk port: what installing needs of the caller's files. Only the shell's door supplies it.

export interface Disk {
  /** Null when there is no such file. What is not UTF-8 is refused. */
  read(path: string): string | null
  /** Whole or not at all, making folders on the way; through a link, to what it points at. */
  write(path: string, text: string): void
  /** The file, and folders above it that it leaves empty, up to `root`. */
  remove(path: string, root: string): void
  /** Where a path leads through links, whether or not something is there yet. */
  real(path: string): string
  /** Throws where the text is no TOML. */
  parseToml(text: string): unknown
  readonly home: string
  readonly cwd: string
  /** How to start this program again: its words before the command. */
  readonly program: readonly string[]
}
