// Where an instance's own server listens, and what it does when that place is taken.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { openInstanceServer } from '../../src/bin/instance-server.ts'
import { workflowHost } from '../../src/bin/workflow-host.ts'
import type { ServedTools } from '../../src/workflows/host.ts'
import { folders } from '../program/process.ts'

const folder = folders()
const here = folder()
const runtimeFolder = join(here, 'run')
let mailroom: Mailroom
beforeAll(async () => {
  mailroom = await openMailroom(join(here, 'inbox.db'))
})
afterAll(() => mailroom.close())

function madeFolder(name: string, mode = 0o755): string {
  const dir = join(here, name)
  fs.mkdirSync(dir, { recursive: true })
  fs.chmodSync(dir, mode)
  return dir
}

function open(dir: string, instance = 'default'): Promise<ServedTools> {
  const { close: _, ...house } = mailroom
  return openInstanceServer({ house, instance, dir, runtimeFolder })
}

async function isUp({ socket }: ServedTools): Promise<boolean> {
  const response = await fetch('http://localhost/healthz', { unix: socket })
  return ((await response.json()) as { ok: boolean }).ok
}

describe('the socket', () => {
  test('is in the instance’s folder, only for its owner, and is removed with the runner', async () => {
    const dir = madeFolder('usual')
    const context = await open(dir)
    expect(context.socket).toBe(join(dir, 'context.sock'))
    expect(context.note).toBeUndefined()
    expect(fs.statSync(context.socket).mode & 0o777).toBe(0o600)
    expect(await isUp(context)).toBe(true)
    await context.close()
    expect(fs.existsSync(context.socket)).toBe(false)
  })

  test.each([
    [
      'has a path too long for the system',
      join('deep', 'x'.repeat(100)),
      0o755,
      'is longer than the 103 bytes',
    ],
    ['would be where others can write', 'open', 0o777, 'other users may change'],
  ])('that %s is in the runtime folder, with a note that says why', async (_, name, mode, why) => {
    const context = await open(madeFolder(name, mode))
    expect(context.socket).toStartWith(join(runtimeFolder, 'context-'))
    expect(context.note).toContain(why)
    expect(context.note).toContain(`so the socket is ${context.socket}`)
    expect(await isUp(context)).toBe(true)
    await context.close()
  })

  test('left by a killed runner is taken over', async () => {
    const dir = madeFolder('stale')
    const path = join(dir, 'context.sock')
    const code = `Bun.listen({ unix: ${JSON.stringify(path)}, socket: { data() {} } }); console.log('up')`
    const bun = [process.execPath, '-e', code]
    const child = Bun.spawn(bun, { stdout: 'pipe', stderr: 'ignore' })
    await child.stdout.getReader().read()
    child.kill('SIGKILL')
    await child.exited
    expect(fs.lstatSync(path).isSocket()).toBe(true)
    const context = await open(dir)
    expect([context.socket, await isUp(context)]).toEqual([path, true])
    await context.close()
  })

  test('of a running runner is left alone', async () => {
    const dir = madeFolder('two')
    const first = await open(dir, 'one')
    const second = await open(dir, 'two')
    expect(second.socket).toStartWith(runtimeFolder)
    expect(second.note).toContain('another runner listens at')
    expect(second.url).not.toBe(first.url)
    expect([await isUp(first), await isUp(second)]).toEqual([true, true])
    await second.close()
    expect(await isUp(first)).toBe(true)
    await first.close()
  })

  test('shows in which folder a run of another store works', async () => {
    const dir = madeFolder('strangers')
    const { makeFolder } = workflowHost(mailroom.store.place)
    const context = await open(dir, 'one')
    // A second run of the same store isn't refused here, because the store itself refuses it.
    expect(await makeFolder(dir, mailroom.store.place)).toBe(dir)
    await expect(makeFolder(dir, join(here, 'other.db'))).rejects.toMatchObject({
      code: 'lease_conflict',
      message: expect.stringContaining('a run of another store, "one", works in the folder'),
    })
    await context.close()
    expect(await makeFolder(dir, join(here, 'other.db'))).toBe(dir)
  })

  test('leaves an existing file alone', async () => {
    const dir = madeFolder('file')
    const path = join(dir, 'context.sock')
    fs.writeFileSync(path, 'mine')
    const context = await open(dir)
    expect(context.note).toContain('exists and is not a socket')
    expect(fs.readFileSync(path, 'utf8')).toBe('mine')
    await context.close()
  })

  test('is recreated when removed', async () => {
    const dir = madeFolder('removed')
    const context = await open(dir)
    fs.rmSync(context.socket)
    const back = Promise.withResolvers<void>()
    const watcher = fs.watch(dir, () => fs.existsSync(context.socket) && back.resolve())
    await back.promise
    watcher.close()
    expect(await isUp(context)).toBe(true)
    await context.close()
  })
})

describe('the port', () => {
  test('is the first free one from 3100 up, different for each runner', async () => {
    const both = await Promise.all([open(madeFolder('p1'), 'p1'), open(madeFolder('p2'), 'p2')])
    const ports = both.map(({ url }) => Number(new URL(url).port))
    for (const port of ports) expect(port).toBeWithin(3100, 3201)
    expect(ports[0]).not.toBe(ports[1])
    for (const { url } of both) expect(url).toEndWith('/mcp')
    await Promise.all(both.map((one) => one.close()))
  })

  test('is left out if all are taken, with a note that says so', async () => {
    const taken = []
    for (let port = 3100; port <= 3200; port++) {
      try {
        taken.push(Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }))
      } catch {
        // Another process is using this port.
      }
    }
    const context = await open(madeFolder('full'))
    expect(context.url).toBe('')
    expect(context.note).toBe('no port from 3100 to 3200 is free, so agents use the socket alone')
    expect(await isUp(context)).toBe(true)
    await context.close()
    const where = madeFolder('nowhere', 0o777)
    fs.chmodSync(runtimeFolder, 0o777)
    expect(open(where)).rejects.toThrow('nothing can serve the tools of this run')
    await open(where).catch(() => {})
    fs.chmodSync(runtimeFolder, 0o700)
    for (const one of taken) one.stop(true)
  })
})
