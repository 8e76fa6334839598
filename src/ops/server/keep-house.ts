// What a server does for its store by itself: it starts agents, lets lapse what has lapsed, and removes
// what is old. Each goes on until the signal, whatever happens to it on the way.

import type { Principal } from '../../core/principal.ts'
import { epochMs } from '../../core/time.ts'
import type { Launcher, Surroundings } from '../../core/waking/launch.ts'
import { type BrokerLine, runBroker } from '../../wake/broker.ts'
import { rest } from '../../wake/rest.ts'
import { waitFor } from '../../wake/wait.ts'
import { call, type House } from '../call.ts'
import { operationNamed } from '../known-caller.ts'

export type Keeping = {
  house: House
  signal: AbortSignal
  /** What was done, or why it was not. */
  tell: (line: { what: string; isProblem: boolean } & Record<string, unknown>) => void
  /** The store is away, and that was said. */
  isAway: () => boolean
}

/** What starts the store's programs, and what they are given. */
export type Starting = { launcher: Launcher; around: Surroundings }

const SYSTEM: Principal = { kind: 'system', name: 'system', proof: 'self' }
/** After what should not happen: often enough to recover, not so often that it fills the log. */
const AGAIN_MS = 5000
const DAY_MS = 86_400_000

/** Whether something was removed says whether to look for more. */
const REMOVED_LIMIT = 1000

export async function keepHouse(keeping: Keeping, starting: Starting | undefined): Promise<void> {
  const chores = [
    lasting(keeping, 'sweep', () => sweeping(keeping)),
    lasting(keeping, 'retention', () => trimming(keeping)),
  ]
  if (starting !== undefined) {
    chores.push(lasting(keeping, 'wakes', () => waking(keeping, starting)))
  }
  await Promise.all(chores)
}

async function lasting(
  { signal, tell, isAway }: Keeping,
  what: string,
  chore: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await chore()
    } catch (error) {
      if (!isAway()) tell({ what, isProblem: true, why: (error as Error).message })
      await rest(AGAIN_MS, signal)
    }
  }
}

function waking({ house, signal, tell }: Keeping, starting: Starting): Promise<void> {
  const say = (line: BrokerLine) => {
    tell({ what: 'wake', isProblem: line.did !== 'started', ...line })
  }
  return runBroker({ ...house, ...starting, signal, tell: say })
}

/** A lapse makes no event by itself: somebody must make it happen when it is due. */
async function sweeping({ house, signal }: Keeping): Promise<void> {
  const { store, bell } = house
  const due = {
    async dueMs() {
      const [next, now] = await Promise.all([store.nextLapse(), store.now()])
      return next === null ? null : Math.max(0, epochMs(next) - epochMs(now))
    },
    run: async () => void (await asSystem(house, signal, 'sweep')),
  }
  const look = async (): Promise<null> => null
  const waiting = { bell, look, lookout: store.lookout(), chores: [due], timeoutMs: 0, signal }
  await asSystem(house, signal, 'sweep')
  await waitFor(waiting)
}

async function trimming({ house, signal, tell }: Keeping): Promise<void> {
  for (;;) {
    const result = (await asSystem(house, signal, 'prune')) as Trimmed
    const { threads, wakes } = result.removed
    if (threads + wakes === 0) break
    tell({ what: 'retention', isProblem: false, threads, wakes })
    if (threads < REMOVED_LIMIT || signal.aborted) break
  }
  await rest(DAY_MS, signal)
}

type Trimmed = { removed: { threads: number; wakes: number } }

async function asSystem(house: House, signal: AbortSignal, name: string): Promise<object> {
  const op = await operationNamed(name)
  const want = { op, principal: SYSTEM, raw: {}, door: 'http' as const, signal }
  const { result, settle } = await call(house, want)
  await settle()
  return result
}
