// A runner in the background: this program again, which gets what it is to run in a private file and outlives the command
// that started it. The file is removed once setup is over and the kickoff is sent: only then does the command say that
// the instance goes on. A runner that ends before that has failed, and the end of its log says why.

import fs from 'node:fs'
import { join } from 'node:path'
import type { Bell } from '../core/bell.ts'
import { CODES, refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import type { HeldInstance, InstanceEnd } from '../core/workflows/instance.ts'
import { mustNotBeHeld } from '../wake/instance.ts'
import { waitFor } from '../wake/wait.ts'
import type { WorkflowHost } from './host.ts'
import { RUN_FILES, writeWhole } from './kept-plan.ts'

/** How long the new process may take until it holds its instance. */
const PATIENCE_MS = 30_000
/** How long the command waits for setup. Setup itself may take longer, and goes on. */
const SETUP_PATIENCE_MS = 120_000
const SHOWN_BYTES = 2000

export type BackgroundRunner = { log: string } & (
  | { pid: number; instance: HeldInstance; hasBegun: boolean }
  /** The runner ended before any agent was called, and `why` is what it said. */
  | { ended: InstanceEnd; why: string }
)

type BackgroundContext = { store: Store; bell: Bell; host: WorkflowHost; signal: AbortSignal }

/** `wish` is what the new process reads with readWish. */
export async function startInBackground(
  { store, bell, host, signal }: BackgroundContext,
  { folder, name, wish }: { folder: string; name: string; wish: object },
): Promise<BackgroundRunner> {
  const path = join(folder, `wish-${crypto.randomUUID()}.json`)
  const log = join(folder, RUN_FILES.log)
  writeWhole(path, JSON.stringify(wish))
  const from = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const words = ['workflow', 'keep', '--wish', path, '--db', host.address]
  const { pid, ended } = await host.detach({ words, cwd: host.cwd, log })
  const end = new AbortController()
  let exit: number | null = null
  void ended.then((code) => {
    exit = code
    end.abort()
  })
  const own = async () => {
    const instance = await store.instance(name)
    return instance?.pid === pid && instance.state === 'running' ? instance : null
  }
  const until = (look: () => Promise<HeldInstance | null>, timeoutMs: number) =>
    waitFor({
      ...{ bell, look, lookout: store.lookout(), chores: [], timeoutMs },
      signal: AbortSignal.any([signal, end.signal]),
    })
  const held = await until(own, PATIENCE_MS)
  if (held.outcome === 'found') {
    const hasBegun = async () => (fs.existsSync(path) ? null : own())
    const begun = await until(hasBegun, SETUP_PATIENCE_MS)
    if (begun.outcome === 'found') return { pid, log, instance: begun.value, hasBegun: true }
    if (!end.signal.aborted) {
      // Since it was first seen, its tools may have got an address.
      return { pid, log, instance: (await own()) ?? held.value, hasBegun: false }
    }
  }
  // A runner that has not read it yet must not begin after its user was told that there is none.
  dropWish(path)
  if (end.signal.aborted) {
    return { log, ...(await endOf(store, name, { pid, exit, said: saidIn(log, from) })) }
  }
  throw refuse('invalid_state', `its runner (process ${pid}) does not answer; see ${log}`)
}

async function endOf(
  store: Store,
  name: string,
  { pid, exit, said }: { pid: number; exit: number | null; said: string },
): Promise<{ ended: InstanceEnd; why: string }> {
  const instance = await store.instance(name)
  if (instance !== null && instance.pid !== pid) mustNotBeHeld(instance, await store.now())
  if (instance?.pid === pid && instance.ended !== '') return { ended: instance.ended, why: said }
  throw refuse(
    exit === CODES.lease_conflict.exit ? 'lease_conflict' : 'invalid_state',
    said === '' ? 'its runner ended at once and said nothing' : said.replace(/^[a-z-]+: /, ''),
  )
}

/** The end of what a runner has said. */
function saidIn(log: string, from: number): string {
  const bytes = fs.readFileSync(log).subarray(from).subarray(-SHOWN_BYTES)
  return bytes.toString('utf8').trim()
}

/** Reads what to run. */
export function readWish<Wish>(path: string): Wish {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as Wish
  } catch {
    throw refuse('invalid_input', "only a command starts this; use 'inbox workflow start'")
  }
}

/** The command that waits for the runner sees by this that the agents were called, or that they never will be. */
export function dropWish(path: string): void {
  fs.rmSync(path, { force: true })
}
