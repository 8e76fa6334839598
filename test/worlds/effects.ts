// Approved requests that start a real program as their effect.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { makeLauncher } from '../../src/bin/launcher.ts'
import { SYSTEM } from '../../src/core/event.ts'
import { startEffect } from '../../src/core/requests/effect.ts'
import { EFFECTS } from '../../src/core/requests/effect-record.ts'
import type { Client } from '../../src/index.ts'
import { effectInput } from '../../src/ops/requests/request-exec.ts'
import { carryOut } from '../../src/wake/effects.ts'
import { LEASE_SECONDS } from '../../src/wake/watch-program.ts'
import { until } from './world.ts'

export type EffectWay = 'works' | 'fails' | 'floods' | 'hangs' | 'orphaned' | 'deaf'

const PROGRAM = join(import.meta.dirname, '../programs/effect.ts')

export function effectCommand(folder: string, way: EffectWay): string {
  return JSON.stringify([process.execPath, PROGRAM, folder, way])
}

export type StartedEffect = { pid: number; request: string; input: string }

/** Every start of an effect's program, in order. */
export function startedEffects(folder: string): StartedEffect[] {
  const file = join(folder, 'effects.jsonl')
  if (!existsSync(file)) return []
  // A line that is still being written has no newline yet.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as StartedEffect)
}

/** Creates and approves a request whose type starts a program. Returns its id. */
export async function approvedOf(
  user: Pick<Client, 'requestCreate' | 'approve'>,
  type: string,
  payload: object = { n: 1 },
): Promise<string> {
  const asked = { agent: 'ann', type, title: 'May I?', payload: JSON.stringify(payload) }
  const { request_id: request } = await user.requestCreate(asked)
  await user.approve({ request, revision: 1 })
  return request
}

export async function effectOf(user: Pick<Client, 'requestGet'>, request: string) {
  const { effect } = await user.requestGet({ request })
  if (effect === null) throw new Error(`${request} has no effect`)
  return effect
}

/** Carries out the effect in this process, as its supervisor would. */
export async function carryOutHere(address: string, request: string) {
  const { store, allowedCommands, close } = await openMailroom(address)
  try {
    const launcher = makeLauncher(address)
    const { signal } = new AbortController()
    const input = (row: Parameters<typeof effectInput>[1]) => effectInput(store, row)
    return await carryOut({ store, allowedCommands, launcher, signal, input }, request)
  } finally {
    await close()
  }
}

/**
 * Records that the effect is running, as its supervisor does before it starts the program. No supervisor exists
 * afterward.
 */
export async function beginAndDie(address: string, request: string): Promise<void> {
  const { store, close } = await openMailroom(address)
  try {
    await store.write(async (tx) => {
      const [locked, effect] = await Promise.all([tx.lock(request), tx.rowOf(EFFECTS, request)])
      if (locked === null || effect === null) throw new Error(`${request} has no effect`)
      const by = { by: SYSTEM, now: locked.now, leaseSeconds: LEASE_SECONDS }
      tx.record(locked.state, startEffect(locked.state, effect, by))
      return true
    })
  } finally {
    await close()
  }
}

/** Waits until the effect is in this state. */
export async function untilEffect(
  user: Pick<Client, 'requestGet'>,
  request: string,
  state: string,
) {
  await until(async () => (await effectOf(user, request)).state === state, `the effect is ${state}`)
  return effectOf(user, request)
}
