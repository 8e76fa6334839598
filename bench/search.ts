// Measures what one agent's searches through much mail of its own do to the writes of another.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { runChild } from './child.ts'
import type { SenderTask } from './http-sender.ts'
import { percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { as, serve } from './serving.ts'

/** The most looks that an agent has at once. */
const SEARCHES = 4
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
      const searching = startSearches(server.url)
      const beside = await writes()
      const { answers, ends } = await searching.stop()
      return {
        figures: [
          ...figuresOf('a write alone', alone),
          ...figuresOf(`a write beside ${SEARCHES} searches`, beside, 50),
        ],
        notes: [
          `${megabytes} MB of mail in messages of ${letters} letters; ${messages} writes`,
          `${answers} answers to searches meanwhile, ${ends} of them at the beginning of the log`,
        ],
      }
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

/** Searches for what is nowhere, each from the end of the log to its beginning, again and again. */
function startSearches(url: string) {
  let isOver = false
  let answers = 0
  let ends = 0
  const search = async () => {
    let before: number | undefined
    while (!isOver) {
      before = await searchOnce(url, before)
      answers += 1
      if (before === undefined) ends += 1
    }
  }
  const all = Array.from({ length: SEARCHES }, search)
  return {
    async stop() {
      isOver = true
      await Promise.all(all)
      return { answers, ends }
    },
  }
}

/** The cursor to go on from; none at the beginning of the log. */
async function searchOnce(url: string, before: number | undefined): Promise<number | undefined> {
  const answer = await fetch(`${url}/api/ops/mail-history`, {
    method: 'POST',
    headers: as('ann'),
    body: JSON.stringify({ text: 'zzz', before }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { next_before } = (await answer.json()) as { next_before: number | null }
  return next_before ?? undefined
}
