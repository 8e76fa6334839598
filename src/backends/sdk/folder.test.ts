import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileFault, listInside, readInside, writeInside } from './folder.ts'

const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'sdk-folder-')))
const folder = join(base, 'work')
const secret = join(base, 'secret.txt')
afterAll(() => fs.rmSync(base, { recursive: true }))

beforeEach(() => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(join(folder, 'src'), { recursive: true })
  fs.writeFileSync(join(folder, 'src', 'a.txt'), 'one\ntwo\nthree')
  fs.writeFileSync(secret, 'secret')
})

test('reads all or part of a file', () => {
  expect(readInside(folder, 'src/a.txt')).toBe('one\ntwo\nthree')
  expect(readInside(folder, './src/../src/a.txt', { from_line: 2, lines: 1 })).toBe('two')
  expect(readInside(folder, join(folder, 'src/a.txt'), { from_line: 3 })).toBe('three')
})

test('cuts a long file, and says how to continue', () => {
  fs.writeFileSync(join(folder, 'long'), `${'x'.repeat(999)}\n`.repeat(100))
  const shown = readInside(folder, 'long')
  expect(shown.length).toBeLessThan(61_000)
  expect(shown).toEndWith('[cut after 60000 of 100000 characters; continue with from_line 61]')
  expect(readInside(folder, 'long', { from_line: 61 })).toHaveLength(40_000)
})

test('writes a file and its folders, and keeps its mode', () => {
  expect(writeInside(folder, 'new/deep/b.txt', 'hello')).toBe('written: new/deep/b.txt (5 bytes)')
  expect(readInside(folder, 'new/deep/b.txt')).toBe('hello')
  fs.chmodSync(join(folder, 'src/a.txt'), 0o755)
  writeInside(folder, 'src/a.txt', '#!/bin/sh')
  expect(fs.statSync(join(folder, 'src/a.txt')).mode & 0o777).toBe(0o755)
  expect(fs.readdirSync(join(folder, 'src'))).toEqual(['a.txt'])
})

test('lists a folder to the requested depth, without following links', () => {
  fs.symlinkSync(base, join(folder, 'out'))
  expect(listInside(folder)).toBe('out@\nsrc/')
  expect(listInside(folder, '.', 9)).toBe('out@\nsrc/\nsrc/a.txt')
  fs.mkdirSync(join(folder, 'empty'))
  expect(listInside(folder, 'empty')).toBe('the folder is empty')
  for (let n = 0; n < 600; n++) fs.writeFileSync(join(folder, 'empty', `${n}`), '')
  expect(listInside(folder, 'empty').split('\n')).toHaveLength(501)
})

describe('paths outside the folder', () => {
  const OUT = /not inside the working folder/
  beforeEach(() => {
    fs.symlinkSync(secret, join(folder, 'link'))
    fs.symlinkSync(base, join(folder, 'up'))
  })

  test.each(['../secret.txt', secret, 'link', 'up/secret.txt', 'src/../../secret.txt'])(
    'reading %s',
    (path) => expect(() => readInside(folder, path)).toThrow(OUT),
  )
  test.each(['../new.txt', join(base, 'new.txt'), 'up/new.txt', 'up/deep/new.txt'])(
    'writing %s',
    (path) => {
      expect(() => writeInside(folder, path, 'x')).toThrow(OUT)
      expect(fs.readdirSync(base).sort()).toEqual(['secret.txt', 'work'])
    },
  )
  test.each(['..', '/', 'up'])('listing %s', (path) =>
    expect(() => listInside(folder, path)).toThrow(OUT),
  )
  test('replaces a link in place of a file, and leaves its target', () => {
    writeInside(folder, 'link', 'mine')
    expect(fs.readFileSync(secret, 'utf8')).toBe('secret')
    expect(fs.lstatSync(join(folder, 'link')).isFile()).toBe(true)
  })
})

test('rejects anything but a text file, with the reason', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  fs.writeFileSync(join(folder, 'bytes'), new Uint8Array([255, 254, 0]))
  expect(() => readInside(folder, 'pipe')).toThrow('is not a plain file')
  expect(() => readInside(folder, 'src')).toThrow('is not a plain file')
  expect(() => readInside(folder, 'bytes')).toThrow('is not text')
  fs.writeFileSync(join(folder, 'inbox.db-wal'), 'x')
  expect(() => readInside(folder, 'inbox.db-wal')).toThrow('is a database')
  expect(() => readInside(folder, 'none')).toThrow('there is no "none"; list_files shows')
  expect(() => readInside(folder, 'a\0b')).toThrow(FileFault)
  expect(() => writeInside(folder, 'src', 'x')).toThrow('is a folder')
  expect(() => writeInside(folder, '.', 'x')).toThrow('name a file')
  expect(() => writeInside(folder, 'src/a.txt/b', 'x')).toThrow('not a folder')
  expect(() => writeInside(folder, 'big', 'x'.repeat(5_000_000))).toThrow('at most 4194304')
})
