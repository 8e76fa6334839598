// Random walks of whole runs with real processes: three agents act at random and are killed, stopped and resumed until
// none has anything left to do. Their own notes are the model: an entry mentions each agent it names once, and that
// agent gets the mention until a turn with it ends well or an agent deals with it by id, and never again.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import type { WalkNote } from '../programs/agent-walker.ts'
import { withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { loseRunner } from '../worlds/instances.ts'
import type { Engine, TestStore } from '../worlds/store.ts'
import { type Flow, flowIn } from '../worlds/workflows.ts'
import { until } from '../worlds/world.ts'
import { isAlive } from './processes.ts'

export type RunWalk = {
  seed: number
  ended: string
  resumes: number
  turns: number
  entries: number
  mentions: number
  problems: string[]
}

const NAMES = ['ann', 'bob', 'cyd']
const WALKER = join(import.meta.dirname, '../programs/agent-walker.ts')
/** After some turns the agents always end well, so a walk that needs more resumes than this would never end. */
const MOST_RESUMES = 40

export async function walkRun(engine: Engine, seed: number): Promise<RunWalk> {
  return withStore(engine, async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    flow.file('walk.yaml', fileFor(seed, join(store.folder, 'walked')))
    const { ended, resumes } = await runToItsEnd(store, flow)
    const notes = flow.notes('walked').map((line) => JSON.parse(line) as WalkNote)
    const { problems, ...figures } = await compare(store, notes)
    for (const one of notes) {
      if (one.did === 'given') await until(async () => !isAlive(one.pid), `the end of ${one.pid}`)
    }
    const left = existsSync(join(store.folder, '.workflow/default/context.sock'))
      ? ['a socket']
      : []
    const findings = await findingsOf(store.address)
    return {
      seed,
      ended,
      resumes,
      ...figures,
      problems: [...problems, ...left, ...findings.map(String)],
    }
  })
}

function fileFor(seed: number, notes: string): string {
  const command = JSON.stringify([process.execPath, WALKER, String(seed), notes, ...NAMES])
  const agents = NAMES.map(
    (name) => `  ${name}:\n    backend: command\n    hops: 100\n    command: ${command}\n`,
  )
  return `agents:\n${agents.join('')}kickoff: "@ann @bob @cyd begin"\n`
}

async function runToItsEnd(store: TestStore, flow: Flow) {
  for (let resumes = 0; resumes < MOST_RESUMES; resumes += 1) {
    const words = ['workflow', 'run', 'walk.yaml', '--json', ...(resumes > 0 ? ['--resume'] : [])]
    const { signal, stdout, stderr } = await flow.run(...words)
    if (signal === 'SIGKILL') {
      const room = await openMailroom(store.address)
      await loseRunner(room, 'default')
      await room.close()
      continue
    }
    const last = stdout.trimEnd().split('\n').at(-1) ?? ''
    const { ended, error } = JSON.parse(last) as { ended?: string; error?: object }
    if (ended === undefined) throw new Error(`${JSON.stringify(error)} ${stderr}`)
    if (ended !== 'stopped') return { ended, resumes }
  }
  throw new Error(`after ${MOST_RESUMES} resumes it still goes on`)
}

type Delivery = { id: string; to: string; state: string; readBy: string | null }

async function compare(store: TestStore, notes: readonly WalkNote[]) {
  const entries = await store.sql(
    `select m.message_id, m.from_agent, m.body from messages m join threads t on t.thread_id = m.thread_id
     where t.kind = 'channel' and m.seq > 1 and m.from_agent <> 'system'`,
  )
  const rows = await store.sql(
    `select d.message_id as id, d.recipient, d.state, d.read_by from deliveries d
     join threads t on t.thread_id = d.thread_id where t.kind = 'channel' and d.recipient <> 'user'`,
  )
  const deliveries = rows.map(
    ({ id, recipient, state, read_by }): Delivery => ({
      id: String(id),
      to: String(recipient),
      state: String(state),
      readBy: read_by === null ? null : String(read_by),
    }),
  )
  const ended = await store.sql("select wake_id from wakes where state = 'ended' and exit_code = 0")
  const well = new Set(ended.map(({ wake_id }) => String(wake_id)))
  const turns = notes.flatMap((one) => (one.did === 'given' ? [one] : []))
  const texts = entries.map(({ body }) => String(body))
  const problems = [
    ...wronglySaid(notes, texts),
    ...entries.flatMap(({ message_id, body }) =>
      wronglyCalled(
        String(body),
        deliveries.filter(({ id }) => id === String(message_id)),
      ),
    ),
    ...deliveries.flatMap((one) => wronglyGiven(one, notes, well)),
  ]
  const figures = { turns: turns.length, entries: entries.length, mentions: deliveries.length }
  return { ...figures, problems }
}

/** Lists acknowledged entries that are lost, entries that appear twice, and entries that no agent wrote. */
function wronglySaid(notes: readonly WalkNote[], texts: readonly string[]): string[] {
  const tried = new Set(notes.flatMap((one) => (one.did === 'saying' ? [one.text] : [])))
  const said = notes.flatMap((one) => (one.did === 'said' ? [one.text] : []))
  return [
    ...said.filter((text) => !texts.includes(text)).map((text) => `lost: ${text}`),
    ...texts.filter((text, at) => texts.indexOf(text) !== at).map((text) => `twice: ${text}`),
    ...texts
      .filter((text) => !tried.has(text) && !text.endsWith('begin'))
      .map((text) => `nobody said: ${text}`),
  ]
}

function wronglyCalled(text: string, deliveries: readonly Delivery[]): string[] {
  const named = [...text.matchAll(/ ?@(ann|bob|cyd)(?!@)\b/g)].map(([, name]) => `${name}@default`)
  const called = deliveries.map(({ to }) => to)
  const isSame = named.sort().join() === called.sort().join()
  return isSame ? [] : [`"${text}" called ${called.join(', ') || 'nobody'}`]
}

/** Follows one mention through the turns it was given to. */
function wronglyGiven(
  { id, to, state, readBy }: Delivery,
  notes: readonly WalkNote[],
  well: ReadonlySet<string>,
): string[] {
  const own = notes.filter(({ agent }) => agent === to)
  const turns = own.flatMap((one) =>
    one.did === 'given' && one.ids.includes(id) ? [one.wake] : [],
  )
  const dealt = own.flatMap((one) => {
    const isNamed =
      (one.did === 'said' && one.answers === id) || (one.did === 'acknowledged' && one.until === id)
    return isNamed ? [one.wake] : []
  })
  const story = `${id} to ${to}, ${state}, in ${turns.map((one) => `${one}${well.has(one) ? ' (well)' : ''}`).join(', ')}`
  const isLast = (wake: string) => wake === turns.at(-1)
  return [
    ...(['queued', 'presented', 'expired'].includes(state) ? [`lost: ${story}`] : []),
    ...(turns.length === 0 ? [`never given: ${story}`] : []),
    ...(turns.some((wake) => well.has(wake) && !isLast(wake)) ? [`given again: ${story}`] : []),
    ...(dealt.some((wake) => !isLast(wake)) ? [`given though dealt with: ${story}`] : []),
    ...(readBy === 'turn' && !turns.some((wake) => well.has(wake))
      ? [`read by nobody: ${story}`]
      : []),
    ...(state === 'acted' && dealt.length === 0 ? [`acted on by nobody: ${story}`] : []),
    ...(state === 'bounced' && turns.some((wake) => well.has(wake)) ? [`bounced: ${story}`] : []),
  ]
}
