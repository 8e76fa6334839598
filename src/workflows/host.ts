// The host port: what running a workflow needs from the machine and the process. Only the shell provides it.

import type { LivingProcess } from '../backends/flag-lock.ts'
import type { Bell } from '../core/bell.ts'
import type { Folders } from '../core/identity/workspace.ts'
import type { Documents } from '../core/pushes/document.ts'
import type { Auth } from '../core/server/server.ts'
import type { Store } from '../core/store.ts'
import type { AllowedCommands, Launcher } from '../core/waking/launch.ts'
import type { InstanceFiles, InstanceFolder } from '../core/workflows/instance-files.ts'
import type { FormerRun } from '../wake/instance.ts'
import type { RunShell } from './setup.ts'

export interface WorkflowHost {
  /** The working folder of the command. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pid: number
  /** The command line that starts this program again. */
  readonly program: readonly string[]
  /** The address of the store, as passed to programs. */
  readonly address: string
  /** This process, as other processes identify it. */
  readonly living: LivingProcess
  /** This process as a mark to leave in a file. */
  readonly mark: string
  /** Whether the process that left a mark is known to have ended. */
  isGone(mark: string): boolean
  /** The program's path; null if it isn't on the PATH. */
  which(program: string): string | null
  /** The private folder of one instance, by this name. */
  runFolder(name: string): string
  /** A new private folder, for a run in memory. */
  temporaryFolder(): string
  removeFolder(path: string): void
  /** Opens a separate store, for a run in memory. */
  openStore(path: string): Promise<OwnStore>
  /** Runs one command of setup with `sh -c`. */
  readonly runShell: RunShell
  /** Starts this program with other arguments, so that it outlives this process. */
  detach(wish: DetachWish): Promise<DetachedProgram>
  /**
   * Creates the folder of an instance if it's missing, and returns its real path. Refuses a folder that can't be written or
   * that an instance of another store uses. `place` is this store's place.
   */
  makeFolder(path: string, place: string): Promise<string>
  /** Keeps the text of the channel in its file, until the signal and once more after it. */
  followChannel(wish: FollowWish, signal: AbortSignal): Promise<void>
  /** The text of a document; null if there is none. */
  readDocument(place: InstanceFolder, file: string): Promise<string | null>
  /** Serves the tools of an instance on its socket and on a port. */
  serveTools(wish: ServeWish): Promise<ServedTools>
  /** Everything the supervisor wrote to standard input. */
  readStdin(): Promise<string>
  now(): number
}

export type OwnStore = {
  store: Store
  bell: Bell
  allowedCommands: AllowedCommands
  launcher: Launcher
  folders: Folders
  documents: Documents
  instanceFiles: InstanceFiles
  offsetMinutes: (epochMs: number) => number
  close: () => Promise<void>
}

export type FollowWish = {
  store: Store
  bell: Bell
  instance: string
  dir: string
  channel_file: string
  thread_id: string
  /** The earlier start whose text is in the file and moves to another name. */
  former: FormerRun | null
  /** A new start, not a resumed one: a text in the file belongs to something else. */
  isNew: boolean
  tell: (words: string) => void
}

export type DetachWish = { words: readonly string[]; cwd: string; log: string }
export type DetachedProgram = { pid: number; ended: Promise<number | null> }

export type ServeWish = {
  store: Store
  bell: Bell
  allowedCommands: AllowedCommands
  instance: string
  dir: string
  /** A private folder, as the second choice for the socket. */
  runtimeFolder: string
  /** Whether a name is enough at the port, or every caller needs the token of its turn. */
  auth: Auth
  /** Called with each problem. */
  tell: (words: string) => void
}
export type ServedTools = {
  socket: string
  url: string
  /** Tells people what isn't where they expect it. */
  note?: string
  close: () => Promise<void>
}
