// The host port: what running a workflow needs from the machine and the process. Only the shell provides it.

import type { LivingProcess } from '../backends/flag-lock.ts'
import type { House } from '../core/house.ts'
import type { Auth } from '../core/server/server.ts'
import type { Launcher } from '../core/waking/launch.ts'
import type { Instance } from '../core/workflows/instance.ts'
import type { InstanceFolder } from '../core/workflows/instance-files.ts'
import type { FormerStart } from './instance-life.ts'
import type { RunShell } from './setup.ts'

export interface WorkflowHost {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pid: number
  /** The command line that starts this program again. */
  readonly program: readonly string[]
  readonly address: string
  /** This process, as other processes identify it. */
  readonly living: LivingProcess
  /** A mark that identifies this process in a file. */
  readonly mark: string
  /** Whether the process that left a mark is known to have ended. */
  isGone(mark: string): boolean
  /** The program's path; null if it isn't on the PATH. */
  which(program: string): string | null
  runnerFolder(name: string): string
  /** Creates a private folder for an in-memory run. */
  temporaryFolder(): string
  removeFolder(path: string): void
  /** Opens a separate store for an in-memory run. */
  openStore(path: string): Promise<House & { launcher: Launcher; close: () => Promise<void> }>
  /** Runs one setup command with `sh -c`. */
  readonly runShell: RunShell
  /** Starts this program with other arguments, as a process that outlives this one. */
  detach(wish: DetachWish): Promise<DetachedProgram>
  /**
   * Creates the folder of an instance if it's missing, and returns its real path. Refuses a folder that isn't writable
   * or that an instance of another store uses. `place` is `store.place`.
   */
  makeFolder(path: string, place: string): Promise<string>
  /** Keeps the channel's file up to date until the signal is aborted, and updates it once more after that. */
  followChannel(wish: FollowWish, signal: AbortSignal): Promise<void>
  readDocument(place: InstanceFolder, file: string): Promise<string | null>
  /** Serves the tools of an instance on its socket and on a port. */
  serveTools(wish: ServeWish): Promise<ServedTools>
  readStdin(): Promise<string>
  now(): number
}

type ChannelPlace = Pick<Instance, 'instance' | 'dir' | 'channel_file' | 'thread_id'>

export type FollowWish = Pick<House, 'store' | 'bell'> &
  ChannelPlace & {
    /** The earlier start whose entries are in the file. That file is renamed. */
    former: FormerStart | null
    /** Whether this is a new start, not a resumed one. If so, any text in the file belongs to something else. */
    isNew: boolean
    tell: (words: string) => void
  }

export type DetachWish = { words: readonly string[]; cwd: string; log: string }
export type DetachedProgram = { pid: number; ended: Promise<number | null> }

export type ServeWish = Pick<House, 'store' | 'bell' | 'allowedCommands'> & {
  instance: string
  dir: string
  /** The user's private folder, where the socket goes if it can't be in `dir`. */
  runtimeFolder: string
  /** Whether callers at the port only have to give a name, or need the token of their turn. */
  auth: Auth
  /** Called with each problem, but only once while the same problem persists. */
  tell: (words: string) => void
}

export type ServedTools = {
  socket: string
  /** The address of the tools; empty if there is no port. */
  url: string
  /** Says where the socket is instead, or why there's no socket or port. */
  note?: string
  close: () => Promise<void>
}
