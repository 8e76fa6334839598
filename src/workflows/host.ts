// The host port: what running a workflow needs of the machine and of the process. Only the shell's door supplies it.

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
  /** The folder from which the workflow is run. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pid: number
  /** The words that start this program again. */
  readonly program: readonly string[]
  /** The address of the store, as programs that are started get it. */
  readonly address: string
  /** This process, as others know it. */
  readonly living: LivingProcess
  /** This process, as a mark that it leaves behind in a file. */
  readonly mark: string
  /** Whether the process that left a mark is known to have ended. */
  isGone(mark: string): boolean
  /** Null when there is no such program on the PATH. */
  which(program: string): string | null
  /** The folder of this name for what belongs to one instance: the user's own, which nobody else may enter. */
  runFolder(name: string): string
  /** A fresh private folder, for a run that leaves nothing behind. */
  temporaryFolder(): string
  removeFolder(path: string): void
  /** Opens a store of its own, for a run that leaves nothing behind. */
  openStore(path: string): Promise<OwnStore>
  /** Runs one command of setup with `sh -c`, as the file says. */
  readonly runShell: RunShell
  /** Starts this program with other words, so that it outlives this process. */
  detach(wish: DetachWish): Promise<DetachedProgram>
  /**
   * Makes the folder of an instance if it is missing, and gives back its real path. Refuses one that cannot be written,
   * or in which a run of another store works. `place` is the store's own.
   */
  makeFolder(path: string, place: string): Promise<string>
  /** Keeps the channel's file as the text of the channel, until the signal and once more after it. */
  followChannel(wish: FollowWish, signal: AbortSignal): Promise<void>
  /** The text of a document; null when there is none. */
  readDocument(place: InstanceFolder, file: string): Promise<string | null>
  /** Serves the tools of an instance on its socket and a port. */
  serveTools(wish: ServeWish): Promise<ServedTools>
  /** Everything that the supervisor wrote to standard input. */
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
  /** The run whose text is in the file, and is kept under another name. */
  former: FormerRun | null
  /** A new run, and not one that goes on: whatever is in the file is not its text. */
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
  /** A private folder, for what does not fit into the other. */
  runtimeFolder: string
  /** Whether a name is believed at the port, or every caller there needs the token of its turn. */
  auth: Auth
  /** Told of what goes wrong there. */
  tell: (words: string) => void
}
export type ServedTools = {
  socket: string
  url: string
  /** Said to people where something is not where they expect it. */
  note?: string
  close: () => Promise<void>
}
