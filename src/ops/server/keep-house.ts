// The chores of a server: it starts agents, lets leases and mail lapse, and prunes old threads and records. Each chore
// runs until the signal aborts, and starts again after an error.

import type { House } from '../../core/house.ts'
import type { Principal } from '../../core/principal.ts'
import type { PruneTotals } from '../../core/store.ts'
import { epochMs } from '../../core/time.ts'
import type { LaunchKit } from '../../core/waking/launch.ts'
import { type BrokerLine, runBroker } from '../../wake/broker.ts'
import { sleepUnlessAborted, waitFor } from '../../wake/wait.ts'
import { callDirectly } from '../call.ts'
import { prunedRecords } from '../keeping/drawing.ts'
import { operationNamed } from '../known-caller.ts'

export type HouseKeeping = {
  house: House
  signal: AbortSignal
  /** Reports what was done, or why it wasn't. */
  tell: (line: { what: string; isProblem: boolean } & Record<string, unknown>) => void
  /** Whether the store is unreachable, which is reported elsewhere. */
  isAway: () => boolean
}

const SYSTEM: Principal = { kind: 'system', name: 'system', proof: 'self' }
/** The pause after an unexpected error: short enough to recover soon, long enough not to flood the log. */
const AGAIN_MS = 5000
const DAY_MS = 86_400_000

/** If this many threads were removed, there may be more. */
const REMOVED_LIMIT = 1000

export async function keepHouse(
  keeping: HouseKeeping,
  starting: LaunchKit | undefined,
): Promise<void> {
  const chores = [
    lasting(keeping, 'sweep', () => runSweeps(keeping)),
    lasting(keeping, 'retention', () => runPrunes(keeping)),
  ]
  if (starting !== undefined) {
    chores.push(lasting(keeping, 'wakes', () => runWakes(keeping, starting)))
  }
  await Promise.all(chores)
}

async function lasting(
  { signal, tell, isAway }: HouseKeeping,
  what: string,
  chore: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await chore()
    } catch (error) {
      if (!isAway()) tell({ what, isProblem: true, why: (error as Error).message })
      await sleepUnlessAborted(AGAIN_MS, signal)
    }
  }
}

function runWakes({ house, signal, tell }: HouseKeeping, starting: LaunchKit): Promise<void> {
  const say = (line: BrokerLine) => {
    const isProblem = line.did === 'effect' ? line.came !== 'started' : line.did !== 'started'
    tell({ what: line.did === 'effect' ? 'effect' : 'wake', isProblem, ...line })
  }
  return runBroker({ ...house, ...starting, signal, tell: say })
}

/** Nothing else makes leases and mail lapse, so this sweeps whenever a lapse is due. */
async function runSweeps({ house, signal }: HouseKeeping): Promise<void> {
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

async function runPrunes({ house, signal, tell }: HouseKeeping): Promise<void> {
  for (;;) {
    const result = (await asSystem(house, signal, 'prune')) as { removed: PruneTotals }
    const { threads } = result.removed
    const records = prunedRecords(result.removed).map(({ table, n }) => [table, n])
    if (threads === 0 && records.length === 0) break
    tell({ what: 'retention', isProblem: false, threads, ...Object.fromEntries(records) })
    if (threads < REMOVED_LIMIT || signal.aborted) break
  }
  await sleepUnlessAborted(DAY_MS, signal)
}

async function asSystem(house: House, signal: AbortSignal, name: string): Promise<object> {
  const op = await operationNamed(name)
  return callDirectly(house, { op, principal: SYSTEM, raw: {}, door: 'http', signal })
}
