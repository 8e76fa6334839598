// A stage is a store and the folders beside it. Whoever acts on it, agent or person, does so by operations alone, as they
// would by any door.

import { call, type House } from '../../ops/call.ts'
import { loadOperation, type OperationName } from '../../ops/catalogue.ts'
import type { CallInput, OperationAnswer } from '../../ops/typed-call.ts'
import type { DemoClock } from './clock.ts'

export type Stage = {
  house: House
  clock: DemoClock
  /** Everything of the demo lies in it. */
  folder: string
  /** The demo is over. */
  signal: AbortSignal
}

type ActorInput<Name extends OperationName> = Omit<CallInput<Name>, 'agent' | 'from'>

export type Actor = <Name extends OperationName>(
  name: Name,
  ...input: Record<never, never> extends ActorInput<Name> ? [ActorInput<Name>?] : [ActorInput<Name>]
) => Promise<OperationAnswer<Name>>

/** Where an actor's calls come from, as the hooks of its program would say it. */
export type ActorOrigin = NonNullable<House['origin']>

export function actor(stage: Stage, agent: string, origin?: ActorOrigin): Actor {
  const house = origin === undefined ? stage.house : { ...stage.house, origin }
  return async (name, ...[raw = {}]) => {
    const op = await loadOperation(name)
    const door = origin === undefined ? 'library' : 'mcp'
    const called = await call(house, { op, raw, door, signal: stage.signal, agent })
    await called.settle()
    return called.result as never
  }
}

export class DemoOver extends Error {}

/** Waits, and ends with the demo. In the past nobody waits. */
export async function pause({ signal, clock }: Stage, seconds: number): Promise<void> {
  if (clock.isPast()) return
  await new Promise<void>((resolve, reject) => {
    const over = () => {
      clearTimeout(timer)
      reject(new DemoOver())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', over)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) over()
    signal.addEventListener('abort', over, { once: true })
  })
}
