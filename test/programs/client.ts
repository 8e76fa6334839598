// Opens a store in a test program: like the product, but from the sources that MAILROOM_SOURCE names (ours, or a
// mutant's with one guard removed), and with access to the named points of a write.

import { join } from 'node:path'
import { allowedCommandsFor, machine } from '../../src/bin/compose.ts'
import type { Bell } from '../../src/core/bell.ts'
import type { MakeId } from '../../src/core/id.ts'
import type { Point, Store } from '../../src/core/store.ts'
import type { Client } from '../../src/index.ts'
import type { OperationName } from '../../src/ops/catalogue.ts'

const source = process.env.MAILROOM_SOURCE ?? join(import.meta.dirname, '../../src')
const load = <Module>(path: string): Promise<Module> => import(join(source, path))

export type ProgramClient = Client & { store: Store; bell: Bell }
export type ProgramOptions = { agent?: string; onPoint?: (point: Point) => void }

export async function openClient(
  address: string,
  { agent, onPoint }: ProgramOptions,
): Promise<ProgramClient> {
  const { store, bell } = address.startsWith('postgres:')
    ? await openServer(address, machine.makeId, onPoint)
    : await insisting(() => openFile(address, onPoint))
  const { CATALOGUE, loadOperation } =
    await load<typeof import('../../src/ops/catalogue.ts')>('ops/catalogue.ts')
  const { call } = await load<typeof import('../../src/ops/call.ts')>('ops/call.ts')
  const { signal } = new AbortController()
  const house = { ...machine, allowedCommands: allowedCommandsFor(address, store), store, bell }
  const calls = (Object.keys(CATALOGUE) as OperationName[]).map((name) => [
    name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase()),
    async (raw: Record<string, unknown> = {}) => {
      const op = await loadOperation(name)
      const want = { op, raw, agent, door: 'library' as const, signal }
      const { result, afterAnswer } = await insisting(() => call(house, want))
      // Not awaited: a program can die before this finishes, and so can any caller of the library.
      void afterAnswer()
      return result
    },
  ])
  const close = async () => {
    await store.close()
    await bell.close()
  }
  return { ...Object.fromEntries(calls), close, store, bell }
}

/** Retries when busy: on a machine with twenty other programs, a lock may not be free within five seconds. */
async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'busy') throw error
    }
  }
}

async function openFile(path: string, onPoint?: (point: Point) => void) {
  const { doorbell } = await load<typeof import('../../src/wake/doorbell.ts')>('wake/doorbell.ts')
  const { openSqlite } =
    await load<typeof import('../../src/store/sqlite/store.ts')>('store/sqlite/store.ts')
  const bell = doorbell({ path: `${path}.bell` })
  const store = await openSqlite({
    path,
    journal: process.env.MAILROOM_JOURNAL === 'delete' ? 'delete' : undefined,
    afterCommit: () => bell.ring(),
    systemClock,
    onPoint,
  })
  return { store, bell }
}

// Lets a day pass in minutes: with MAILROOM_CLOCK=BASE:SPEED, time has run SPEED times as fast since BASE, the same in
// every process. Only a SQLite store asks its process for the time.
const [clockBase = 0, clockSpeed = 1] = (process.env.MAILROOM_CLOCK ?? '').split(':').map(Number)

function systemClock(): number {
  return Math.round(clockBase + (Date.now() - clockBase) * clockSpeed)
}

async function openServer(url: string, makeId: MakeId, onPoint?: (point: Point) => void) {
  const { openPostgres } =
    await load<typeof import('../../src/store/postgres/store.ts')>('store/postgres/store.ts')
  return openPostgres({ url, makeKey: () => makeId('key'), onPoint, connections: 3 })
}
