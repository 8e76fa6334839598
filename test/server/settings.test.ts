// Settings on a server: people can read and change only their own, including in a session.
import { expect, test } from 'bun:test'
import { runProgram } from '../worlds/program.ts'
import { byPort, op, servers, signedIn, tokenFor } from './serving.ts'

const { start, folder } = servers()

test('a session can change only its own person’s settings', async () => {
  const server = await start()
  await op(server, 'person-add', { name: 'ann' })
  const { page: headers } = await signedIn(server)
  const call = (name: string, input: object) =>
    byPort(server, `/api/ops/${name}`, input, { headers })
  expect((await call('person-set', { sound: 'on' })).status).toBe(200)
  expect((await call('person-settings', {})).body).toMatchObject({
    person: 'user',
    settings: { notify: { sound: true } },
  })
  for (const [name, input] of Object.entries({
    'person-set': { sound: 'on' },
    'person-settings': {},
  })) {
    const { status } = await call(name, { agent: 'user:ann', ...input })
    expect({ name, status }).toEqual({ name, status: 403 })
  }
  const shell = ['person', 'settings', '--agent=user:ann', '--json']
  const args = [...shell, `--db=${server.stores[0]?.store}`]
  const { stdout } = await runProgram(args, { folder: folder() })
  expect(JSON.parse(stdout)).toMatchObject({
    person: 'user:ann',
    settings: { notify: { sound: false } },
  })
})

test('agents and services cannot see or change settings, and each person has separate ones', async () => {
  const server = await start()
  await op(server, 'person-add', { name: 'ann' })
  await op(server, 'person-set', { mark_read: 'by hand' })
  const others = [
    await tokenFor(server, { name: 'mallory' }),
    await tokenFor(server, { name: 'ci', service: true }),
  ]
  for (const token of others) {
    for (const name of ['person-set', 'person-settings']) {
      const { status } = await byPort(server, `/api/ops/${name}`, {}, { token })
      expect({ name, status }).toEqual({ name, status: 403 })
    }
  }
  const args = ['token', 'issue', 'user:ann', '--json', `--db=${server.stores[0]?.store}`]
  const token = String(JSON.parse((await runProgram(args, { folder: folder() })).stdout).token)
  const { body } = await byPort(server, '/api/ops/person-settings', {}, { token })
  expect(body).toMatchObject({ person: 'user:ann', settings: { mark_read: 'after a moment' } })
})
