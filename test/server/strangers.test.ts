// Whoever is not let in may try as often as it likes: that costs little, and fills no log.

import { beforeAll, expect, test } from 'bun:test'
import { byPort, op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

const SECRET = `mr_${'0'.repeat(26)}_${'A'.repeat(49)}`

test('of many who are not let in the log has a few, and how many there were', async () => {
  const tries = () =>
    Promise.all(
      Array.from({ length: 200 }, () => byPort(server, '/api/ops/list', {}, { token: SECRET })),
    )
  const startedAt = performance.now()
  const answers = await tries()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  const seconds = 2 + Math.floor((performance.now() - startedAt) / 1000)
  const lines = () => server.log().filter(({ status }) => status === 401)
  expect(lines().length).toBeLessThanOrEqual(10 * seconds)
  // The next that is logged says what is missing.
  while (!lines().some(({ unsaid }) => Number(unsaid) > 0)) {
    await byPort(server, '/api/ops/list', {}, { token: SECRET })
  }
})

test('links that open nothing keep nobody from one that does', async () => {
  const signIn = (code: string) =>
    fetch(`${server.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
      body: new URLSearchParams({ code }),
    })
  const { body } = await op(server, 'sign-in')
  const tries = Array.from({ length: 200 }, () => signIn(SECRET))
  expect((await signIn(String(body.code))).status).toBe(303)
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401]))
})
