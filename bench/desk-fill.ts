// Fills a store with what a person receives over months: mail and pushes from twenty agents, all read except the
// newest. A log with one of each is imported as many times as needed, each time with different names and a little
// later, so such a store could really exist.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as PostgresClient } from 'pg'
import { type Client, connect } from '../src/index.ts'
import { parseAddress } from '../src/store/postgres/open.ts'
import { inFolder } from './place.ts'

const PROGRAM = join(import.meta.dirname, '../dist/inbox')
const AGENTS = 20
/** The same number is unread in small and large stores, so that a ratio shows only the effect of their size. */
const UNREAD = 50
const DAYS = 180

export async function fillDesk(db: string, threads: number): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, 'log.ndjson')
    writeFileSync(file, manyTimes(await sampleLog(folder), threads))
    const { code, out } = await run(['import', file, '--json', '--db', db])
    if (code !== 0 || JSON.parse(out).rejected_lines > 0) throw new Error(out.slice(0, 2000))
  })
  if (db.startsWith('postgres')) await count(db)
}

/** Updates the statistics now. A server would do so on its own within a minute, but the bench doesn't wait. */
async function count(url: string): Promise<void> {
  const client = new PostgresClient(parseAddress(url).config)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

async function run(words: string[]): Promise<{ code: number; out: string }> {
  const child = Bun.spawn([PROGRAM, ...words], { stdout: 'pipe' })
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return { code, out }
}

async function sampleLog(folder: string): Promise<string[]> {
  const db = join(folder, 'one.db')
  const inbox = await connect(db)
  await inbox.agentRegister({ agent: 'sender_1', may_write_to_user: true })
  await pushAndMail(inbox)
  await inbox.close()
  return (await run(['export', '--db', db])).out.trimEnd().split('\n')
}

async function pushAndMail(inbox: Client): Promise<void> {
  const body = 'Everything is measured, and the numbers are in the report. '.repeat(6)
  const pushed = await inbox.push({ agent: 'sender_1', comments: `Report number 1\n\n${body}` })
  await inbox.pushRead({ agent: 'user', entries: [pushed.entry_id] })
  const mail = { subject: 'Letter number 1', body, type: 'status' } as const
  const { message } = await inbox.mailSend({ from: 'sender_1', to: 'user', ...mail })
  await inbox.mailMarkRead({ agent: 'user', messages: [message?.id ?? ''] })
}

function manyTimes([header, ...lines]: string[], threads: number): string {
  const out = [header as string]
  const end = Date.now() - 60_000
  const step = (DAYS * 86_400_000) / threads
  let eventId = 0
  // Each copy of the sample creates two threads.
  for (let n = 0; n < threads / 2; n++) {
    const at = new Date(Math.floor(end - (threads - 2 * n) * step)).toISOString()
    for (const line of lines) {
      const isOnce = line.includes('"agent_register"')
      const isRead = line.includes('_read"')
      if ((isOnce && n >= AGENTS) || (isRead && n >= (threads - UNREAD) / 2)) continue
      eventId += 1
      out.push(renamed(line, n, at).replace(/"event_id":\d+/, `"event_id":${eventId}`))
    }
  }
  return `${out.join('\n')}\n`
}

function renamed(line: string, n: number, at: string): string {
  const digits = String(n).padStart(8, '0')
  return line
    .replace(/(msg|thr)_[0-9a-z]{18}([0-9a-z]{8})/g, `$1_${digits}0123456789$2`)
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-4[0-9a-f]{3}-[89ab])/g, `${digits}-$1`)
    .replaceAll('sender_1', `sender_${n % AGENTS}`)
    .replaceAll('number 1', `number ${n}`)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, at)
}
