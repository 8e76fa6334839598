// One agent searches 100 MB of its mail while another writes.

import { beforeAll, expect, test } from 'bun:test'
import { op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running

beforeAll(async () => {
  server = await start()
  await op(server, 'agent-register', { agent: 'ann' }, { as: 'ann' })
  const body = 'x'.repeat(1_048_576)
  for (let i = 0; i < 100; i += 1) {
    const mail = { from: 'ann', to: 'ann', subject: 'Hay', body }
    expect((await op(server, 'mail-send', mail, { as: 'ann' })).status).toBe(200)
  }
})

/** Makes four concurrent calls. Returns their answers and the number of writes completed before the last of them. */
async function lookFourTimes(name: string, input: object) {
  let isOver = false
  const looks = [1, 2, 3, 4].map(() => op(server, name, input, { as: 'ann' }))
  const looked = Promise.all(looks).then((answers) => {
    isOver = true
    return answers
  })
  let written = 0
  while (!isOver) {
    const work = { from: 'bob', to: 'carol', summary: 'Go' }
    expect((await op(server, 'send', work, { as: 'bob' })).status).toBe(200)
    if (!isOver) written += 1
  }
  return { answers: await looked, written }
}

test('others are served between the pieces of a search', async () => {
  const { answers, written } = await lookFourTimes('mail-history', { text: 'needle' })
  for (const { body } of answers) expect(body).toMatchObject({ messages: [] })
  // Each search is split into 100 pieces, and a write takes a few turns of the event loop.
  expect(written).toBeGreaterThan(10)
}, 60_000)

test('others are served while receipts of long messages are read', async () => {
  const { answers, written } = await lookFourTimes('mail-receipts', { limit: 500 })
  for (const { body } of answers) expect(body.messages).toHaveLength(100)
  expect(written).toBeGreaterThan(10)
}, 60_000)
