// A background runner is another process of this program, started with a private file (the wish) that says what to run.
// It outlives the command that started it. The file is removed after setup and the kickoff; only then does the command
// report that the instance is running. A runner that ends before that has failed, and the end of its log says why.

import fs from 'node:fs'
import { join } from 'node:path'
import { CODES, Refusal, refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import type { HeldInstance, InstanceEnd } from '../core/workflows/instance.ts'
import { waitFor } from '../wake/wait.ts'
import { mustNotBeHeld } from './instance-life.ts'
import type { RunnerContext } from './runner.ts'
import { RUNNER_FILES, writeWhole } from './runner-folder.ts'

/** How long the new process may take to acquire its instance. */
const PATIENCE_MS = 30_000
/** How long the command waits for setup. Setup continues even if it takes longer. */
const SETUP_PATIENCE_MS = 120_000
const SHOWN_BYTES = 2000

export type BackgroundRunner = { log: string } & (
  | { pid: number; instance: HeldInstance; hasBegun: boolean }
  /** The runner ended before it called an agent; `why` is the end of its log. */
  | { ended: InstanceEnd; why: string }
)

type BackgroundContext = Pick<RunnerContext, 'store' | 'bell' | 'host' | 'signal'>

/** The new process reads `wish` with readWish. */
export async function startInBackground(
  { store, bell, host, signal }: BackgroundContext,
  { folder, name, wish }: { folder: string; name: string; wish: object },
): Promise<BackgroundRunner> {
  const path = join(folder, `wish-${crypto.randomUUID()}.json`)
  const log = join(folder, RUNNER_FILES.log)
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
      bell,
      look,
      lookout: store.lookout(),
      chores: [],
      timeoutMs,
      signal: AbortSignal.any([signal, end.signal]),
    })
  const held = await until(own, PATIENCE_MS)
  if (held.outcome === 'found') {
    const hasBegun = async () => (fs.existsSync(path) ? null : own())
    const begun = await until(hasBegun, SETUP_PATIENCE_MS)
    if (begun.outcome === 'found') return { pid, log, instance: begun.value, hasBegun: true }
    if (!end.signal.aborted) {
      // Read the instance again: its tools may have an address by now.
      return { pid, log, instance: (await own()) ?? held.value, hasBegun: false }
    }
  }
  // Once the user has been told that there's no runner, one that hasn't read the wish yet must not begin.
  dropWish(path)
  if (end.signal.aborted) {
    return { log, ...(await endOf(store, name, { pid, exit, output: outputIn(log, from) })) }
  }
  throw refuse.invalid_state`its runner (process ${pid}) does not answer; see ${log}`
}

async function endOf(
  store: Store,
  name: string,
  { pid, exit, output }: { pid: number; exit: number | null; output: string },
): Promise<{ ended: InstanceEnd; why: string }> {
  const instance = await store.instance(name)
  if (instance !== null && instance.pid !== pid) mustNotBeHeld(instance, await store.now())
  if (instance?.pid === pid && instance.ended !== '') return { ended: instance.ended, why: output }
  throw new Refusal(
    exit === CODES.lease_conflict.exit ? 'lease_conflict' : 'invalid_state',
    output === '' ? 'its runner ended at once and said nothing' : output.replace(/^[a-z-]+: /, ''),
  )
}

function outputIn(log: string, from: number): string {
  const bytes = fs.readFileSync(log).subarray(from).subarray(-SHOWN_BYTES)
  return bytes.toString('utf8').trim()
}

export function readWish<Wish>(path: string): Wish {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as Wish
  } catch {
    throw refuse.invalid_input`only a command starts this; use 'inbox workflow start'`
  }
}

/** Tells the waiting command that the agents were called, or tells a slow runner not to begin. */
export function dropWish(path: string): void {
  fs.rmSync(path, { force: true })
}
