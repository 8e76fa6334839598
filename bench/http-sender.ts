// Sends one message after another, waiting for each answer: through the library, or over HTTP.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { as } from './serving.ts'

export type SenderTask = { messages: number } & ({ db: string } | { url: string })

const task = await nextMessage<SenderTask>()
const words = { to: 'worker', subject: 'A piece of work', body: 'Of ordinary length. '.repeat(12) }
const { send, close } = 'db' in task ? await byLibrary(task.db) : byHttp(task.url)
// The number of uncounted calls made first to warm up the process.
const WARM_UP = 30
const times: number[] = []
for (let i = 0; i < task.messages + WARM_UP; i++) {
  const start = performance.now()
  await send()
  times.push(performance.now() - start)
}
answer(times.slice(WARM_UP))
await close()

async function byLibrary(db: string) {
  const inbox = await connect(db, { agent: 'lead' })
  return { send: () => inbox.send(words), close: () => inbox.close() }
}

function byHttp(url: string) {
  const send = async () => {
    const body = JSON.stringify(words)
    const response = await fetch(`${url}/api/ops/send`, {
      method: 'POST',
      headers: as('lead'),
      body,
    })
    if (!response.ok) throw new Error(await response.text())
    await response.json()
  }
  return { send, close: async () => {} }
}
