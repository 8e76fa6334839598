import { expect } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documents } from '../../../src/bin/documents.ts'
import { behaves } from '../../worlds/behaves.ts'
import { desk, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { until } from '../../worlds/world.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

behaves('push-show/live', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('report.md', 'First')
  const entry = await pushed(world, { workspace, docs: ['report.md'], comments: 'Read it' })
  const shown = async () => (await world.inbox.pushShow({ entry })).documents
  expect(await shown()).toMatchObject([
    { path: 'report.md', state: 'there', changed: false, kind: 'text', language: 'markdown' },
  ])
  await write('report.md', 'Second')
  expect(await shown()).toMatchObject([{ state: 'there', changed: true, size: 6 }])
  expect(await world.inbox.pushFile({ entry, path: 'report.md' })).toMatchObject({
    content: 'Second',
    changed: true,
  })
  await write('report.md', 'First')
  expect(await shown()).toMatchObject([{ changed: false }])
  await rm(join(folder, 'report.md'))
  expect(await shown()).toMatchObject([{ state: 'missing', changed: true }])
})

behaves('push-show/presents', async (world) => {
  const entry = await pushed(world, { agent: 'ann', comments: 'Look' })
  const state = async () => {
    const [row] = await world.sql('select state, presented_by from deliveries')
    return row
  }
  expect(await state()).toMatchObject({ state: 'queued' })
  const { replies } = await world.inbox.pushShow({ entry })
  expect(replies).toEqual([])
  const shown = { state: 'presented', presented_by: world.door }
  await until(async () => (await state())?.state === 'presented', 'presented')
  expect(await state()).toEqual(shown)
  expect((await world.inbox.pushHistory({})).unread).toBe(1)
})

behaves('push-file/text', async (world) => {
  const { workspace, write } = await desk(world)
  const files: [string, string | null][] = [
    ['a.md', 'markdown'],
    ['src/b.ts', 'typescript'],
    ['c.py', 'python'],
    ['Dockerfile', 'dockerfile'],
    ['drawing.svg', 'xml'],
    ['e.unheard', null],
    ['NOTES', null],
  ]
  for (const [path] of files) await write(path, 'Grüße 🎉\n')
  const entry = await pushed(world, { workspace, docs: files.map(([path]) => path) })
  for (const [path, language] of files) {
    const shown = await world.inbox.pushFile({ entry, path })
    expect(shown).toMatchObject({
      kind: 'text',
      language,
      content: 'Grüße 🎉\n',
      encoding: 'utf-8',
    })
    expect(shown.media_type).toBe('text/plain; charset=utf-8')
  }
})

behaves('push-file/other', async (world) => {
  const { workspace, write } = await desk(world)
  await write('chart.png', PNG)
  await write('paper.pdf', '%PDF-1.7\n\0')
  await write('data.bin', new Uint8Array([0, 1, 2, 255]))
  await write('latin.txt', new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]))
  await write('fake.png', 'I am text')
  await write('large.txt', 'x'.repeat(1_048_577))
  await write('whole.txt', 'x'.repeat(1_048_576))
  await write('empty.txt', '')
  const entry = await pushed(world, { workspace, docs: ['chart.png'] })
  const read = (path: string) => world.inbox.pushFile({ entry, path })
  const image = { kind: 'image', media_type: 'image/png', encoding: 'base64' }
  expect(await read('chart.png')).toMatchObject({ ...image, content: PNG.toString('base64') })
  const nothing = { content: null, encoding: null }
  const pdf = { kind: 'pdf', media_type: 'application/pdf', ...nothing }
  const binary = { kind: 'binary', media_type: 'application/octet-stream', ...nothing }
  expect(await read('paper.pdf')).toMatchObject(pdf)
  expect(await read('data.bin')).toMatchObject(binary)
  expect(await read('latin.txt')).toMatchObject(binary)
  expect(await read('fake.png')).toMatchObject({ kind: 'text', content: 'I am text' })
  expect(await read('large.txt')).toMatchObject({ kind: 'text', size: 1_048_577, ...nothing })
  expect((await read('whole.txt')).content).toHaveLength(1_048_576)
  expect(await read('empty.txt')).toMatchObject({ kind: 'text', content: '', changed: null })
  // Ask for a description without the content.
  const described = await world.inbox.pushFile({ entry, path: 'fake.png', describe: true })
  expect(described).toMatchObject({ kind: 'text', ...nothing })
})

behaves('push-file/absent', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('a.md', 'A')
  const entry = await pushed(world, { workspace, docs: ['a.md'] })
  const state = async (path = 'a.md') => (await world.inbox.pushFile({ entry, path })).state
  expect(await state('none.md')).toBe('missing')
  expect(await state('a.md/none.md')).toBe('missing')
  await rename(folder, `${folder}-moved`)
  expect(await state()).toBe('gone')
  await rename(`${folder}-moved`, folder)
  expect(await state()).toBe('there')
  await world.inbox.workspaceRemove({ workspace })
  expect(await state()).toBe('gone')
  // A push without a workspace has no documents.
  const bare = await pushed(world, { agent: 'ann', comments: 'Hello' })
  expect((await world.inbox.pushFile({ entry: bare, path: 'a.md' })).state).toBe('gone')
  await refused(world.inbox.pushFile({ entry: 'none', path: 'a.md' }), 'not_found')
})

behaves('push-file/links', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('real/a.md', 'A')
  await write('../secret.txt', 'SECRET')
  await symlink('real/a.md', join(folder, 'inside.md'))
  await symlink('real', join(folder, 'also'))
  await symlink('../secret.txt', join(folder, 'out.md'))
  await symlink('/etc', join(folder, 'etc'))
  await symlink('loop.md', join(folder, 'loop.md'))
  await symlink('/dev/zero', join(folder, 'zero'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const entry = await pushed(world, { workspace, docs: ['inside.md'] })
  const read = (path: string) => world.inbox.pushFile({ entry, path })
  expect(await read('inside.md')).toMatchObject({ state: 'there', content: 'A', changed: false })
  expect(await read('also/a.md')).toMatchObject({ state: 'there', content: 'A' })
  for (const path of ['out.md', 'etc/passwd', 'zero']) await refused(read(path), 'forbidden')
  expect((await read('loop.md')).state).toBe('missing')
  for (const path of ['pipe', 'real']) expect((await read(path)).state).toBe('special')
  // The link was changed to point outside after the push. That is reported, and nothing outside can be read.
  await rm(join(folder, 'inside.md'))
  await symlink('../secret.txt', join(folder, 'inside.md'))
  const { documents } = await world.inbox.pushShow({ entry })
  expect(documents).toMatchObject([{ state: 'outside', sha256: null }])
})

behaves('push-file/turned', async (world) => {
  const { workspace, folder, write } = await desk(world, 'above/thesis')
  await write('a.md', 'A')
  await write('../../elsewhere/thesis/a.md', 'SECRET')
  const entry = await pushed(world, { workspace, docs: ['a.md'] })
  const read = () => world.inbox.pushFile({ entry, path: 'a.md' })
  const elsewhere = join(folder, '../../elsewhere')
  for (const [place, target] of [
    [folder, join(elsewhere, 'thesis')],
    [join(folder, '..'), elsewhere],
  ] as const) {
    await rename(place, `${place}-moved`)
    await symlink(target, place)
    expect(await read()).toMatchObject({ state: 'gone', content: null })
    expect((await world.inbox.pushShow({ entry })).documents).toMatchObject([{ state: 'gone' }])
    // The link's target isn't watched either: a missing folder counts as changed only once it's back.
    const watching = { entry, path: 'a.md', sha256: 'gone', timeout_seconds: 1 }
    const seen = world.inbox.pushWatch(watching)
    await write('a.md', 'SECRET TOO')
    expect(await seen).toMatchObject({ woke: false, documents: [{ state: 'gone' }] })
    await rm(place)
    await rename(`${place}-moved`, place)
    expect(await read()).toMatchObject({ state: 'there', content: 'A' })
  }
})

behaves('push-file/swapped', async (world) => {
  const { folder, write } = await desk(world)
  const outside = join(folder, '../outside')
  await mkdir(outside)
  await writeFile(join(outside, 'a.txt'), 'SECRET')
  await write('real/a.txt', 'open')
  await write('a.txt', 'open')
  // Another process keeps switching a folder and a file between inside and outside, as fast as it can.
  const script = `
    const fs = require('node:fs')
    process.chdir(${JSON.stringify(folder)})
    fs.symlinkSync('../outside', 'bad'); fs.symlinkSync('real', 'good')
    fs.symlinkSync('../outside/a.txt', 'bad.txt'); fs.symlinkSync('a.txt', 'good.txt')
    fs.symlinkSync('real', 'dir'); fs.symlinkSync('a.txt', 'file')
    process.stdout.write('ready')
    for (;;) {
      for (const [from, to] of [['bad', 'dir'], ['bad.txt', 'file'], ['good', 'dir'], ['good.txt', 'file']]) {
        fs.symlinkSync(fs.readlinkSync(from), 'next'); fs.renameSync('next', to)
      }
    }`
  const swapper = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  try {
    await swapper.stdout.getReader().read()
    const seen = { there: 0, outside: 0 }
    const until = performance.now() + 2000
    while (performance.now() < until || seen.there === 0 || seen.outside === 0) {
      for (const path of ['dir/a.txt', 'file']) {
        const document = await documents.open(folder, path)
        if (document.state !== 'there') {
          expect(['outside', 'missing']).toContain(document.state)
          seen.outside += 1
          continue
        }
        seen.there += 1
        expect(Buffer.from(await document.read(100)).toString()).toBe('open')
        document.close()
      }
    }
  } finally {
    swapper.kill('SIGKILL')
    await swapper.exited
  }
})

behaves('push-file/people', async (world) => {
  const { workspace, write } = await desk(world)
  await write('a.md', 'A')
  const entry = await pushed(world, { agent: 'ann', workspace, docs: ['a.md'] })
  const reading = world.inbox.pushFile({ agent: 'ann', entry, path: 'a.md' })
  await refused(reading, 'forbidden')
  expect((await world.inbox.pushShow({ agent: 'ann', entry })).documents).toEqual([])
})

behaves('push-watch/changes', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('deep/a.md', 'One')
  const entry = await pushed(world, { workspace, docs: ['deep/a.md'] })
  const path = 'deep/a.md'
  let { sha256 } = await world.inbox.pushFile({ entry, path })
  const next = async (change: () => Promise<void>) => {
    const watching = world.inbox.pushWatch({ entry, path, sha256: sha256 ?? 'missing' })
    await change()
    const seen = await watching
    // A file that is written in place is empty for a moment, and the watch may report that.
    sha256 = (await world.inbox.pushFile({ entry, path })).sha256
    return seen
  }
  const woken = (now: object) => ({ woke: true, documents: [now] })
  expect(await next(() => write(path, 'Two'))).toMatchObject(woken({ changed: true }))
  // Editors replace the file with a new one.
  const replace = async (text: string) => {
    await write('deep/next', text)
    await rename(join(folder, 'deep/next'), join(folder, path))
  }
  expect(await next(() => replace('Three'))).toMatchObject(woken({ size: 5 }))
  expect(await next(() => rm(join(folder, path)))).toMatchObject(woken({ state: 'missing' }))
  expect(await next(() => replace('One'))).toMatchObject(woken({ changed: false }))
  // A change from before the call is reported immediately.
  const known = { entry, path, sha256: '0'.repeat(64) }
  expect(await world.inbox.pushWatch(known)).toMatchObject({ woke: true })
})

behaves('push-watch/all', async (world) => {
  const { workspace, folder, write } = await desk(world)
  const docs = ['a.md', 'b.md', 'deep/c.md']
  for (const path of docs) await write(path, 'One')
  const entry = await pushed(world, { workspace, docs })
  const shown = async () => (await world.inbox.pushShow({ entry })).documents
  const next = async (change: () => Promise<void>) => {
    const seen = (await shown()).map(({ sha256, state, path }) => `${sha256 ?? state} ${path}`)
    const watching = world.inbox.pushWatch({ entry, seen })
    await change()
    const { woke, documents } = await watching
    return { woke, which: documents.filter(({ changed }) => changed).map(({ path }) => path) }
  }
  expect(await next(() => write('deep/c.md', 'Two'))).toEqual({ woke: true, which: ['deep/c.md'] })
  expect(await next(() => rm(join(folder, 'a.md')))).toEqual({
    woke: true,
    which: ['a.md', 'deep/c.md'],
  })
  // A file that the caller has seen and that is now missing also counts as a change from before the call.
  const early = { entry, seen: [`${'0'.repeat(64)} a.md`] }
  expect(await world.inbox.pushWatch(early)).toMatchObject({
    woke: true,
    documents: [{ path: 'a.md', state: 'missing' }, { path: 'b.md' }, { path: 'deep/c.md' }],
  })
})

behaves('push-watch/words', async (world) => {
  const { workspace, write } = await desk(world)
  await write('a.md', 'One')
  const entry = await pushed(world, { workspace, docs: ['a.md'] })
  const sha256 = '0'.repeat(64)
  for (const words of [
    { entry, seen: [`${sha256} b.md`] },
    { entry, seen: [sha256] },
    { entry, sha256 },
    { entry, path: 'a.md', seen: [`${sha256} a.md`] },
  ]) {
    await refused(world.inbox.pushWatch(words), 'invalid_input')
  }
  const bare = await pushed(world, { workspace, comments: 'Nothing to see' })
  await refused(world.inbox.pushWatch({ entry: bare }), 'not_found')
})

behaves('push-watch/timeout', async (world) => {
  const { workspace, write } = await desk(world)
  await write('a.md', 'One')
  const entry = await pushed(world, { workspace, docs: ['a.md'] })
  const answer = await world.inbox.pushWatch({ entry, path: 'a.md', timeout_seconds: 1 })
  expect(answer).toMatchObject({ woke: false, documents: [{ state: 'there' }] })
  expect(world.exitOf(answer)).toBe(10)
})
