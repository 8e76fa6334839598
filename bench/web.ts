// Measures the web app on a desk of 100,000 entries: how long it keeps the main thread busy, and how much memory it
// takes. Also compares its operations with those on a desk of 1,000, on both engines. Time on the main thread is the
// browser's own count of that thread's processor time, so a busy machine hardly changes it.

import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { packWebApp } from '../src/bin/web-app.ts'
import { buildWebApp } from '../src/bin/web-build.ts'
import { type Client, connect } from '../src/index.ts'
import { launchChromium, obtainChromium } from '../test/tools/chromium.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { fillDesk } from './desk-fill.ts'
import { median, percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Bar, Figure, Report } from './report.ts'
import { serve } from './serving.ts'
import { type PageTimes, visitPage } from './web-page.ts'

const SMALL = 1000
const WARM_UP = 10
const ENGINES = ['SQLite', 'PostgreSQL'] as const

type Options = {
  entries?: number | undefined
  samples?: number | undefined
  rounds?: number | undefined
}

export async function benchWeb({
  entries = 100_000,
  samples = 100,
  rounds = 3,
}: Options): Promise<Report> {
  await build({ force: false })
  const found = await obtainChromium()
  if ('missing' in found) throw new Error(found.missing)
  process.env.MAILROOM_TEST_CHROMIUM = found.path
  const figures: Figure[] = []
  await inFolder(async (folder) => {
    const dbs = [join(folder, 'small.db'), join(folder, 'large.db')] as const
    await fillDesk(dbs[0], SMALL)
    await fillDesk(dbs[1], entries)
    figures.push(...(await deskFigures('SQLite', dbs, samples)))
    figures.push(...(await pageFigures(dbs[1], rounds)))
  })
  const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })]
  try {
    const dbs = [servers[0]?.url ?? '', servers[1]?.url ?? ''] as const
    await fillDesk(dbs[0], SMALL)
    await fillDesk(dbs[1], entries)
    figures.push(...(await deskFigures('PostgreSQL', dbs, samples)))
  } finally {
    for (const server of servers) await server.stop()
  }
  figures.push(await packFigure())
  const notes = [
    `${entries} entries over half a year, 50 unread; ${samples} samples of each look, in turn`,
    `${rounds} visits to the page at 1440 by 900; medians`,
  ]
  return { figures, notes }
}

async function packFigure(): Promise<Figure> {
  const pack = packWebApp(await buildWebApp())
  return {
    name: 'files of the web app in the executable',
    value: pack.length / 1e6,
    unit: 'MB',
    over: 'gzip and brotli beside each file',
    bar: { at: '<=', value: 2 },
  }
}

/** Counts every thread of the desk, so its time grows with the desk. It's reported but has no bar. */
const WHOLE = 'desk days, the whole desk'

/** Calls about the desk. The page makes all of them except `desk days`. */
const LOOKS: Record<string, (inbox: Client, middle: number) => Promise<unknown>> = {
  'desk list': (inbox) => inbox.deskList({ limit: 100 }),
  'desk list in the middle': (inbox, before) => inbox.deskList({ limit: 100, before }),
  'desk list, unread': (inbox) => inbox.deskList({ limit: 100, unread: true }),
  'desk list, needs you': (inbox) => inbox.deskList({ limit: 100, needs_you: true }),
  desk: (inbox) => inbox.desk(),
  'desk days': (inbox) => inbox.deskDays({ utc_offset_minutes: 60 }),
  [WHOLE]: countAll,
}

/** Counts in parts, as a caller over HTTP does. */
async function countAll(inbox: Client): Promise<void> {
  for (let before: number | null | undefined; before !== null; ) {
    const part = await inbox.deskDays({ utc_offset_minutes: 60, limit: 5000, before })
    before = part.next_before
  }
}

async function deskFigures(
  engine: (typeof ENGINES)[number],
  dbs: readonly [string, string],
  samples: number,
): Promise<Figure[]> {
  const inboxes = [await connect(dbs[0]), await connect(dbs[1])]
  const figures: Figure[] = []
  const middles = await Promise.all(
    inboxes.map(async (inbox) => {
      const { rows } = await inbox.deskList({ limit: 1 })
      return Math.floor((rows[0]?.event_id ?? 0) / 2)
    }),
  )
  for (const [name, look] of Object.entries(LOOKS)) {
    const times: [number[], number[]] = [[], []]
    for (let n = -WARM_UP; n < samples; n++) {
      for (const [at, inbox] of inboxes.entries()) {
        const begin = performance.now()
        await look(inbox, middles[at] ?? 0)
        if (n >= 0) times[at]?.push(performance.now() - begin)
      }
    }
    const [few, many] = times.map((all) => percentile(all, 0.5)) as [number, number]
    const over = `the same among ${SMALL}, ${few.toFixed(2)} ms`
    figures.push(
      {
        name: `${engine}, ${name}: p50`,
        value: many,
        unit: 'ms',
        over: 'the call',
        ...(name === WHOLE ? {} : { bar: { at: '<=', value: 10 } }),
      },
      {
        name: `${engine}, ${name}`,
        value: many / few,
        unit: 'x',
        over,
        ...(name === WHOLE ? {} : { bar: { at: '<=', value: 2 } }),
      },
    )
  }
  for (const inbox of inboxes) await inbox.close()
  return figures
}

const PAGE_FIGURES: Record<
  keyof PageTimes,
  { name: string; unit: Figure['unit']; over: string; bar?: Bar }
> = {
  load: {
    name: 'first load until idle, main thread',
    unit: 'ms',
    over: 'the visit',
    bar: { at: '<=', value: 350 },
  },
  firstRow: { name: 'from the address to the first row', unit: 'ms', over: 'wall time' },
  frame: {
    name: 'scrolling at 4,000 px a second, main thread',
    unit: 'ms',
    over: 'a frame',
    bar: { at: '<=', value: 8 },
  },
  nodes: {
    name: 'nodes in the list, at most',
    unit: 'nodes',
    over: 'a scroll over 15,000 rows',
    bar: { at: '<=', value: 500 },
  },
  key: {
    name: 'a key to the painted selection, main thread',
    unit: 'ms',
    over: 'the key',
    bar: { at: '<=', value: 16 },
  },
  open: {
    name: 'opening an entry, main thread',
    unit: 'ms',
    over: 'the click',
    bar: { at: '<=', value: 20 },
  },
  live: { name: 'from an event to its row', unit: 'ms', over: 'wall time' },
  heap: {
    name: 'memory of the page after a scroll over 15,000 rows',
    unit: 'MB',
    over: 'the heap',
    bar: { at: '<=', value: 60 },
  },
}

async function pageFigures(db: string, rounds: number): Promise<Figure[]> {
  const server = await serve(db)
  const browser = await launchChromium()
  try {
    const visits: PageTimes[] = []
    for (let n = 0; n < rounds; n++) visits.push(await visitPage(browser, server, db))
    return (Object.keys(PAGE_FIGURES) as (keyof PageTimes)[]).map((key) => {
      return { ...PAGE_FIGURES[key], value: median(visits.map((visit) => visit[key])) }
    })
  } finally {
    await browser.close()
    await server.stop()
  }
}
