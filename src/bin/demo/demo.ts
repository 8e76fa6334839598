// `inbox serve --demo`: a store of its own in a private folder, a small team of agents at work in it, and a server. When the
// server stops, the folder is removed. A demo that is killed leaves its folder, which nobody else can enter, where systems
// keep what is temporary; it holds nothing but the demo.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { composeId, composeUuid, type MakeId } from '../../core/id.ts'
import type { ServerAddress, ServerLife, ServerWish } from '../../core/server/server.ts'
import { makeId, openMailroom } from '../compose.ts'
import { runServer } from '../serve.ts'
import { makeCast } from './cast.ts'
import { keepChannel, playChannel } from './channel.ts'
import { barChart } from './chart.ts'
import { type DemoClock, makeClock } from './clock.ts'
import { playOn } from './live.ts'
import { PAPERS } from './papers.ts'
import { playPast } from './past.ts'
import { programsOf } from './programs.ts'
import { DemoOver, type Stage } from './stage.ts'
import { ALL_ALLOWED, makeStandIns } from './stand-ins.ts'
import { playToday } from './today.ts'

export type DemoOptions = {
  log: (text: string) => void
  /** For pictures: the demo stands still at this moment, and is the same every time. */
  stillAt?: number
}

export async function runDemo(
  { log, stillAt }: DemoOptions,
  wish: ServerWish,
  life: ServerLife,
): Promise<{ requests: number }> {
  // The folder is made for this user alone.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inbox-demo-')))
  const clock = makeClock(stillAt)
  const over = new AbortController()
  life.signal.addEventListener('abort', () => over.abort())
  const address = join(folder, 'store.db')
  try {
    if (life.signal.aborted) throw new DemoOver()
    const opened = await openMailroom(address, { clock: clock.now })
    const ids = stillAt === undefined ? makeId : sameIds(clock)
    const mailroom = { ...opened, makeId: ids, allowedCommands: ALL_ALLOWED }
    const { close: _, ...house } = mailroom
    const stage: Stage = { house, clock, folder, signal: over.signal }
    try {
      writePapers(folder)
      clock.goTo(3 * 1440 + 240)
      const cast = await makeCast(stage)
      const { launcher, carryOut } = makeStandIns(house, programsOf(stage, cast), over.signal)
      await playPast(stage, cast, carryOut)
      const channel = await playChannel(stage)
      const work = await playToday(stage, cast)
      clock.arrive()
      await keepChannel(stage, channel)
      let playing: Promise<void> | undefined
      const onServing = (serving: ServerAddress) => {
        life.onServing(serving)
        if (stillAt === undefined) playing = playOn(stage, { cast, work, channel }, log)
      }
      const stores = { address, mailroom, more: [], onCreate() {}, log, launcher }
      const own = { ...wish, socket: wish.socket ?? join(folder, 'inbox.sock') }
      try {
        return await runServer(stores, own, { signal: life.signal, onServing })
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

function writePapers(folder: string): void {
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  for (const [label, papers] of Object.entries(PAPERS)) {
    for (const [path, text] of Object.entries(papers)) write(join(folder, label, path), text)
  }
  const answers = [
    [0.62, 0.38],
    [0.71, 0.44],
    [0.66, 0.41],
    [0.78, 0.43],
    [0.97, 0.57],
  ] as const
  write(join(folder, 'search/reports/answers.png'), barChart(answers))
}

/** Ids that are the same in every demo: pictures show some of them. */
function sameIds(clock: DemoClock): MakeId {
  let state = 20_261_112
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  return (kind) => {
    const random = Uint8Array.from({ length: 16 }, next)
    return kind === 'entry' ? composeUuid(random) : composeId(kind, clock.now(), random)
  }
}
