// `inbox serve --demo`: a store in a private folder, filled from the log in examples/demo, a small team of agents at
// work in it, and a server. The folder is removed when the server stops. A killed demo leaves its folder in the
// system's temporary folder; only this user can enter it, and it contains only the demo.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AGENT_SEEN } from '../../core/agents/sighting.ts'
import type { House } from '../../core/house.ts'
import { WARRANT_SEED } from '../../core/requests/warrant.ts'
import type { ServerAddress, ServerLife, ServerWish } from '../../core/server/server.ts'
import { plusSeconds } from '../../core/time.ts'
import type {
  AllowedCommands,
  Launcher,
  Program,
  RunningProgram,
  SupervisorTask,
} from '../../core/waking/launch.ts'
import { INSTANCE_LEASE_SECONDS, RUNNER_LEASE } from '../../core/workflows/instance.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import { callDirectly } from '../../ops/call.ts'
import { loadOperation } from '../../ops/catalogue.ts'
import { importWhole } from '../../ops/keeping/import.ts'
import { makeSeed } from '../../ops/kit/ed25519.ts'
import type { Shell } from '../../ops/kit/shell.ts'
import { openMailroom } from '../compose.ts'
import { runServer } from '../serve.ts'
import { answerMail } from './answers.ts'
import { type DemoFiles, readDemoFiles } from './demo-files.ts'
import { playOn, type Track } from './live.ts'
import { CAST, DemoOver, INSTANCE, makeActors, pause, type Stage } from './stage.ts'

export const EXPORTED_AT = Date.UTC(2026, 10, 12, 14, 32)
const EXPORTED_FROM = '/demo/'

export type DemoOptions = {
  log: (text: string) => void
  /** For screenshots: nothing moves and the clock stands still at this time, so the demo always looks the same. */
  stillAt?: number
}

export async function runDemo(
  { log, stillAt }: DemoOptions,
  wish: ServerWish,
  life: ServerLife,
): Promise<{ requests: number }> {
  // mkdtemp makes a folder that only this user can enter.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inbox-demo-')))
  const over = new AbortController()
  life.signal.addEventListener('abort', () => over.abort())
  try {
    const files = await readDemoFiles()
    writeDocuments(folder, files)
    const address = join(folder, 'store.db')
    const clock = () => stillAt ?? Date.now()
    const opened = await openMailroom(address, { clock })
    const mailroom = { ...opened, allowedCommands: ALL_ALLOWED }
    try {
      const lines = moveLog(files.log, { laterMs: clock() - EXPORTED_AT, folder })
      await importLog(mailroom, lines)
      const runnerToken = await noteWhatNoLogHolds(mailroom, lines)
      if (life.signal.aborted) throw new DemoOver()
      const actors = makeActors({ house: mailroom, folder, signal: over.signal })
      const stage: Stage = { house: mailroom, folder, signal: over.signal, actors }
      let playing: Promise<void> | undefined
      const onServing = (serving: ServerAddress) => {
        life.onServing(serving)
        const tracks: Track[] = JSON.parse(files.live)
        if (stillAt === undefined) playing = playOn(stage, { tracks, files, runnerToken, log })
      }
      const launcher = makeStandIns(stage)
      const stores = { address, mailroom, more: [], onCreate() {}, log, launcher }
      const socket = wish.socket ?? join(folder, 'inbox.sock')
      try {
        return await runServer(stores, { ...wish, socket }, { signal: life.signal, onServing })
      } finally {
        over.abort()
        await playing
      }
    } finally {
      over.abort()
      await opened.close()
    }
  } catch (error) {
    if (error instanceof DemoOver || life.signal.aborted) return { requests: 0 }
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function writeDocuments(folder: string, { documents }: DemoFiles): void {
  for (const [path, bytes] of documents) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}

type LogMove = { laterMs: number; folder: string }

/** The log as if it had been written in this folder just now: every time is moved by the same amount. */
export function moveLog(log: string, move: LogMove): string[] {
  const lines = log.trimEnd().split('\n')
  return lines.map((line) => JSON.stringify(moveValue(JSON.parse(line), move)))
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function moveValue(value: unknown, move: LogMove, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => moveValue(one, move))
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, one]) => [name, moveValue(one, move, name)]))
  }
  if (typeof value !== 'string') return value
  if (key.endsWith('_json')) return JSON.stringify(moveValue(JSON.parse(value), move))
  if (INSTANT.test(value)) return new Date(Date.parse(value) + move.laterMs).toISOString()
  return value.startsWith(EXPORTED_FROM)
    ? join(move.folder, value.slice(EXPORTED_FROM.length))
    : value
}

async function importLog(house: House, lines: string[]): Promise<void> {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const files = {
    async *read() {
      yield bytes
    },
    async write() {},
    setAside() {},
    aside: '',
  }
  // Treat the messages as written in this store, because an imported approval would have no warrant and no effect.
  const { rejected } = await importWhole({ ...house, by: null }, files)
  const [first] = rejected
  if (first !== undefined) throw new Error(`line ${first.line} of the demo: ${first.why}`)
}

/** Restores what an export leaves out: when each agent was last seen, the runner's lease and the warrant key. */
async function noteWhatNoLogHolds(house: House, lines: string[]): Promise<string> {
  const lastSeen = new Map<string, string>()
  for (const line of lines) {
    const { event } = JSON.parse(line) as { event?: { agent: string; created_at: string } }
    if (event !== undefined) lastSeen.set(event.agent, event.created_at)
  }
  const token = house.makeId('lease')
  await house.store.write(async (tx) => {
    for (const agent of Object.keys(CAST)) {
      const at = lastSeen.get(agent)
      if (at !== undefined) tx.keep(AGENT_SEEN, { agent_id: agent, seen_at: at })
    }
    tx.keep(WARRANT_SEED, { value: makeSeed() })
    await tx.lockRow(HELD_INSTANCES, INSTANCE)
    const expires_at = plusSeconds(await tx.now(), INSTANCE_LEASE_SECONDS)
    tx.keep(RUNNER_LEASE, {
      instance: INSTANCE,
      token,
      expires_at,
      pid: null,
      log: '',
      socket: '',
      url: '',
    })
  })
  return token
}

/** The demo set all commands itself and doesn't start any of them. */
const ALL_ALLOWED: AllowedCommands = {
  includes: async () => true,
  allow: async () => {},
}

// The demo doesn't start programs on this machine. Instead, functions in this process stand in for them: they accept
// the program's input, wait a moment and end as the program would.
type StandInEnd = { code: number; stderr?: string }

/** The stand-ins, by the first word of the commands in the log. */
const PROGRAMS: Record<string, (stage: Stage) => Promise<StandInEnd>> = {
  async 'apply-settings'(stage) {
    await pause(stage, 3)
    return { code: 0 }
  },
  async 'publish-answers'(stage) {
    await pause(stage, 4)
    const stderr = 'publish-answers: the help desk does not answer (503); nothing was published\n'
    return { code: 1, stderr }
  },
  async opencode(stage) {
    await pause(stage, 2)
    await answerMail(stage, 'wren', { waitSeconds: 0 })
    return { code: 0 }
  },
}

function makeStandIns(stage: Stage): Launcher {
  const { house, signal } = stage
  const start = async ({ command }: Program): Promise<RunningProgram> => {
    const program = PROGRAMS[command[0] ?? '']
    if (program === undefined) throw new Error('the demo has no such program')
    let stderr = ''
    const ended = program(stage).then((end) => {
      stderr = end.stderr ?? ''
      return { code: end.code, signal: null }
    })
    return {
      give: async () => true,
      giveEnd() {},
      ended,
      stderr: () => stderr,
      signal() {},
      release() {},
    }
  }
  const base = { around: {}, start, leave() {} }
  const carryOut = async (task: SupervisorTask) => {
    const isWake = 'wake_id' in task
    const op = await loadOperation(isWake ? 'wake exec' : 'request exec')
    const raw = isWake ? { wake: task.wake_id } : { request: task.request_id }
    const launcher = { ...base, token: isWake ? task.token : undefined, supervise: async () => {} }
    const shell = { launcher, say() {} } as unknown as Shell
    const want = { op, raw, door: 'library', signal } as const
    await callDirectly(async () => ({ ...house, shell }), want)
  }
  const supervise = async (task: SupervisorTask) => {
    // Ignore errors: the log records the outcome, and no one reads the log after the demo.
    carryOut(task).catch(() => {})
  }
  return { ...base, token: undefined, supervise }
}
