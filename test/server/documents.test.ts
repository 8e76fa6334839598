// An agent keeps switching a link in its workspace between a document and the store's file while the document is read.
// Whichever wins the race, the server leaks no descriptors and no locks.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '../programs/start.ts'
import { op, type Running, servers } from './serving.ts'

const { folder, start } = servers()
const READS = 3000
/** Allows for this test's connections and for files that the server opens on first use. */
const ROOM = 12

test.skipIf(process.platform !== 'linux')(
  'nothing leaks when a link is switched to the store’s file',
  async () => {
    const workspace = join(folder(), 'site')
    mkdirSync(workspace)
    const store = join(workspace, 'store.db')
    const server = await start({ db: [store] })
    const added = await op(server, 'workspace-add', { path: workspace, label: 'Site' })
    const { workspace_id } = added.body.workspace as { workspace_id: string }
    const plain = join(workspace, 'plain.md')
    writeFileSync(plain, 'Hello')
    writeFileSync(join(workspace, 'doc.md'), 'Hello')
    const pushed = await op(server, 'push', { workspace: workspace_id, docs: ['doc.md'] })
    const entry = pushed.body.entry_id
    const read = async () => {
      const wish = { entry, path: 'doc.md', describe: true }
      const { body } = await op(server, 'push-file', wish)
      return String(body.state ?? (body.error as { code: string }).code)
    }
    await read()
    const before = { open: descriptors(server), locks: locksOn(server, store) }
    expect(before.locks).toBeGreaterThan(0)
    const turner = startProgram<{ turning: true }>('link-turner', [
      join(workspace, 'doc.md'),
      plain,
      store,
    ])
    await turner.line()
    const seen = new Map<string, number>()
    const reader = async () => {
      for (let i = 0; i < READS / 4; i += 1) {
        const state = await read()
        seen.set(state, (seen.get(state) ?? 0) + 1)
      }
    }
    await Promise.all([reader(), reader(), reader(), reader()])
    turner.signal('SIGKILL')
    await turner.ended
    // Each side has won the race at least once.
    expect(seen.get('there')).toBeGreaterThan(0)
    expect(seen.get('special')).toBeGreaterThan(0)
    expect(descriptors(server)).toBeLessThan(before.open + ROOM)
    expect(locksOn(server, store)).toBe(before.locks)
  },
  60_000,
)

function descriptors({ pid }: Running): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function locksOn({ pid }: Running, path: string): number {
  const { ino } = statSync(path)
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return lines.filter((line) => line.includes(` ${pid} `) && line.includes(`:${ino} `)).length
}
