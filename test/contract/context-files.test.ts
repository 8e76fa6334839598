// The documents of an instance as real files: writes are complete, and nothing outside the folder is read or written,
// no matter how its paths change during a call.

import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byPath, holdFolder } from '../../src/bin/inside-folder.ts'
import { instanceFiles } from '../../src/bin/instance-files.ts'
import { keepFromOthers } from '../../src/bin/store-files.ts'
import { MOST_DOCUMENT_BYTES } from '../../src/core/workflows/instance-files.ts'
import { startProgram } from '../programs/start.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), 'mailroom-context-')))
  made.push(folder)
  return folder
}

function newPlace() {
  const dir = newFolder()
  return { dir, channel_file: 'channel.md', document: 'notes.md', documents: ['todos.md'] }
}

type Place = ReturnType<typeof newPlace>

function write(place: Place, file: string, text: string): Promise<boolean> {
  return instanceFiles.alone(place, async ({ read, replace }) => {
    return replace(file, { was: read(file), text })
  })
}

async function listed(place: Place): Promise<string[]> {
  const { documents } = await instanceFiles.list(place)
  return documents.map(({ file }) => file)
}

function namesIn(dir: string): string[] {
  return (fs.readdirSync(dir, { recursive: true }) as string[]).sort()
}

test('writes a complete document, keeps its mode, and leaves no other files', async () => {
  const place = newPlace()
  expect(await instanceFiles.read(place, 'notes.md')).toBeNull()
  expect(await write(place, 'notes.md', '# Notes\n')).toBe(true)
  fs.chmodSync(join(place.dir, 'notes.md'), 0o640)
  expect(await write(place, 'notes.md', '\ufeff# Ünïcode\r\n')).toBe(true)
  expect(await instanceFiles.read(place, 'notes.md')).toBe('\ufeff# Ünïcode\r\n')
  expect(fs.statSync(join(place.dir, 'notes.md')).mode & 0o7777).toBe(0o640)
  expect(await write(place, 'findings/deep/auth.md', '')).toBe(true)
  expect(await instanceFiles.read(place, 'findings/deep/auth.md')).toBe('')
  expect(namesIn(place.dir)).toEqual([
    'findings',
    'findings/deep',
    'findings/deep/auth.md',
    'notes.md',
  ])
})

test('does not overwrite a document that changed in the meantime', async () => {
  const place = newPlace()
  await write(place, 'notes.md', 'one')
  await instanceFiles.alone(place, async ({ read, replace, remove }) => {
    const was = read('notes.md')
    fs.writeFileSync(join(place.dir, 'notes.md'), 'by hand')
    expect(replace('notes.md', { was, text: 'two' })).toBe(false)
    expect(replace('notes.md', { was: null, text: 'two' })).toBe(false)
    expect(replace('new/gone.md', { was: 'something', text: 'two' })).toBe(false)
    expect(remove('notes.md', 'one')).toBe(false)
    expect(remove('missing.md', '')).toBe(false)
    expect(read('notes.md')).toBe('by hand')
    expect(remove('notes.md', 'by hand')).toBe(true)
  })
  expect(namesIn(place.dir)).toEqual([])
})

test('lists the entry point first, then named documents, then the rest, and no other files', async () => {
  const place = newPlace()
  for (const file of ['a.md', 'z/b.md', 'notes.md', 'todos.md', 'channel-notes.md']) {
    await write(place, file, file)
  }
  for (const name of ['channel.md', 'channel-1.md', 'mcp.json', '.hidden', 'c.md']) {
    fs.writeFileSync(join(place.dir, name), name)
  }
  fs.mkdirSync(join(place.dir, '.git'))
  fs.writeFileSync(join(place.dir, '.git', 'config'), '')
  fs.symlinkSync(join(place.dir, 'a.md'), join(place.dir, 'link.md'))
  fs.symlinkSync('/etc', join(place.dir, 'etc'))
  spawnSync('mkfifo', [join(place.dir, 'pipe')])
  expect(await listed(place)).toEqual([
    'notes.md',
    'todos.md',
    'a.md',
    'c.md',
    'channel-notes.md',
    'z/b.md',
  ])
  const { documents, more } = await instanceFiles.list(place)
  expect(more).toBe(false)
  expect(documents[0]).toMatchObject({ file: 'notes.md', bytes: 8 })
})

test('refuses links, pipes, folders, sockets and files of an open store without changing them', async () => {
  const place = newPlace()
  const outside = newFolder()
  fs.writeFileSync(join(outside, 'secret.md'), 'secret')
  const at = (name: string) => join(place.dir, name)
  fs.symlinkSync(join(outside, 'secret.md'), at('link.md'))
  fs.symlinkSync(outside, at('away'))
  fs.symlinkSync(at('nowhere.md'), at('dangling.md'))
  fs.symlinkSync('circle.md', at('circle.md'))
  fs.mkdirSync(at('folder.md'))
  fs.writeFileSync(at('plain.md'), 'plain')
  fs.writeFileSync(at('store.md'), 'a store')
  keepFromOthers(at('store.md'))
  expect(spawnSync('mkfifo', [at('pipe.md')]).status).toBe(0)
  const socket = Bun.listen({ unix: at('s.md'), socket: { data() {} } })
  for (const [file, says] of [
    ['link.md', 'is a link'],
    ['away/secret.md', 'is a link'],
    ['away/new.md', 'is a link'],
    ['dangling.md', 'is a link'],
    ['circle.md', 'is a link'],
    ['folder.md', 'is a folder'],
    ['plain.md/below.md', 'is not a folder'],
    ['pipe.md', 'not a regular file'],
    ['s.md', 'not a regular file'],
    ['store.md', 'not a regular file'],
  ] as const) {
    await expect(instanceFiles.read(place, file)).rejects.toThrow(says)
    await expect(write(place, file, 'mine')).rejects.toThrow(says)
    const taken = instanceFiles.alone(place, async ({ replace }) =>
      replace(file, { was: null, text: 'mine' }),
    )
    await expect(taken).rejects.toThrow(says)
  }
  socket.stop()
  expect(fs.readdirSync(outside)).toEqual(['secret.md'])
  expect(fs.readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret')
  expect(fs.readFileSync(at('store.md'), 'utf8')).toBe('a store')
  expect(fs.readdirSync(place.dir).filter((name) => name.startsWith('.'))).toEqual([])
})

test('refuses files that are too large, not text or read-only without changing them', async () => {
  const place = newPlace()
  const at = (name: string) => join(place.dir, name)
  fs.writeFileSync(at('large.md'), 'x'.repeat(MOST_DOCUMENT_BYTES + 1))
  fs.writeFileSync(at('binary.md'), Buffer.from([0xff, 0xfe, 0x00]))
  fs.writeFileSync(at('nul.md'), 'a\0b')
  fs.writeFileSync(at('frozen.md'), 'as it is')
  fs.chmodSync(at('frozen.md'), 0o444)
  const says = (work: Promise<unknown>, words: string) => expect(work).rejects.toThrow(words)
  await says(instanceFiles.read(place, 'large.md'), 'has 1048577 bytes')
  await says(instanceFiles.read(place, 'binary.md'), 'is not UTF-8 text')
  await says(instanceFiles.read(place, 'nul.md'), 'is not UTF-8 text')
  await says(write(place, 'new/a.md', 'é'.repeat(MOST_DOCUMENT_BYTES / 2 + 1)), 'at most 1048576')
  await says(write(place, 'frozen.md', 'changed'), 'is read-only')
  await says(
    instanceFiles.alone(place, async ({ remove }) => remove('frozen.md', 'as it is')),
    'is read-only',
  )
  expect(await write(place, 'just.md', 'x'.repeat(MOST_DOCUMENT_BYTES))).toBe(true)
  expect(fs.readFileSync(at('frozen.md'), 'utf8')).toBe('as it is')
  expect(namesIn(place.dir)).toEqual(['binary.md', 'frozen.md', 'just.md', 'large.md', 'nul.md'])
})

test('a folder holds at most a thousand documents, and a longer list says so', async () => {
  const place = newPlace()
  for (let i = 0; i < 999; i += 1) fs.writeFileSync(join(place.dir, `${i}.md`), '')
  expect(await write(place, 'notes.md', 'the last')).toBe(true)
  await expect(write(place, 'b/one-more.md', '')).rejects.toThrow('holds 1000 documents')
  expect(await write(place, 'notes.md', 'again')).toBe(true)
  expect(fs.existsSync(join(place.dir, 'b'))).toBe(false)
  fs.writeFileSync(join(place.dir, 'by-hand.md'), '')
  const { documents, more } = await instanceFiles.list(place)
  expect([documents.length, documents[0]?.file, more]).toEqual([1000, 'notes.md', true])
})

test('refuses a folder that is gone or was replaced by a link', async () => {
  const place = newPlace()
  const other = newFolder()
  fs.writeFileSync(join(other, 'notes.md'), 'of another')
  fs.rmdirSync(place.dir)
  const says = 'is not on this machine, or a link took its place'
  await expect(instanceFiles.read(place, 'notes.md')).rejects.toThrow(says)
  fs.symlinkSync(other, place.dir)
  await expect(instanceFiles.read(place, 'notes.md')).rejects.toThrow(says)
  await expect(instanceFiles.list(place)).rejects.toThrow(says)
  await expect(write(place, 'notes.md', 'mine')).rejects.toThrow(says)
  expect(fs.readFileSync(join(other, 'notes.md'), 'utf8')).toBe('of another')
})

test('files left by a killed writer do not block the next one', async () => {
  const place = newPlace()
  const dead = Bun.spawn(['true'])
  await dead.exited
  fs.writeFileSync(join(place.dir, '.documents.lock'), `${dead.pid}\n`)
  fs.writeFileSync(join(place.dir, '.document.tmp'), 'half a te')
  expect(await write(place, 'notes.md', 'whole')).toBe(true)
  expect(namesIn(place.dir)).toEqual(['notes.md'])
})

test('no line is lost when several processes append at once', async () => {
  const place = newPlace()
  const writers = ['a', 'b', 'c'].map((name) =>
    startProgram<object>('document-writer', [place.dir, name, '40']),
  )
  for (const writer of writers) await writer.line()
  for (const writer of writers) writer.order({})
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      instanceFiles.alone(place, async ({ read, replace }) => {
        const was = read('notes.md')
        expect(replace('notes.md', { was, text: `${was ?? ''}here ${i}\n` })).toBe(true)
      }),
    ),
  )
  for (const writer of writers) {
    await writer.line()
    writer.child.stdin?.end()
    await writer.ended
  }
  const lines = fs.readFileSync(join(place.dir, 'notes.md'), 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(140)
  expect(new Set(lines).size).toBe(140)
  expect(namesIn(place.dir)).toEqual(['notes.md'])
}, 60_000)

test.skipIf(process.platform !== 'linux')(
  'a constantly changing link never redirects a read or write outside the folder',
  async () => {
    const place = newPlace()
    const [outside, inside] = [newFolder(), join(place.dir, 'real')]
    fs.mkdirSync(inside)
    fs.writeFileSync(join(outside, 'a.md'), 'outside')
    fs.writeFileSync(join(inside, 'a.md'), 'inside')
    const turner = startProgram<object>('folder-turner', [join(place.dir, 'sub'), outside])
    await turner.line()
    const seen = new Set<string>()
    // Each side wins the race sooner or later.
    for (let i = 0; i < 2000 || !(seen.has('written') && seen.has('forbidden')); i += 1) {
      try {
        seen.add((await instanceFiles.read(place, 'sub/a.md')) ?? 'missing')
        await write(place, 'sub/a.md', 'mine')
        seen.add('written')
      } catch (error) {
        seen.add((error as { code: string }).code)
      }
    }
    turner.signal('SIGKILL')
    await turner.ended
    expect(seen).not.toContain('outside')
    expect(fs.readdirSync(outside)).toEqual(['a.md'])
    expect(fs.readFileSync(join(outside, 'a.md'), 'utf8')).toBe('outside')
  },
  60_000,
)

test('without folder handles, notices a replaced folder before a change', () => {
  const [folder, outside] = [newFolder(), newFolder()]
  const held = holdFolder(folder, byPath)
  held?.mustBeThere()
  expect(held?.at('a.md')).toBe(join(folder, 'a.md'))
  fs.rmdirSync(folder)
  fs.symlinkSync(outside, folder)
  expect(() => held?.mustBeThere()).toThrow('was moved or replaced meanwhile')
  expect(holdFolder(folder, byPath)).toBeNull()
})

test.each(['fifo', 'folder', 'link'])(
  'a %s in place of one of our files does not hang a change',
  async (kind) => {
    const secret = join(newFolder(), 'secret')
    fs.writeFileSync(secret, 'secret')
    const put = (dir: string, name: string) => {
      const path = join(dir, name)
      if (kind === 'fifo') spawnSync('mkfifo', [path])
      else if (kind === 'link') fs.symlinkSync(secret, path)
      else fs.mkdirSync(join(path, 'x'), { recursive: true })
    }
    const change = (place: Place) =>
      instanceFiles.alone(place, async ({ read, replace, note, noted }) => {
        noted()
        note({ revision_id: 'r', file: 'notes.md', was: null, sha256: '' })
        const isDone = replace('notes.md', { was: read('notes.md'), text: 'new' })
        note(null)
        return isDone
      })
    const lock = newPlace()
    put(lock.dir, '.documents.lock')
    await expect(change(lock)).rejects.toThrow('.documents.lock" is not a file; remove it')
    for (const name of ['.documents.note', '.document.tmp']) {
      const place = newPlace()
      put(place.dir, name)
      if (kind === 'folder')
        await expect(change(place)).rejects.toThrow(/(remove it|move that away)$/)
      else expect(await change(place)).toBe(true)
    }
    expect(fs.readFileSync(secret, 'utf8')).toBe('secret')
  },
)
