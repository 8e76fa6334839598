// A deleted push leaves no bytes in a SQLite store's files, however its pages were moved before.

import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/index.ts'
import { folders } from './process.ts'

const folder = folders()

/** Reads the files in another process, because this one must not open files that SQLite has open. */
function bytesOf(db: string): string {
  const files = [db, `${db}-wal`].filter((file) => existsSync(file))
  return execFileSync('cat', files, { encoding: 'latin1', maxBuffer: 2 ** 28 })
}

/** The sizes of small comments, which share a page, and of large ones, which have their own pages. */
const SIZES = [40, 300, 5_000, 120, 50_000, 900, 15_000, 60]
const COUNT = 48

const secret = (i: number) => `xyzzy-${String(i).padStart(2, '0')}-secret`
const among = (text: string, numbers: number[]) => numbers.filter((i) => text.includes(secret(i)))

test('deleted pushes leave no bytes in the file or its log, and the others stay', async () => {
  const place = folder()
  const db = join(place, 'store.db')
  const inbox = await connect(db, { agent: 'ann' })
  mkdirSync(join(place, 'docs'))
  const { workspace } = await inbox.workspaceAdd({ path: join(place, 'docs') })
  const entries: string[] = []
  for (let i = 0; i < COUNT; i++) {
    const name = `${secret(i)}.md`
    writeFileSync(join(place, 'docs', name), 'Text')
    const comments = `${secret(i)} `.repeat(Math.ceil((SIZES[i % SIZES.length] as number) / 16))
    const docs = i % 3 === 0 ? { docs: [name], workspace: workspace.workspace_id } : {}
    const { entry_id } = await inbox.push({ ...docs, comments, idempotency_key: `key-${i}` })
    entries.push(entry_id)
    if (i % 4 === 0) {
      await inbox.pushReply({ entry: entry_id, agent: 'user', comments: `Re ${secret(i)}` })
    }
    if (i % 5 === 0) await inbox.send({ to: 'bob', subject: `Work ${i}`, body: 'b'.repeat(i * 97) })
  }
  const all = entries.map((_, i) => i)
  expect(among(bytesOf(db), all)).toEqual(all)
  // Deletes in a different order, with other writes in between, and keeps one in eight.
  const order = all.map((i) => (i * 29) % COUNT).filter((i) => i % 8 !== 5)
  for (const [n, i] of order.entries()) {
    // A reply that an agent hasn't read outlives its push, so all replies are marked as read first.
    await inbox.mailMarkRead({ agent: 'ann', all: true })
    await inbox.pushDelete({ entries: [entries[i] as string], agent: 'user' })
    if (n % 6 === 0) await inbox.mailSend({ from: 'user', to: 'ann', body: `Note ${n}` })
  }
  const { entries: left } = await inbox.pushHistory({ agent: 'user' })
  const bytes = bytesOf(db)
  expect(among(bytes, order)).toEqual([])
  expect(left.length).toBe(COUNT - order.length)
  const kept = all.filter((i) => i % 8 === 5)
  expect(among(bytes, kept)).toEqual(kept)
  expect((await inbox.doctor()).healthy).toBe(true)
  await inbox.close()
  expect(among(bytesOf(db), order)).toEqual([])
})

test('deleted text that an open reader kept in the log is erased by prune, and doctor reports it until then', async () => {
  const db = join(folder(), 'store.db')
  const inbox = await connect(db, { agent: 'ann' })
  const erased = async () =>
    (await inbox.doctor()).findings.find(({ check }) => check === 'erased')?.ok
  const { entry_id } = await inbox.push({ comments: secret(1) })
  const reader = new DatabaseSync(db)
  reader.exec('begin; select count(*) from messages')
  await inbox.pushDelete({ entries: [entry_id], agent: 'user' })
  expect(await erased()).toBe(false)
  expect(among(bytesOf(db), [1])).toEqual([1])
  reader.close()
  await inbox.prune()
  expect(await erased()).toBe(true)
  expect(among(bytesOf(db), [1])).toEqual([])
  await inbox.close()
})

test('in a store too large to rewrite at once, deleted text is overwritten in place', async () => {
  const db = join(folder(), 'store.db')
  const inbox = await connect(db, { agent: 'ann' })
  const entries: string[] = []
  for (let i = 0; i < COUNT; i++) {
    entries.push((await inbox.push({ comments: `${secret(i)} ${'x'.repeat(i * 40)}` })).entry_id)
  }
  for (let mebibytes = 0; mebibytes < 17; mebibytes++) {
    await inbox.mailSend({ from: 'user', to: 'user', body: 'y'.repeat(2 ** 20) })
  }
  const all = entries.map((_, i) => i)
  expect(among(bytesOf(db), all)).toEqual(all)
  for (const entry of entries) await inbox.pushDelete({ entries: [entry], agent: 'user' })
  await inbox.close()
  // SQLite had already copied 13 of these 48 when it moved rows between neighboring pages. Without the overwriting, all
  // 48 would be left.
  expect(among(bytesOf(db), all).length).toBeLessThan(COUNT / 2)
})
