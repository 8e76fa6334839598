// Measures how one agent that reads a lot of mail affects another agent's writes.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { runChild } from './child.ts'
import type { SenderTask } from './http-sender.ts'
import { percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { as, serve } from './serving.ts'

/** The most reads that an agent may have open at once. */
const AT_ONCE = 4
const LOOKS = [
  { name: 'searches', op: 'mail-history', input: { text: 'zzz' } },
  { name: 'looks at the inbox', op: 'mail-peek', input: { limit: 500 } },
  { name: 'looks at receipts', op: 'mail-receipts', input: { limit: 500 } },
]
const SENDER = join(import.meta.dirname, 'http-sender.ts')

export async function benchSearch({
  megabytes = 1024,
  letters = 1_048_576,
  messages = 1000,
}: {
  megabytes?: number | undefined
  letters?: number | undefined
  messages?: number | undefined
}): Promise<Report> {
  return inFolder(async (folder) => {
    const db = join(folder, 'served.db')
    await fillMail(db, { megabytes, letters })
    const server = await serve(db)
    const writes = () => runChild<number[]>(SENDER, { url: server.url, messages } as SenderTask)
    try {
      const alone = await writes()
      const figures = figuresOf('a write alone', alone)
      const notes = [
        `${megabytes} MB of mail in messages of ${letters} letters; ${messages} writes`,
      ]
      for (const look of LOOKS) {
        const looking = startLooks(server.url, look)
        const beside = await writes()
        const { answers, ends } = await looking.stop()
        figures.push(...figuresOf(`a write beside ${AT_ONCE} ${look.name}`, beside, 50))
        notes.push(`${answers} answers to ${look.name} meanwhile, ${ends} of them the last page`)
      }
      return { figures, notes }
    } finally {
      await server.stop()
    }
  })
}

function figuresOf(name: string, times: number[], bar?: number): Report['figures'] {
  const over = 'the call'
  const p99 = { name: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms', over } as const
  return [
    { name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms', over },
    bar === undefined ? p99 : { ...p99, bar: { at: '<=', value: bar } },
  ]
}

async function fillMail(
  db: string,
  { megabytes, letters }: { megabytes: number; letters: number },
): Promise<void> {
  const inbox = await connect(db, { agent: 'ann' })
  await inbox.agentRegister({})
  const body = 'Some mail of ordinary words. '.repeat(letters / 29 + 1).slice(0, letters)
  const count = Math.ceil((megabytes * 1_048_576) / letters)
  const atOnce = Math.max(1, Math.floor(16_777_216 / letters))
  for (let sent = 0; sent < count; sent += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - sent) })
    await Promise.all(some.map(() => inbox.mailSend({ to: 'ann', subject: 'Mail', body })))
  }
  await inbox.close()
}

type Look = (typeof LOOKS)[number]

/** Keeps reading all pages, from the first to the last, in several loops. Nothing matches the search. */
function startLooks(url: string, look: Look) {
  let isOver = false
  let answers = 0
  let ends = 0
  const lookOn = async () => {
    let next: object | undefined
    while (!isOver) {
      next = await lookOnce(url, look, next ?? {})
      answers += 1
      if (next === undefined) ends += 1
    }
  }
  const all = Array.from({ length: AT_ONCE }, lookOn)
  return {
    async stop() {
      isOver = true
      await Promise.all(all)
      return { answers, ends }
    },
  }
}

type Page = { has_more: boolean; next_before?: unknown; next_event_id: number }

/** Returns where the next page begins, or undefined after the last page. */
async function lookOnce(url: string, look: Look, from: object): Promise<object | undefined> {
  const answer = await fetch(`${url}/api/ops/${look.op}`, {
    method: 'POST',
    headers: as('ann'),
    body: JSON.stringify({ ...look.input, ...from }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { has_more, next_before, next_event_id } = (await answer.json()) as Page
  if (!has_more) return undefined
  return next_before === undefined ? { since: String(next_event_id) } : { before: next_before }
}
