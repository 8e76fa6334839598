// Wires up a store, its bell and the few things that must come from outside the core: ids, digests, time.

import { realpathSync, statSync } from 'node:fs'
import type { Bell } from '../core/bell.ts'
import { quote, Refusal, refuse } from '../core/error.ts'
import type { House, Machine } from '../core/house.ts'
import { composeId, composeUuid, type MakeId } from '../core/id.ts'
import type { Folders } from '../core/identity/workspace.ts'
import type { Documents } from '../core/pushes/document.ts'
import type { Store } from '../core/store.ts'
import type { AllowedCommands } from '../core/waking/launch.ts'
import type { InstanceFiles } from '../core/workflows/instance-files.ts'
import { digest } from '../ops/kit/digest.ts'
import { type Journal, journalFor } from '../store/sqlite/open.ts'
import { openSqlite } from '../store/sqlite/store.ts'
import { doorbell } from '../wake/doorbell.ts'
import { isAbsent, isFile } from './locate.ts'
import { bellPath, keepFromOthers } from './store-files.ts'

export type Mailroom = House & { close: () => Promise<void> }

export type MailroomOptions = {
  onCreate?: ((place: string) => void) | undefined
  /** Called when no .gitignore covers the new store. */
  onSeenByGit?: ((place: string) => void) | undefined
  connections?: number | undefined
  journal?: Journal | undefined
  alone?: boolean | undefined
  /** The clock of a SQLite store. It stands still in a demo for screenshots. */
  clock?: (() => number) | undefined
}

/**
 * Opens a store, and creates it if there is none. `address` is a file path, or postgres://… with an optional
 * ?schema=.
 */
export async function openMailroom(
  address: string,
  options: MailroomOptions = {},
): Promise<Mailroom> {
  return mailroomOf(address, await openStore(address, { ...options, mustExist: false }))
}

export async function findMailroom(
  address: string,
  options: MailroomOptions = {},
): Promise<Mailroom | null> {
  if (isFile(address) && isAbsent(address)) return null
  try {
    return mailroomOf(address, await openStore(address, { ...options, mustExist: true }))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}

/** Opens a store for reading, or an empty one in memory if there is none. The empty one calls `onAbsent` on close. */
export async function lookAtMailroom(
  address: string,
  {
    onAbsent = () => {},
    ...options
  }: MailroomOptions & { onAbsent?: (place: string) => void } = {},
): Promise<Mailroom> {
  const there = await findMailroom(address, options)
  if (there !== null) return there
  const { openEmptyStore } = await import('./empty-store.ts')
  return mailroomOf(address, await openEmptyStore(address, onAbsent))
}

type OpenedStore = Pick<House, 'store' | 'bell'>

function openStore(address: string, options: OpenOptions): Promise<OpenedStore> {
  return isFile(address) ? openFile(address, options) : openPostgres(address, options)
}

function mailroomOf(address: string, { store, bell }: OpenedStore): Mailroom {
  let closing: Promise<void> | undefined
  const close = async () => {
    await store.close()
    await bell.close()
  }
  return {
    store,
    bell,
    ...machine,
    allowedCommands: allowedCommandsFor(address, store),
    // If a store has several users, each of them may close it.
    close() {
      closing ??= close()
      return closing
    },
  }
}

type OpenOptions = MailroomOptions & { mustExist: boolean }

async function openFile(path: string, options: OpenOptions): Promise<OpenedStore> {
  let bell: Bell | undefined
  const isNew = isAbsent(path)
  const isIgnored = !isNew || (await import('./git-ignore.ts')).ignoreInGit(path)
  const store = await openSqlite({
    path,
    journal: options.journal,
    alone: options.alone,
    mustExist: options.mustExist,
    onCreate: options.onCreate,
    afterCommit: () => bell?.ring(),
    systemClock: options.clock ?? Date.now,
  })
  // The file exists now, so its real path can be read. Journal mode `delete` implies a file system that doesn't report
  // other processes' changes, so the bell polls.
  keepFromOthers(path)
  bell = doorbell({ path: bellPath(path), poll: () => journalFor(path) === 'delete' })
  if (!isIgnored) options.onSeenByGit?.(path)
  return { store, bell }
}

async function openPostgres(url: string, options: OpenOptions): Promise<OpenedStore> {
  const postgres = await import('../store/postgres/store.ts')
  return postgres.openPostgres({ ...options, url, makeKey: () => makeId('key') })
}

export function makeId(kind: Parameters<MakeId>[0]): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  return kind === 'entry' ? composeUuid(random) : composeId(kind, Date.now(), random)
}

/** Loaded on first use: most calls start no program and set no command. */
export function allowedCommandsFor(address: string, store: Store): AllowedCommands {
  const path = isFile(address) ? address : undefined
  const load = async () =>
    (await import('./allowed-commands.ts')).allowedCommandsOf({ path, store, digest })
  return {
    includes: async (...asked) => (await load()).includes(...asked),
    allow: async (...asked) => (await load()).allow(...asked),
  }
}

/** Loaded on first use: most commands need no file. */
const documents: Documents = {
  open: async (folder, path) => (await import('./documents.ts')).documents.open(folder, path),
  changed: async (folder, path, signal) =>
    (await import('./documents.ts')).documents.changed(folder, path, signal),
}

const loadInstanceFiles = async () => (await import('./instance-files.ts')).instanceFiles
const instanceFiles: InstanceFiles = {
  read: async (...asked) => (await loadInstanceFiles()).read(...asked),
  list: async (...asked) => (await loadInstanceFiles()).list(...asked),
  alone: async (...asked) => (await loadInstanceFiles()).alone(...asked),
}

const folders: Folders = {
  async real(path) {
    let real: string
    try {
      real = realpathSync.native(path)
      if (statSync(real).isDirectory()) return real
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR')
        throw refuse.not_found`there is no folder ${quote(path)}`
      throw refuse.invalid_input`${quote(path)} cannot be read: ${String(code)}`
    }
    throw refuse.invalid_input`${quote(path)} is not a folder`
  },
}

export const machine: Machine = {
  makeId,
  digest,
  folders,
  documents,
  instanceFiles,
  offsetMinutes: (epochMs) => -new Date(epochMs).getTimezoneOffset(),
}
