// A runner in the background: this program again, which gets what it is to run in a private file and outlives the command
// that started it. The command answers once the instance runs, or says why it does not.

import fs from 'node:fs'
import { join } from 'node:path'
import type { Bell } from '../core/bell.ts'
import type { HeldInstance } from '../core/channels/instance.ts'
import { refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { waitFor } from '../wake/wait.ts'
import type { WorkflowHost } from './host.ts'
import { RUN_FILES, writeWhole } from './kept-plan.ts'

/** How long the new process may take until its instance runs. */
const PATIENCE_MS = 30_000
const SHOWN_LETTERS = 2000

export type BackgroundRunner = { pid: number; log: string; instance: HeldInstance }

/** `wish` is what the new process reads with takeWish. */
export async function startInBackground(
  {
    store,
    bell,
    host,
    signal,
  }: {
    store: Store
    bell: Bell
    host: WorkflowHost
    signal: AbortSignal
  },
  { folder, name, wish }: { folder: string; name: string; wish: object },
): Promise<BackgroundRunner> {
  const path = join(folder, `wish-${crypto.randomUUID()}.json`)
  const log = join(folder, RUN_FILES.log)
  writeWhole(path, JSON.stringify(wish))
  const from = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const words = ['workflow', 'keep', '--wish', path, '--db', host.address]
  const started = await host.detach({ words, cwd: host.cwd, log })
  const ended = new AbortController()
  void started.ended.then(() => ended.abort())
  const look = async () => {
    const instance = await store.instance(name)
    const isOurs = instance?.pid === started.pid && instance.state === 'running'
    const isServed = instance?.thread_id === '' || instance?.url !== '' || instance?.socket !== ''
    return isOurs && isServed ? instance : null
  }
  const found = await waitFor({
    ...{ bell, look, lookout: store.lookout(), chores: [], timeoutMs: PATIENCE_MS },
    signal: AbortSignal.any([signal, ended.signal]),
  })
  if (found.outcome === 'found') return { pid: started.pid, log, instance: found.value }
  fs.rmSync(path, { force: true })
  if (ended.signal.aborted) throw refuse('invalid_state', saidIn(log, from))
  throw refuse('invalid_state', `its runner (process ${started.pid}) does not answer; see ${log}`)
}

/** The words of a runner that ended before its instance ran. */
function saidIn(log: string, from: number): string {
  const text = fs.readFileSync(log, 'utf8').slice(from).trim()
  const said = text.replace(/^inbox: /gm, '').slice(-SHOWN_LETTERS)
  return said === '' ? `its runner ended at once and said nothing; see ${log}` : said
}

/** Reads what to run, once: the file goes. */
export function takeWish<Wish>(path: string): Wish {
  let text: string
  try {
    text = fs.readFileSync(path, 'utf8')
  } catch {
    throw refuse('invalid_input', "only a command starts this; use 'inbox workflow start'")
  }
  fs.rmSync(path)
  return JSON.parse(text) as Wish
}
