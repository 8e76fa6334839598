import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTracked } from './tracked.ts'

const made = mkdtempSync(join(tmpdir(), 'mailroom-tracked-'))
afterAll(() => rmSync(made, { recursive: true }))

/** A version 2 index as git would write it, with entries that contain only names. */
function indexOf(names: string[]): Buffer {
  const entries = names.map((name) => {
    const flags = Buffer.from([name.length >> 8, name.length & 0xff])
    const entry = Buffer.concat([Buffer.alloc(60), flags, Buffer.from(name)])
    return Buffer.concat([entry, Buffer.alloc(8 - (entry.length % 8))])
  })
  const count = Buffer.alloc(4)
  count.writeUInt32BE(names.length)
  return Buffer.concat([Buffer.from('DIRC\0\0\0\u0002'), count, ...entries, Buffer.alloc(20)])
}

function repository(name: string, kept: string[] | null): string {
  const root = join(made, name)
  mkdirSync(join(root, '.git'), { recursive: true })
  mkdirSync(join(root, '.agents'))
  if (kept !== null) writeFileSync(join(root, '.git', 'index'), indexOf(kept))
  return root
}

const filesIn = (root: string) =>
  ['coord.db', 'coord.db-wal', 'coord.db-journal'].map((name) => join(root, '.agents', name))

test('finds the store’s files that git tracks, and no others', () => {
  const others = ['README.md', '.agents/coord.db-wal.txt', 'sub/.agents/coord.db', 'coord.db']
  expect(findTracked(filesIn(repository('clean', others)))).toEqual([])
  expect(findTracked(filesIn(repository('empty', null)))).toEqual([])
  const root = repository('kept', [...others, '.agents/coord.db-wal'])
  expect(findTracked(filesIn(root))).toEqual([join(root, '.agents/coord.db-wal')])
})

test('asks the index of a linked worktree', () => {
  const root = repository('main', [])
  const own = join(root, '.git', 'worktrees', 'other')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'index'), indexOf(['.agents/coord.db']))
  const linked = join(made, 'other')
  mkdirSync(join(linked, '.agents'), { recursive: true })
  writeFileSync(join(linked, '.git'), `gitdir: ${own}\n`)
  expect(findTracked(filesIn(linked))).toEqual([join(linked, '.agents/coord.db')])
})

test('returns nothing outside a repository', () => {
  mkdirSync(join(made, 'plain', '.agents'), { recursive: true })
  expect(findTracked(filesIn(join(made, 'plain')))).toEqual([])
})
