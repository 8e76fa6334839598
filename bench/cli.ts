// Wall time of one `inbox claim` and one `inbox update`, compared with the sqlite3 shell committing one row with the
// same durability. When run alone, each program is also the last to close its database and pays for the checkpoint; if
// another process holds the database open, it doesn't. There are two floors for comparison: an empty program on this
// runtime, and `update` written by hand with the same guards.

import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { connect } from '../src/index.ts'
import { startChild } from './child.ts'
import { best, median } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'
import { startSpawner } from './spawner.ts'

const ROOT = join(import.meta.dirname, '..')
const SCENES = ['held', 'alone'] as const
const BARS = { held: 5, alone: 4.5 }
const AGENT = 'worker'

const PROGRAMS = ['claim', 'update', 'hand', 'shell', 'empty'] as const
type Times = Record<(typeof PROGRAMS)[number], number[]>

export async function benchCli({ rounds = 40 }: { rounds?: number | undefined }): Promise<Report> {
  await build({ force: false })
  if (Bun.which('sqlite3') === null) throw new Error('this bench needs the sqlite3 shell')
  return inFolder(async (folder) => {
    const source = join(folder, 'empty.ts')
    await Bun.write(source, 'export {}\n')
    const empty = buildProgram(source, join(folder, 'empty'))
    const hand = buildProgram(join(ROOT, 'bench/cli-hand.ts'), join(folder, 'hand'))
    const times = new Map<string, Times>()
    let how = ''
    for (const disk of DISKS) {
      for (const scene of SCENES) {
        const place = join(folder, `${disk}-${scene}`)
        const result = await measure({ place, empty, hand, rounds, disk, held: scene === 'held' })
        times.set(`${disk} ${scene}`, result.times)
        how = result.how
      }
    }
    const of = (disk: Disk, scene: (typeof SCENES)[number]) =>
      times.get(`${disk} ${scene}`) as Times
    const ratio = (disk: Disk, scene: (typeof SCENES)[number], what: keyof Times) =>
      best(of(disk, scene)[what]) / best(of(disk, scene).shell)
    const figure = (scene: (typeof SCENES)[number], what: keyof Times, name: string): Figure => ({
      name: `${name}, ${scene}`,
      value: ratio('fast', scene, what),
      slowDisk: ratio('slow', scene, what),
      unit: 'x',
      over: `sqlite3 shell committing one row, ${scene}, ${best(of('fast', scene).shell).toFixed(2)} ms`,
    })
    const ratios = SCENES.flatMap((scene) =>
      (['claim', 'update'] as const).map((what): Figure => {
        return { ...figure(scene, what, what), bar: { at: '<=', value: BARS[scene] } }
      }),
    )
    const byHand = SCENES.map((scene) => figure(scene, 'hand', 'update by hand'))
    const empties: Figure = {
      name: 'empty compiled program',
      value: ratio('fast', 'held', 'empty'),
      unit: 'x',
      over: 'the same shell: no program of this runtime can be faster',
    }
    const walls = SCENES.flatMap((scene) =>
      PROGRAMS.map((what) => {
        const [fast, slow] = [of('fast', scene)[what], of('slow', scene)[what]]
        return `${what} ${scene}: best ${best(fast).toFixed(2)} ms, median ${median(fast).toFixed(2)}; slow disk best ${best(slow).toFixed(2)}, median ${median(slow).toFixed(2)}`
      }),
    )
    const notes = [`best of ${rounds}, interleaved; timed by ${how}`, ...walls]
    return { figures: [...ratios, ...byHand, empties], notes }
  })
}

type Scene = {
  place: string
  empty: string
  hand: string
  rounds: number
  disk: Disk
  held: boolean
}

async function measure({ place, empty, hand, rounds, disk, held }: Scene) {
  const store = `${place}.db`
  const shellDb = `${place}-shell.db`
  const updated = await prepare(store, shellDb, rounds + 1)
  const holder = held ? startChild(join(ROOT, 'bench/cli-holder.ts'), [store, shellDb]) : undefined
  if (holder) await holder.hear()
  const spawner = await startSpawner(diskEnv(disk))
  try {
    const inbox = join(ROOT, 'dist/inbox')
    const common = ['--agent', AGENT, '--db', store, '--json']
    const summary = 'half of it is done'
    const progress = ['--status', 'in_progress', '--summary', summary]
    const commands: Record<keyof Times, string[]> = {
      claim: [inbox, 'claim', ...common],
      update: [inbox, 'update', '--thread', updated, ...progress, ...common],
      hand: [hand, store, updated, AGENT, summary],
      shell: ['sqlite3', '-batch', '-init', '/dev/null', shellDb, INSERT],
      empty: [empty],
    }
    const times: Times = { claim: [], update: [], hand: [], shell: [], empty: [] }
    // The first round fills caches and isn't counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [what, command] of Object.entries(commands)) {
        const ms = await spawner.time(command)
        if (round > 0) times[what as keyof Times].push(ms)
      }
    }
    // Checks that the hand-written program leaves nothing out: its log must replay to the tables.
    await spawner.time([inbox, 'doctor', '--db', store])
    return { times, how: spawner.how }
  } finally {
    await spawner.end()
    await holder?.end()
  }
}

const INSERT = `pragma synchronous=full; insert into t (body) values ('${'x'.repeat(200)}');`

async function prepare(store: string, shellDb: string, threads: number): Promise<string> {
  const inbox = await connect(store, { agent: 'lead' })
  for (let i = 0; i <= threads; i++) await inbox.send({ to: AGENT, subject: `job ${i}` })
  const { thread } = await inbox.claim({ agent: AGENT })
  await inbox.close()
  const schema = 'pragma journal_mode=wal; create table t (id integer primary key, body text);'
  const made = Bun.spawnSync(['sqlite3', '-batch', '-init', '/dev/null', shellDb, schema])
  if (!made.success || thread === null) throw new Error(`no databases: ${made.stderr}`)
  return thread.thread_id
}

/** Uses the flags of the real program that matter for a single file. */
function buildProgram(source: string, program: string): string {
  const flags = [
    '--compile',
    '--minify',
    '--bytecode',
    '--format=esm',
    '--compile-jit-policy=100',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
  ]
  const made = Bun.spawnSync([process.execPath, 'build', ...flags, source, `--outfile=${program}`])
  if (!made.success) throw new Error(`no program from ${source}: ${made.stderr}`)
  return program
}
