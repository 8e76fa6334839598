// Wires a store, its bell and the few things that must come from outside the core: ids, digests, time.

import type { Bell } from '../core/bell.ts'
import { composeId, composeUuid, type MakeId } from '../core/id.ts'
import type { Folders } from '../core/identity/workspace.ts'
import type { Documents } from '../core/pushes/document.ts'
import type { Store } from '../core/store.ts'
import type { AllowedCommands } from '../core/waking/launch.ts'
import { digest } from '../ops/kit/digest.ts'
import { type Journal, journalFor } from '../store/sqlite/open.ts'
import { openSqlite } from '../store/sqlite/store.ts'
import { doorbell } from '../wake/doorbell.ts'
import { bellPath } from './bell-path.ts'
import { folders } from './folders.ts'
import { isFile } from './locate.ts'
import { keepFromOthers } from './store-files.ts'

/** What must come from outside the core, whatever the store. */
type Machine = {
  makeId: MakeId
  digest: (text: string) => Promise<string>
  folders: Folders
  documents: Documents
  offsetMinutes: (epochMs: number) => number
}

export type Mailroom = Machine & {
  store: Store
  bell: Bell
  allowedCommands: AllowedCommands
  close: () => Promise<void>
}

export type MailroomOptions = {
  onCreate?: ((place: string) => void) | undefined
  connections?: number | undefined
  journal?: Journal | undefined
  /** For a process that makes one call and ends. */
  alone?: boolean | undefined
}

type Wanting = MailroomOptions & {
  /** Where there is no store it is refused as not found, and none is made. */
  mustExist?: boolean
}

/** `address` is a file path, or postgres://… with an optional ?schema=. */
export async function openMailroom(address: string, options: Wanting = {}): Promise<Mailroom> {
  const { store, bell } = isFile(address)
    ? await openFile(address, options)
    : await openPostgres(address, options)
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
    // Once is enough, and twice is no mistake: whoever shares a store may close it.
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function openFile(path: string, options: MailroomOptions) {
  let bell: Bell | undefined
  const store = await openSqlite({
    path,
    journal: options.journal,
    alone: options.alone,
    onCreate: options.onCreate,
    afterCommit: () => bell?.ring(),
    systemClock: Date.now,
  })
  // Now that there is a file whose real path can be asked. Where a log cannot be shared, changes made
  // by others are not reported either.
  keepFromOthers(path)
  bell = doorbell({ path: bellPath(path), poll: () => journalFor(path) === 'delete' })
  return { store, bell }
}

async function openPostgres(url: string, options: Wanting) {
  const postgres = await import('../store/postgres/store.ts')
  return postgres.openPostgres({ ...options, url, makeKey: () => makeId('key') })
}

export function makeId(kind: Parameters<MakeId>[0]): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  return kind === 'entry' ? composeUuid(random) : composeId(kind, Date.now(), random)
}

/** Loaded on first use: most calls neither start a program nor set the command of one. */
export function allowedCommandsFor(address: string, store: Store): AllowedCommands {
  const path = isFile(address) ? address : undefined
  const load = async () =>
    (await import('./allowed-commands.ts')).allowedCommandsOf({ path, store, digest })
  return {
    includes: async (...asked) => (await load()).includes(...asked),
    allow: async (...asked) => (await load()).allow(...asked),
  }
}

/** Loaded when a file is asked for: most commands ask for none. */
const documents: Documents = {
  open: async (folder, path) => (await import('./documents.ts')).documents.open(folder, path),
  changed: async (folder, path, signal) =>
    (await import('./documents.ts')).documents.changed(folder, path, signal),
}

export const machine: Machine = {
  makeId,
  digest,
  folders,
  documents,
  offsetMinutes: (epochMs) => -new Date(epochMs).getTimezoneOffset(),
}
