// A world is a store and a door through which a behavior is tested.

import { setTimeout as sleep } from 'node:timers/promises'
import { openMailroom } from '../../src/bin/compose.ts'
import type { DoorCall } from './calls.ts'
import { type Door, type Inbox, libraryDoor, programDoor } from './doors.ts'
import type { HTTP_WORLD, TOOLS_WORLD } from './product.ts'
import { DAWN, type Engine, emptiedStore, freshStore, type TestStore } from './store.ts'

export const WORLDS = ['sqlite/library', 'sqlite/cli', 'postgres/library', 'postgres/cli'] as const
export type WorldName = (typeof WORLDS)[number]

/** Loaded on demand, because an MCP client would be most of what a test file loads. */
const DOORS = {
  library: async () => libraryDoor,
  cli: async () => programDoor,
  mcp: async () => (await import('./mcp-door.ts')).mcpDoor,
  http: async () => (await import('./http-door.ts')).httpDoor,
}

export type World = TestStore & {
  name: WorldName | typeof TOOLS_WORLD | typeof HTTP_WORLD
  door: keyof typeof DOORS
  inbox: Inbox
  /** The inbox of a caller that identified itself once, through INBOX_AGENT or connect's `agent`. */
  as(agent: string): Inbox
  /** The shell's exit code for this answer. */
  exitOf(answer: object): number
  exportLog: Door['exportLog']
  importLog: Door['importLog']
  exportMail: Door['exportMail']
  followLog: Door['followLog']
  /** Another store behind the same kind of door, empty or not created yet. It closes with this one. */
  another(state: 'empty' | 'unmade'): Promise<World>
  /** Gives the store back before the test ends. A test with many worlds then reuses the tables of the last one. */
  giveBack(): Promise<void>
}

/** Proves a sentence in a world, and that each call in `represents` was made at the world's door. */
export async function inWorld(
  name: World['name'],
  use: (world: World) => Promise<void>,
  represents: readonly DoorCall[] = [],
): Promise<void> {
  const doors: Door[] = []
  const closers: (() => Promise<void>)[] = []
  const opening: Opening = { name, doors, closers, hasFailed: true }
  try {
    await use(await openWorld(opening, 'empty'))
    opening.hasFailed = false
    const calls = doors.flatMap((door) => door.calls?.() ?? [])
    // A proof whose calls bypass the door would pass whatever the door does. Calls can't bypass the program.
    if (/\/(mcp|http)$/.test(name) && calls.length === 0) {
      throw new Error(
        `no call of this proof went through ${name}: list it in test/worlds/product.ts`,
      )
    }
    for (const { op, outcome } of represents) {
      if (calls.some((call) => call.op === op && call.outcome === outcome)) continue
      throw new Error(
        `test/at-doors.ts names this for the ${outcome} of ${op}, and in ${name} there was none`,
      )
    }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

type Opening = {
  name: World['name']
  doors: Door[]
  closers: (() => Promise<void>)[]
  /** True until the proof has finished. */
  hasFailed: boolean
}

async function openWorld(opening: Opening, state: 'empty' | 'unmade'): Promise<World> {
  const { name, doors, closers } = opening
  const [engine, kind] = name.split('/') as [Engine, World['door']]
  // A killed program's session may end after the test, so a store that programs used isn't reused.
  const isReused = engine === 'postgres' && kind !== 'cli' && state === 'empty'
  const store = isReused ? await emptiedStore(makeStore) : await freshStore(engine)
  const makeDoor = await DOORS[kind]()
  const door = makeDoor(store)
  doors.push(door)
  const close = async (hasFailed: boolean) => {
    // A proof that failed halfway may have left something running.
    if (hasFailed) store.spoil?.()
    await door.close()
    await store.remove()
  }
  const closer = () => close(opening.hasFailed)
  closers.push(closer)
  if (state === 'empty') {
    // A store's clock can only be set once the store exists.
    if (!isReused) await makeStore(store.address)
    await store.clock.set(DAWN)
  }
  return {
    ...store,
    name,
    door: kind,
    inbox: door.inbox(),
    as: (agent) => door.inbox(agent),
    exitOf: door.exitOf,
    exportLog: door.exportLog,
    importLog: door.importLog,
    exportMail: door.exportMail,
    followLog: door.followLog,
    another: (state) => openWorld(opening, state),
    async giveBack() {
      closers.splice(closers.indexOf(closer), 1)
      await close(false)
    },
  }
}

export async function makeStore(address: string): Promise<void> {
  await (await openMailroom(address)).close()
}

/**
 * Polls until `look` returns a value, for changes that another process makes on its own schedule. It polls less often
 * over time, because polling takes CPU time from the other process.
 */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  what: string,
  withinMs = 60_000,
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    const waited = performance.now() - begun
    if (waited > withinMs) throw new Error(`timed out waiting for: ${what}`)
    await sleep(Math.min(50, 5 + waited / 20))
  }
}
