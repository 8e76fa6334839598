// A store's files are removed or replaced while a program has them open, as `git clean -fdx`, `git stash -u` or a
// careless restore might do. From then on, no write is acknowledged: it would go to a file that no one can find.

import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { AGENT_SEEN } from '../../src/core/agents/sighting.ts'
import type { Point } from '../../src/core/store.ts'
import { type Client, connect } from '../../src/index.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { modern, type Rpc } from '../mcp/wire.ts'
import { withStore } from '../races/own-store.ts'
import { PROGRAM } from '../worlds/program.ts'

const GONE = {
  code: 'store_unusable',
  message: expect.stringMatching(/was replaced or removed while in use; start again/),
}

async function otherStore(folder: string): Promise<string> {
  const path = join(folder, 'other.db')
  const other = await connect(path, { agent: 'lead' })
  await other.send({ to: 'worker', subject: 'of the other store' })
  await other.close()
  return path
}

/** The ways a store loses its files. The store has its own folder. */
const LOSSES: Record<string, (store: string) => void | Promise<void>> = {
  'the file is removed': (store) => rmSync(store),
  'the file is moved away': (store) => renameSync(store, `${store}.saved`),
  // The link points to the same file, but SQLite then expects the log next to the link.
  'a link to it takes its place': (store) => {
    renameSync(store, `${store}.real`)
    symlinkSync(`${store}.real`, store)
  },
  'another store takes its place': async (store) =>
    renameSync(await otherStore(dirname(dirname(store))), store),
  'the folder is removed': (store) => rmSync(dirname(store), { recursive: true }),
  'the folder is moved away': (store) => renameSync(dirname(store), `${dirname(store)}.saved`),
  'a file takes the folder’s place': (store) => {
    rmSync(dirname(store), { recursive: true })
    writeFileSync(dirname(store), '')
  },
  'a folder takes its place': (store) => {
    rmSync(store)
    mkdirSync(store)
  },
  // Git keeps the file itself and removes the files next to it.
  'its log and the index of the log are removed': (store) => {
    for (const end of ['-wal', '-shm']) rmSync(store + end)
  },
  'its log is removed': (store) => rmSync(`${store}-wal`),
  'a smaller store is copied into it': async (store) => {
    copyFileSync(await otherStore(dirname(dirname(store))), store)
  },
  'it is emptied in place': (store) => truncateSync(store),
  'its log is emptied in place': (store) => truncateSync(`${store}-wal`),
  'its log is cut in place': (store) => truncateSync(`${store}-wal`, 32 + 24 + 4096),
  'its log is overwritten in place': (store) => writeFileSync(`${store}-wal`, 'something else'),
  'the index of its log is removed': (store) => rmSync(`${store}-shm`),
}

async function withOpenStore(use: (lead: Client, path: string, folder: string) => Promise<void>) {
  await withStore('sqlite', async ({ folder }) => {
    const home = join(folder, '.agents')
    const path = join(home, 'coord.db')
    const lead = await connect(path, { agent: 'lead' })
    // Enough data that some of it is in the file and not only in its log.
    const body = 'x'.repeat(1_000_000)
    for (let i = 0; i < 9; i += 1) await lead.mailSend({ to: 'worker', body })
    await lead.send({ to: 'worker', subject: 'before' })
    await use(lead, path, folder)
    await lead.close()
  })
}

const subjects = async (client: Client) =>
  (await client.list()).threads.map(({ subject }) => subject).sort()

describe('no write is acknowledged after', () => {
  test.each(Object.entries(LOSSES))('%s', async (_, lose) => {
    await withOpenStore(async (lead, path) => {
      await lose(path)
      const send = () => lead.send({ to: 'worker', subject: 'after' })
      await expect(send()).rejects.toMatchObject(GONE)
      // Once noticed, the loss is permanent, and reads are refused too.
      await expect(send()).rejects.toMatchObject(GONE)
      await expect(lead.list()).rejects.toMatchObject(GONE)
    })
  })

  test('another store is copied over it, and that store stays intact', async () => {
    await withOpenStore(async (lead, path, folder) => {
      copyFileSync(await otherStore(folder), path)
      await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
      await lead.close()
      // Asks from another process, because this one has the file open until it ends.
      const ask = (...words: string[]) => {
        const { stdout } = Bun.spawnSync([PROGRAM, ...words, '--db', path, '--json'])
        return JSON.parse(stdout.toString())
      }
      expect(ask('list').threads).toMatchObject([{ subject: 'of the other store' }])
      expect(ask('doctor')).toMatchObject({ healthy: true })
    })
  })

  test('a link to the file is changed', async () => {
    await withStore('sqlite', async ({ folder }) => {
      const [real, link] = [join(folder, 'real.db'), join(folder, 'link.db')]
      const maker = await connect(real, { agent: 'lead' })
      await maker.close()
      symlinkSync(real, link)
      const lead = await connect(link, { agent: 'lead' })
      await lead.send({ to: 'worker', subject: 'before' })
      const other = await otherStore(folder)
      rmSync(link)
      symlinkSync(other, link)
      await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
      await lead.close()
    })
  })

  test.each<[string, (real: string, link: string) => void]>([
    ['moved, and the link with it', (real) => renameSync(real, `${real}.moved`)],
    ['given another name, to which the link leads', (real) => linkSync(real, `${real}.moved`)],
  ])('the file behind a link is %s', async (_, move) => {
    await withStore('sqlite', async ({ folder }) => {
      const [real, link] = [join(folder, 'real.db'), join(folder, 'link.db')]
      const maker = await connect(real, { agent: 'lead' })
      await maker.close()
      symlinkSync(real, link)
      const lead = await connect(link, { agent: 'lead' })
      await lead.send({ to: 'worker', subject: 'before' })
      move(real, link)
      rmSync(link)
      symlinkSync(`${real}.moved`, link)
      await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
      await lead.close()
      const again = await connect(link, { agent: 'lead' })
      expect(await again.doctor()).toMatchObject({ healthy: true })
      await again.close()
    })
  })

  test('the file of a store without a shared log is removed', async () => {
    await withStore('sqlite', async ({ address }) => {
      const { store, close } = await openMailroom(address, { journal: 'delete' })
      const write = () =>
        store.write(async (tx) => {
          tx.keep(AGENT_SEEN, { agent_id: 'worker', seen_at: await tx.now() })
          return {}
        })
      await write()
      rmSync(address)
      await expect(write()).rejects.toMatchObject(GONE)
      await close()
    })
  })
})

test('a folder that is moved and replaced by a link to it is the same folder', async () => {
  await withOpenStore(async (lead, path) => {
    const home = dirname(path)
    renameSync(home, `${home}.moved`)
    symlinkSync(`${home}.moved`, home)
    await lead.send({ to: 'worker', subject: 'after' })
    const other = await connect(path, { agent: 'lead' })
    expect(await subjects(other)).toEqual(['after', 'before'])
    await other.send({ to: 'worker', subject: 'of another' })
    await other.close()
    expect(await subjects(lead)).toEqual(['after', 'before', 'of another'])
    expect(await lead.doctor()).toMatchObject({ healthy: true })
  })
})

test('a store replaced by a link to it keeps every acknowledged write', async () => {
  await withOpenStore(async (lead, path) => {
    for (let n = 0; n < 20; n += 1) await lead.send({ to: 'worker', subject: `kept ${n}` })
    const kept = await subjects(lead)
    renameSync(path, `${path}.real`)
    symlinkSync(`${path}.real`, path)
    await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
    await lead.close()
    const again = await connect(path, { agent: 'lead' })
    expect(await subjects(again)).toEqual(kept)
    expect(await again.doctor()).toMatchObject({ healthy: true })
    await again.close()
  })
})

// The point after the commit is left out: by then, the write was in the file and was removed with it.
test.each<Point>(['begun', 'decided', 'written'])(
  'a store that is removed when a write is %s does not acknowledge that write',
  async (lost) => {
    await withStore('sqlite', async ({ address }) => {
      let isArmed = false
      const store = await openSqlite({
        path: address,
        afterCommit() {},
        systemClock: Date.now,
        onPoint: (point) => void (isArmed && point === lost && rmSync(address)),
      })
      const write = () =>
        store.write(async (tx) => {
          tx.keep(AGENT_SEEN, { agent_id: 'worker', seen_at: await tx.now() })
          return {}
        })
      await write()
      isArmed = true
      await expect(write()).rejects.toMatchObject(GONE)
      await store.close()
    })
  },
)

test('a repeated call is refused too, instead of getting its first answer', async () => {
  await withOpenStore(async (lead, path) => {
    const send = () => lead.send({ to: 'worker', subject: 'once', idempotency_key: 'one' })
    await send()
    rmSync(path)
    await expect(send()).rejects.toMatchObject(GONE)
  })
})

test('a store that was moved away keeps every acknowledged write, and another works in its place', async () => {
  await withOpenStore(async (lead, path, folder) => {
    const saved = join(folder, 'saved.db')
    const other = await otherStore(folder)
    for (let n = 0; n < 20; n += 1) await lead.send({ to: 'worker', subject: `kept ${n}` })
    const kept = await subjects(lead)
    renameSync(path, saved)
    renameSync(other, path)
    await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
    await lead.close()
    const [moved, next] = [await connect(saved), await connect(path, { agent: 'lead' })]
    expect(await subjects(moved)).toEqual(kept)
    // Without the cleanup, SQLite reads the other store through the log of the first.
    expect(await subjects(next)).toEqual(['of the other store'])
    await next.send({ to: 'worker', subject: 'goes on' })
    for (const client of [moved, next]) {
      expect(await client.doctor()).toMatchObject({ healthy: true })
      await client.close()
    }
  })
})

test('a removed log loses no acknowledged write, because closing the store saves them', async () => {
  await withOpenStore(async (lead, path) => {
    rmSync(`${path}-wal`)
    await expect(lead.send({ to: 'worker', subject: 'after' })).rejects.toMatchObject(GONE)
    await lead.close()
    const again = await connect(path, { agent: 'lead' })
    expect(await subjects(again)).toEqual(['before'])
    expect(await again.doctor()).toMatchObject({ healthy: true })
    await again.close()
  })
})

test("an agent's tools report it too", async () => {
  await withStore('sqlite', async ({ folder, address }) => {
    const lead = await connect(address, { agent: 'lead' })
    await lead.send({ to: 'ann', subject: 'Ann is known from now on' })
    await lead.close()
    const child = Bun.spawn([PROGRAM, 'mcp', '--agent', 'bob', '--db', address], {
      env: { PATH: process.env.PATH, HOME: folder },
      cwd: folder,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const reader = child.stdout.getReader()
    const say = async (id: number, text: string) => {
      const { body } = modern(id, 'send_message', { to: 'ann', type: 'status', body: text })
      child.stdin.write(`${JSON.stringify(body)}\n`)
      child.stdin.flush()
      let line = ''
      while (!line.includes('\n')) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`it ended after ${line}`)
        line += new TextDecoder().decode(value)
      }
      return (JSON.parse(line) as Rpc).result
    }
    expect((await say(1, 'before'))?.isError).toBeFalsy()
    rmSync(address)
    const refused = await say(2, 'after')
    expect(refused?.isError).toBe(true)
    expect(JSON.stringify(refused)).toMatch(/was replaced or removed while in use/)
    child.stdin.end()
    await child.exited
  })
})
