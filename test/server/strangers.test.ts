// Unauthenticated callers can try as often as they like, at little cost and without filling the log.

import { beforeAll, expect, test } from 'bun:test'
import { until } from '../worlds/world.ts'
import { byPort, op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

const SECRET = `mr_${'0'.repeat(26)}_${'A'.repeat(49)}`

test('the log has a few of the refused calls, and the number left out', async () => {
  const atOnce = 200
  let made = 0
  const tries = async () => {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () => byPort(server, '/api/ops/list', {}, { token: SECRET })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    made += atOnce
  }
  const lines = () => server.log().filter(({ status }) => status === 401)
  const unsaid = () => lines().reduce((sum, line) => sum + Number(line.unsaid ?? 0), 0)
  // The first line logged in a new second includes the number of lines left out before it.
  await until(async () => {
    await tries()
    return unsaid() > 0
  }, 'some are left out')
  expect(lines().length + unsaid()).toBeLessThanOrEqual(made)
})

test('invalid sign-in codes do not block a valid one', async () => {
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
