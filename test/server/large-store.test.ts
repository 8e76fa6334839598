// A store full of messages of the maximum size. A caller that asks for everything gets it in parts of limited size, and
// the server reads no more of the store at a time than it returns.

import { beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { bySocket, op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running

const MEBIBYTE = 1_048_576
const MANY = 160
/** A 1 MB response with its envelope, plus one message. */
const MOST = 1_000_000 + 2 * MEBIBYTE
/**
 * Enough for a few responses of that size in a row. Reading the whole store would take 320 MB, and writing it out
 * another 320.
 */
const ROOM_MEGABYTES = 150
/** The export is sent as fast as it is read, and its memory is freed later. */
const EXPORT_MEGABYTES = 250

const bodyOf = (number: number) => `${number} `.padEnd(MEBIBYTE, 'x')
const numbers = (from = 0) => Array.from({ length: MANY }, (_, i) => from + i)
const numberOf = (text: string) => Number(text.slice(0, text.indexOf(' ')))

let thread = ''

beforeAll(async () => {
  server = await start()
  const lead = { as: 'lead' }
  const made = await op(server, 'send', { from: 'lead', to: 'worker', summary: 'Go' }, lead)
  thread = (made.body.thread as { thread_id: string }).thread_id
  for (const number of numbers()) {
    const body = bodyOf(number)
    const said = { from: 'lead', to: 'worker', thread, kind: 'control', summary: 'On', body }
    expect((await op(server, 'send', said, lead)).status).toBe(200)
    const mail = { from: 'lead', to: 'role:tester', subject: 'On', body }
    expect((await op(server, 'mail-send', mail, lead)).status).toBe(200)
  }
})

/** The server's peak memory since the last reset, in megabytes. */
function peak(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

function resident(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** How much the server's memory grew while `work` ran. */
async function growth(work: () => Promise<void>): Promise<number> {
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  const before = resident()
  await work()
  return peak() - before
}

type Page = { status: number; body: Record<string, unknown>; text: string }

async function follow(
  name: string,
  input: object,
  next: (page: Page) => object | null,
  as?: string,
) {
  const pages: Page[] = []
  for (let more: object | null = {}; more !== null; ) {
    const page = await op(server, name, { ...input, ...more }, as === undefined ? {} : { as })
    expect(page.status).toBe(200)
    expect(page.text.length).toBeLessThan(MOST)
    pages.push(page)
    more = page.body.has_more ? next(page) : null
  }
  return pages
}

function bodiesIn(pages: Page[], key: string): number[] {
  const items = pages.flatMap(({ body }) => body[key] as { body: string }[])
  return items.filter(({ body }) => body.length === MEBIBYTE).map(({ body }) => numberOf(body))
}

test('shows a whole thread in parts', async () => {
  const grown = await growth(async () => {
    const pages = await follow('show', { thread }, ({ body }) => ({ after: body.next_after }))
    expect(bodiesIn(pages, 'messages')).toEqual(numbers())
  })
  expect(grown).toBeLessThan(ROOM_MEGABYTES)
})

test('an agent takes over a role’s queue without loading it, then reads it in parts', async () => {
  const grown = await growth(async () => {
    const said = { agent: 'tess', role: 'tester' }
    expect((await op(server, 'agent-register', said)).status).toBe(200)
    const pages = await follow(
      'mail-read',
      { agent: 'tess', limit: 500 },
      ({ body }) => ({ since: String(body.next_event_id) }),
      'tess',
    )
    expect(bodiesIn(pages, 'messages')).toEqual(numbers())
  })
  expect(grown).toBeLessThan(ROOM_MEGABYTES)
})

test('mail-history pages backward through all messages', async () => {
  const grown = await growth(async () => {
    const pages = await follow('mail-history', { limit: 500 }, ({ body }) => ({
      before: body.next_before,
    }))
    const each = numbers().flatMap((number) => [number, number])
    expect(bodiesIn(pages, 'messages')).toEqual(each.reverse())
  })
  expect(grown).toBeLessThan(ROOM_MEGABYTES)
})

test('exports stream as the store is read', async () => {
  for (const [name, input] of [
    ['export', {}],
    ['export', { as: 'mailbox' }],
    ['mail-export', {}],
  ] as const) {
    const grown = await growth(async () => {
      const { text } = await bySocket(server, `/api/ops/${name}`, input)
      const bodies = [...text.matchAll(/"body":"(\d+) x/g)].map(([, number]) => Number(number))
      expect(bodies.sort((a, b) => a - b)).toEqual(numbers().flatMap((one) => [one, one]))
    })
    expect(grown).toBeLessThan(EXPORT_MEGABYTES)
  }
})

test('turning an agent off bounces its mail without loading it', async () => {
  const grown = await growth(async () => {
    const { status } = await op(server, 'agent-status', { agent: 'tess', status: 'off' })
    expect(status).toBe(200)
  })
  expect(grown).toBeLessThan(ROOM_MEGABYTES)
})
