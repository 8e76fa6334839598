// One agent searches through a hundred megabytes of its own mail, and another writes meanwhile.

import { expect, test } from 'bun:test'
import { op, servers } from './serving.ts'

const { start } = servers()

test('others are served between the pieces of a search', async () => {
  const server = await start()
  await op(server, 'agent-register', { agent: 'ann' }, { as: 'ann' })
  const body = 'x'.repeat(1_048_576)
  for (let i = 0; i < 100; i += 1) {
    const mail = { from: 'ann', to: 'ann', subject: 'Hay', body }
    expect((await op(server, 'mail-send', mail, { as: 'ann' })).status).toBe(200)
  }
  let isOver = false
  const searches = [1, 2, 3, 4].map(() =>
    op(server, 'mail-history', { text: 'needle' }, { as: 'ann' }),
  )
  const searched = Promise.all(searches).then((answers) => {
    isOver = true
    return answers
  })
  let written = 0
  while (!isOver) {
    const work = { from: 'bob', to: 'carol', summary: 'Go' }
    expect((await op(server, 'send', work, { as: 'bob' })).status).toBe(200)
    if (!isOver) written += 1
  }
  for (const { body } of await searched) expect(body).toMatchObject({ messages: [] })
  // Each search is made of a hundred pieces, and a call needs a few turns of the loop.
  expect(written).toBeGreaterThan(10)
}, 60_000)
