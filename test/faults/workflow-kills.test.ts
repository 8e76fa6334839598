// A runner is killed once at each stage of a run. After the file is run again, every entry exists exactly once, no
// process of the first run is left, and the only files left are those that any run leaves.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { extentAsked } from '../worlds/extent.ts'
import { loseRunner } from '../worlds/instances.ts'
import type { Engine, TestStore } from '../worlds/store.ts'
import { flowIn, scripts } from '../worlds/workflows.ts'
import { until } from '../worlds/world.ts'
import { startInbox } from './inbox.ts'
import { isAlive } from './processes.ts'

/** Kills the runner from its child or grandchild, the first time this line is reached. */
const kills = (name: string, runner: string) =>
  `[ -e ${name}.mark ] || { touch ${name}.mark; echo $$ >> pids; kill -9 ${runner}; exec sleep 600; }`
const HANGS = '[ -z "$MAILROOM_DIES_AT" ] || { echo $$ >> pids; exec sleep 600; }'
const OF_SETUP = '$PPID'
const OF_AGENT = '$(ps -o ppid= -p $(ps -o ppid= -p $PPID))'

const isFull = extentAsked() === 'full'

type Stage = {
  /** The stage at which the runner kills itself. */
  at?: string
  /** The last commands of setup, of ann and of bob. */
  setup?: string
  ann?: string
  bob?: string
  /** Whether there is a run to resume. */
  isBegun: boolean
}

const STAGES: Record<string, Stage> = {
  'before the row of the instance': { at: 'unbegun', isBegun: false },
  'after the row of the instance': { at: 'started', isBegun: true },
  'while its plan is being written': { at: 'unplanned', isBegun: true },
  'once its plan is written': { at: 'planned', isBegun: true },
  'once its tools are served': { at: 'context', isBegun: true },
  'before setup': { at: 'setup', isBegun: true },
  'before a setup command has its guard': { at: 'unguarded', setup: HANGS, isBegun: true },
  'during setup': { setup: kills('setup', OF_SETUP), isBegun: true },
  'after the kickoff': { at: 'kickoff', isBegun: true },
  'when a turn begins': { at: 'turn', isBegun: true },
  'after a turn has used its tools': { ann: kills('ann', OF_AGENT), isBegun: true },
  'in a turn caused by another': { bob: kills('bob', OF_AGENT), isBegun: true },
  'after a turn has ended': { at: 'turn_end', isBegun: true },
  'while its end is being written': { at: 'ending', isBegun: true },
  'before its end is reported': { at: 'unanswered', isBegun: true },
  never: { isBegun: false },
}

// With the key, a second attempt at the same turn doesn't send it again, which is what a restarted program must do.
const ANN =
  'cat >> "$NOTES"; "$INBOX_PROGRAM" workflow context send "@bob your turn" --agent ann@default --idempotency-key once --json > said'
const BOB = 'cat >> "$NOTES"'

async function killedAt(store: TestStore, { at, setup, ann, bob, isBegun }: Stage) {
  await (await openMailroom(store.address)).close()
  const flow = await flowIn(store)
  const last = (script: string, more = 'true') => `${script}; ${more}`
  const prepared = JSON.stringify(last('echo go >> setups; echo begin', setup))
  const more = `setup:\n  - shell: ${prepared}\n    as: word\nkickoff: "@ann \${{ word }}"\n`
  flow.file('flow.yaml', scripts({ ann: last(ANN, ann), bob: last(BOB, bob) }, more))
  const dies = { BUN_OPTIONS: `--preload=${DIES}`, MAILROOM_DIES_AT: at ?? '' }
  const words = ['workflow', 'run', 'flow.yaml', '--json', '--verbose']
  const env = { ...flow.env, ...(at === undefined ? {} : dies) }
  const first = await startInbox(words, { folder: flow.folder, env }).ended
  if (isBegun) {
    const room = await openMailroom(store.address)
    await loseRunner(room, 'default')
    await room.close()
  }
  const isKilled = first.signal === 'SIGKILL'
  const report = isKilled
    ? await flow.ask('workflow', 'run', 'flow.yaml', ...(isBegun ? ['--resume'] : []))
    : JSON.parse(first.stdout.trimEnd().split('\n').at(-1) ?? '')
  for (const pid of flow.notes('pids')) {
    await until(async () => !isAlive(Number(pid)), `the end of ${pid}`)
  }
  return { isKilled, report, files: filesIn(flow.folder) }
}

const DIES = join(import.meta.dirname, '../programs/dies-in-run.ts')

/** The files that a run leaves, except those of this test and of the store. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  return all
    .filter((one) => !one.isDirectory())
    .map((one) => join(one.parentPath.slice(folder.length), one.name))
    .map((path) => path.replace(/[0-9a-f]{16,}/g, 'DIGEST'))
    .filter((path) => !/^\/?(store\.db|pids|\w+\.mark)/.test(path))
    .sort()
}

/** Every entry and every mention, which must be the same no matter when the runner was killed. */
async function saidIn(store: TestStore) {
  const entries = await store.sql(
    `select m.from_agent, m.body from messages m join threads t on t.thread_id = m.thread_id
     where t.kind = 'channel' and m.seq > 1 order by m.seq`,
  )
  const mentions = await store.sql(
    `select d.recipient, d.state, d.read_by from deliveries d join threads t on t.thread_id = d.thread_id
     where t.kind = 'channel' order by d.recipient`,
  )
  return { entries, mentions }
}

const SAID = {
  entries: [
    { from_agent: 'user', body: '@ann begin' },
    { from_agent: 'ann@default', body: '@bob your turn' },
  ],
  mentions: [
    { recipient: 'ann@default', state: 'read', read_by: 'turn' },
    { recipient: 'bob@default', state: 'read', read_by: 'turn' },
  ],
}

async function mustGoOn(engine: Engine, name: string): Promise<string[]> {
  const stage = STAGES[name] as Stage
  return withStore(engine, async (store) => {
    const { isKilled, report, files } = await killedAt(store, stage)
    const found = { name, isKilled, report, ...(await saidIn(store)) }
    expect(found).toMatchObject({
      name,
      isKilled: name !== 'never',
      ...SAID,
      report: { ended: 'idle', run: 1, agents: [{ unread: 0 }, { unread: 0 }] },
    })
    expect({ name, findings: await findingsOf(store.address) }).toEqual({ name, findings: [] })
    return files
  })
}

test('a runner killed at any stage loses no entry, and the next run leaves no extra files', async () => {
  const usual = await mustGoOn('sqlite', 'never')
  expect(usual.length).toBeGreaterThan(3)
  // npm test takes every other stage.
  const names = Object.keys(STAGES).filter(
    (name, at) => name !== 'never' && (isFull || at % 2 === 0),
  )
  const left: Record<string, string[]> = {}
  // Runs several in parallel, because most of the time is spent in pauses.
  const take = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      left[name] = await mustGoOn('sqlite', name)
    }
  }
  await Promise.all(Array.from({ length: 6 }, take))
  expect(left).toEqual(Object.fromEntries(Object.keys(left).map((name) => [name, usual])))
}, 100_000)

test('with PostgreSQL too, a runner killed in a turn loses no entry', async () => {
  await mustGoOn('postgres', 'after a turn has used its tools')
}, 100_000)
