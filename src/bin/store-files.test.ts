import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bellPath } from './store-files.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-bell-')))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('every path to a store gives the same bell', () => {
  const real = join(folder, 'real')
  mkdirSync(real)
  const store = join(real, 'store.db')
  expect(bellPath(store)).toBe(`${store}.bell`)
  writeFileSync(store, '')
  symlinkSync('real/store.db', join(folder, 'link.db'))
  symlinkSync(join(folder, 'link.db'), join(real, 'again.db'))
  symlinkSync('real', join(folder, 'way'))
  for (const name of [
    'link.db',
    'real/again.db',
    'way/store.db',
    'way/again.db',
    'real/store.db',
  ]) {
    expect(bellPath(join(folder, name))).toBe(`${store}.bell`)
  }
})
