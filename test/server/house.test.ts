// Tests what a server does for its store unprompted.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ask, run } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { listen, op, servers } from './serving.ts'

const { start, folder } = servers()

/** Resolves once the file exists. */
function appearing(path: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      if (!existsSync(path)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(dirname(path), done)
    done()
  })
}

test('starts a sleeping agent when mail comes, and the agent outlives the server', async () => {
  const home = folder()
  const [begun, go, done] = ['begun', 'go', 'done'].map((name) => join(home, name))
  const server = await start()
  const script = `echo > ${begun}; while [ ! -e ${go} ]; do sleep 0.05; done; echo > ${done}`
  const woken = { agent: 'sleeper', wake_command: JSON.stringify(['/bin/sh', '-c', script]) }
  const registered = await op(server, 'agent-register', woken)
  expect(registered.body).toMatchObject({ ok: true })
  await op(server, 'agent-status', { agent: 'sleeper', status: 'dormant' })
  await op(server, 'mail-send', { to: 'sleeper', type: 'question', subject: 'Up?', body: 'Up?' })
  await appearing(begun as string)
  expect(await server.stop()).toBe(0)
  writeFileSync(go as string, '')
  await appearing(done as string)
})

test('returns an abandoned lease’s work to pending, without a watcher', async () => {
  const server = await start()
  const stream = await listen(server, '?types=thread_lapse')
  await op(server, 'send', { to: 'worker', subject: 'Work' }, { as: 'lead' })
  await op(server, 'claim', { lease_seconds: 1 }, { as: 'worker' })
  await stream.until((heard) => heard.length > 0)
  const { body } = await op(server, 'list')
  expect(body.threads).toMatchObject([{ status: 'pending' }])
  stream.leave()
})

test('makes a held decision when it is due, without being asked', async () => {
  const server = await start()
  const stream = await listen(server, '?types=request_approve')
  const wish = { type: 'chore', title: 'May I?' }
  const { body } = await op(server, 'request-create', wish, { as: 'lead' })
  await op(server, 'approve', { request: body.request_id, revision: 1, grace_seconds: 1 })
  await stream.until((heard) => heard.length > 0)
  expect(stream.heard).toMatchObject([{ data: { thread_id: body.request_id, agent: 'user' } }])
  stream.leave()
})

test('lets a request expire, and starts the agent that made it', async () => {
  const begun = join(folder(), 'begun')
  const server = await start()
  const command = ['/bin/sh', '-c', `echo > ${begun}`]
  await op(server, 'agent-register', { agent: 'asker', wake_command: JSON.stringify(command) })
  const wish = { type: 'chore', title: 'May I?', expires_seconds: 1, on_expiry: 'reject' }
  const { body } = await op(server, 'request-create', wish, { as: 'asker' })
  await op(server, 'agent-status', { agent: 'asker', status: 'dormant' })
  await appearing(begun)
  const shown = await op(server, 'request-get', { request: body.request_id })
  expect(shown.body.request).toMatchObject({ status: 'expired', decided_by: 'system' })
})

test('prunes old threads at startup, and logs it', async () => {
  const home = folder()
  const young = ['--db', join(home, 'young.db')]
  const old = join(home, 'old.db')
  const { thread } = await ask(['send', ...young, '--from=lead', '--to=worker', '--subject=Work'], {
    folder: home,
  })
  const id = `--thread=${thread.thread_id}`
  for (const args of [
    ['claim', '--agent=worker', id],
    ['done', '--agent=worker', id, '--summary=Done'],
    ['show', '--agent=lead', id, '--mark-read'],
  ]) {
    await ask([...args, ...young], { folder: home })
  }
  // The same log, with dates long in the past.
  const { out } = await run(['export', ...young], { folder: home })
  writeFileSync(join(home, 'log.jsonl'), out.replaceAll(/\d{4}-\d\d-\d\dT/g, '2020-01-01T'))
  const taken = await run(['import', 'log.jsonl', '--db', old], { folder: home })
  expect(taken.code).toBe(0)
  const server = await start({ db: [old], args: ['--log', 'requests'] })
  const threads = async () => (await op(server, 'list')).body.threads as object[]
  while ((await threads()).length > 0);
  const isSaid = () =>
    server.log().some(({ what, threads }) => what === 'retention' && threads === 1)
  await until(async () => isSaid(), 'it says so')
})

test('npm start serves the current folder, and its sign-in page shows a working command', async () => {
  const home = folder()
  const root = join(import.meta.dirname, '../..')
  const words = ['npm', '--prefix', root, 'start', '--', '--json', '--socket', 'none']
  const child = Bun.spawn(words, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdout: 'pipe',
    stderr: 'pipe',
    // Runs in its own process group, as in a terminal, because npm doesn't pass signals on.
    detached: true,
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('"serving":true')) break
  }
  const line = text.split('\n').find((one) => one.startsWith('{"serving"')) ?? ''
  const { url } = JSON.parse(line) as { url: string }
  const page = await (await fetch(`${url}/sign-in`)).text()
  const command = (/<pre>(.+)<\/pre>/.exec(page)?.[1] ?? '').replaceAll('&#39;', "'")
  const shell = { folder: folder(), program: ['/bin/sh'] }
  expect((await run(['-c', command], shell)).out).toContain(`${url}/sign-in?code=`)
  process.kill(-child.pid, 'SIGINT')
  await child.exited
  while (await fetch(`${url}/healthz`).catch(() => null)) await Bun.sleep(10)
  expect(readFileSync(join(home, '.agents/coord.db')).length).toBeGreaterThan(0)
})

test('an agent’s quiet hours follow the server’s clock', async () => {
  // Twelve hours ahead of UTC, so that the hours can't match by accident.
  const server = await start({ args: ['--no-wake'], env: { TZ: 'Etc/GMT-12' } })
  const hour = (new Date().getUTCHours() + 12) % 24
  const wake_quiet = `${(hour + 23) % 24}-${(hour + 2) % 24}`
  const woken = { agent: 'sleeper', wake_command: '["true"]', wake_quiet, status: 'dormant' }
  expect((await op(server, 'agent-register', woken)).body).toMatchObject({ ok: true })
  const question = { to: 'sleeper', type: 'question', subject: 'Up?', body: 'Up?' }
  expect((await op(server, 'mail-send', question)).body).toMatchObject({ ok: true })
  const { body } = await op(server, 'wake-explain', { agent: 'sleeper' })
  expect(body).toMatchObject({ wakes: false, why: expect.stringContaining('quiet') })
})
