// Compares a message to a person in a long thread with one in a new thread. The write updates the person's desk, which
// must not require reading every message.

import { join } from 'node:path'
import { type Client, connect } from '../src/index.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Figure } from './report.ts'

const LONG = 1000
const ROUNDS = 200

export async function longThreadFigures(): Promise<Figure[]> {
  const server = await startPostgres({ durable: true })
  try {
    const onPostgres = await figure('PostgreSQL', server.url)
    let onSqlite: Figure | undefined
    await inFolder(async (folder) => {
      onSqlite = await figure('SQLite', join(folder, 'store.db'))
    })
    return onSqlite === undefined ? [] : [onSqlite, onPostgres]
  } finally {
    await server.stop()
  }
}

async function figure(engine: string, db: string): Promise<Figure> {
  const inbox = await connect(db, { agent: 'sender' })
  try {
    await inbox.agentRegister({ may_write_to_user: true })
    const long = await begin(inbox)
    for (let n = 0; n < LONG; n++) await write(inbox, long)
    const times: [number[], number[]] = [[], []]
    for (let n = 0; n < ROUNDS; n++) {
      for (const [at, thread] of [long, await begin(inbox)].entries()) {
        const start = performance.now()
        await write(inbox, thread)
        times[at]?.push(performance.now() - start)
      }
    }
    const [inLong = 0, inNew = 1] = times.map((all) => percentile(all, 0.5))
    return {
      name: `${engine}: a message in a thread of ${LONG}`,
      value: inLong / inNew,
      unit: 'x',
      over: `in a thread of one, ${inNew.toFixed(2)} ms`,
      bar: { at: '<=', value: 2 },
    }
  } finally {
    await inbox.close()
  }
}

/** Returns the id of the first message, which the others reply to. */
async function begin(inbox: Client): Promise<string> {
  const { message } = await inbox.mailSend({ to: 'user', type: 'status', body: 'One' })
  return message?.id ?? ''
}

async function write(inbox: Client, in_reply_to: string): Promise<void> {
  await inbox.mailSend({ to: 'user', type: 'status', body: 'Another', in_reply_to })
}
