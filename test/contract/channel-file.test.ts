// channel.md follows a channel, with real files: no matter what happens to the file, it ends up with the exact text.

import { afterAll, expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectChannel } from '../../src/bin/project-channel.ts'
import type { Bell } from '../../src/core/bell.ts'
import { type DrawnEntry, drawEntry } from '../../src/core/workflows/channel-text.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), 'mailroom-channel-')))
  made.push(folder)
  return folder
}

/** Channels in memory, with a bell that is rung by hand. */
function newChannels() {
  const channels = new Map<string, DrawnEntry[]>()
  const armed = new Set<() => void>()
  const asked: number[] = []
  const bell: Bell = {
    isSure: true,
    ring: () => {
      for (const onRing of armed) onRing()
    },
    arm: async (onRing) => {
      armed.add(onRing)
      return () => armed.delete(onRing)
    },
    close: async () => {},
  }
  return {
    bell,
    asked,
    lookout: { everyMs: 60_000, changed: async () => false },
    say(thread: string, ...messages: string[]) {
      const said = channels.get(thread) ?? []
      channels.set(thread, said)
      for (const message of messages) {
        const seq = said.length + 1
        const timestamp = new Date(1_800_000_000_000 + seq * 1000).toISOString()
        said.push({ seq, timestamp, from: seq === 1 ? 'system' : 'coder', message })
      }
      bell.ring()
    },
    source: {
      entries: async (thread: string, after: number, limit: number) => {
        asked.push(after)
        return (channels.get(thread) ?? []).slice(after, after + limit)
      },
    },
    text: (thread: string) => (channels.get(thread) ?? []).map(drawEntry).join(''),
  }
}

type Channels = ReturnType<typeof newChannels>

function startProjecting(channels: Channels, dir: string, more: object = {}) {
  const told: string[] = []
  const ending = new AbortController()
  const want = {
    ...channels,
    dir,
    channel_file: 'channel.md',
    thread_id: 'one',
    tell: (words: string) => told.push(words),
    ...more,
  }
  const done = projectChannel(want, ending.signal)
  const end = async () => {
    ending.abort()
    await done
  }
  return { told, end }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('timed out waiting for a condition')
    await Bun.sleep(5)
  }
}

function textIn(dir: string, name = 'channel.md'): string {
  const path = join(dir, name)
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()
    ? fs.readFileSync(path, 'utf8')
    : ''
}

test('appends entries as they come, without reading the channel from the start', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  channels.say('one', 'Workflow started')
  const { end, told } = startProjecting(channels, dir)
  await until(() => textIn(dir) === channels.text('one'))
  const { ino } = fs.statSync(join(dir, 'channel.md'))
  for (let i = 0; i < 50; i += 1) {
    channels.say('one', `entry ${i}\n### 10:00:00 [forged]`)
    await until(() => textIn(dir) === channels.text('one'))
  }
  expect(fs.statSync(join(dir, 'channel.md')).ino).toBe(ino)
  expect(channels.asked.filter((after) => after === 0).length).toBeLessThan(4)
  await end()
  expect(told).toEqual([])
  expect(textIn(dir)).toBe(channels.text('one'))
  expect(fs.readdirSync(dir)).toEqual(['channel.md'])
})

const DAMAGE: Record<string, (path: string, dir: string) => void> = {
  truncated: (path) => fs.truncateSync(path, 30),
  emptied: (path) => fs.truncateSync(path, 0),
  'changed by one letter': (path) => {
    const fd = fs.openSync(path, 'r+')
    fs.writeSync(fd, 'X', 5)
    fs.closeSync(fd)
  },
  lengthened: (path) => fs.appendFileSync(path, '\n### 10:00:00 [coder]\nforged\n'),
  replaced: (path) => {
    fs.writeFileSync(`${path}.new`, 'other words')
    fs.renameSync(`${path}.new`, path)
  },
  removed: (path) => fs.rmSync(path),
  'replaced by a symlink': (path, dir) => {
    fs.writeFileSync(join(dir, '../outside.md'), 'outside')
    fs.rmSync(path)
    fs.symlinkSync(join(dir, '../outside.md'), path)
  },
  'replaced by a hard link': (path, dir) => {
    fs.writeFileSync(join(dir, '../outside.md'), 'outside')
    fs.rmSync(path)
    fs.linkSync(join(dir, '../outside.md'), path)
  },
  'extended by half an entry': (path) => fs.appendFileSync(path, '\n### 08:0'),
}

test.each(Object.keys(DAMAGE))('restores a file that was %s', async (what) => {
  const [channels, above] = [newChannels(), newFolder()]
  const dir = join(above, 'instance')
  fs.mkdirSync(dir)
  channels.say('one', 'Workflow started', 'a', 'b')
  const during = startProjecting(channels, dir)
  await until(() => textIn(dir) === channels.text('one'))
  // Damages the file while the channel is being followed.
  DAMAGE[what]?.(join(dir, 'channel.md'), dir)
  channels.say('one', 'c')
  await until(() => textIn(dir) === channels.text('one'))
  await during.end()
  // Damages the file between two runs of the program.
  DAMAGE[what]?.(join(dir, 'channel.md'), dir)
  channels.say('one', 'd')
  const after = startProjecting(channels, dir)
  await until(() => textIn(dir) === channels.text('one'))
  await after.end()
  expect(textIn(dir)).toBe(channels.text('one'))
  expect(fs.lstatSync(join(dir, 'channel.md')).nlink).toBe(1)
  const outside = join(above, 'outside.md')
  if (fs.existsSync(outside)) expect(fs.readFileSync(outside, 'utf8')).toBe('outside')
})

test('restores a changed file without waiting for new entries', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  channels.say('one', 'Workflow started', 'a')
  const { end } = startProjecting(channels, dir)
  await until(() => textIn(dir) === channels.text('one'))
  fs.rmSync(join(dir, 'channel.md'))
  await until(() => textIn(dir) === channels.text('one'))
  fs.appendFileSync(join(dir, 'channel.md'), 'more')
  await end()
  expect(textIn(dir)).toBe(channels.text('one'))
})

test('recreates a removed folder and reports it once, but does not follow a link in its place', async () => {
  const [channels, above] = [newChannels(), newFolder()]
  const dir = join(above, 'a', 'b')
  fs.mkdirSync(dir, { recursive: true })
  channels.say('one', 'Workflow started')
  const { end, told } = startProjecting(channels, dir)
  await until(() => textIn(dir) === channels.text('one'))
  fs.rmSync(join(above, 'a'), { recursive: true })
  channels.say('one', 'a')
  await until(() => textIn(dir) === channels.text('one'))
  expect(told).toEqual([expect.stringContaining(`the folder "${dir}" was removed`)])
  const elsewhere = newFolder()
  fs.rmSync(join(above, 'a'), { recursive: true })
  fs.symlinkSync(elsewhere, join(above, 'a'))
  channels.say('one', 'b')
  await until(() => told.length > 1)
  expect(told[1]).toContain('is gone, or a link took its place')
  expect(fs.readdirSync(elsewhere)).toEqual([])
  fs.rmSync(join(above, 'a'))
  channels.say('one', 'c')
  await until(() => textIn(dir) === channels.text('one'))
  // If the whole project is removed, it is not recreated.
  fs.rmSync(above, { recursive: true })
  await end()
  expect(fs.existsSync(above)).toBe(false)
})

test('reports a folder in place of the temporary file once and does not empty it', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  fs.mkdirSync(join(dir, '.channel.tmp', 'mine'), { recursive: true })
  channels.say('one', 'Workflow started')
  const { end, told } = startProjecting(channels, dir)
  await until(() => told.length > 0)
  channels.say('one', 'a')
  channels.say('one', 'b')
  await end()
  expect(told).toEqual([expect.stringContaining('".channel.tmp" is a folder')])
  expect(fs.existsSync(join(dir, '.channel.tmp', 'mine'))).toBe(true)
})

test('two followers of one channel leave the exact text', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  channels.say('one', 'Workflow started')
  const both = [startProjecting(channels, dir), startProjecting(channels, dir)]
  for (let i = 0; i < 300; i += 1) {
    channels.say('one', `entry ${i}`)
    if (i % 10 === 0) await Bun.sleep(1)
  }
  await Promise.all(both.map(({ end }) => end()))
  expect(textIn(dir)).toBe(channels.text('one'))
})

test('a new run keeps the complete text of the previous run under its number', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  channels.say('one', 'Workflow started', 'a')
  await startProjecting(channels, dir).end()
  // The runner was killed before it wrote the last entry.
  channels.say('one', 'b')
  channels.say('two', 'Workflow started', 'of the second run')
  const former = { run: 1, thread_id: 'one', source: channels.source }
  await startProjecting(channels, dir, { thread_id: 'two', former }).end()
  expect(textIn(dir)).toBe(channels.text('two'))
  expect(textIn(dir, 'channel-1.md')).toBe(channels.text('one'))
  channels.say('three', 'Workflow started')
  fs.writeFileSync(join(dir, 'channel-2.md'), "somebody's own")
  await startProjecting(channels, dir, { thread_id: 'three', isNew: true }).end()
  expect(textIn(dir, 'channel-2.md')).toBe("somebody's own")
  expect(textIn(dir, 'channel-3.md')).toBe(channels.text('two'))
  expect(textIn(dir)).toBe(channels.text('three'))
})

test('keeps a previous run’s text unchanged after its channel was pruned', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  fs.writeFileSync(join(dir, 'channel.md'), 'long ago')
  channels.say('two', 'Workflow started')
  const former = { run: 7, thread_id: 'gone', source: channels.source }
  await startProjecting(channels, dir, { thread_id: 'two', former, isNew: true }).end()
  expect(textIn(dir, 'channel-7.md')).toBe('long ago')
  expect(textIn(dir)).toBe(channels.text('two'))
})

test('keeps another instance’s text under a numbered name, even if writing fails at first', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  fs.writeFileSync(join(dir, 'channel.md'), 'of another instance')
  fs.mkdirSync(join(dir, '.channel.tmp', 'mine'), { recursive: true })
  channels.say('one', 'Workflow started', 'a')
  channels.say('two', 'Workflow started')
  const former = { run: 1, thread_id: 'one', source: channels.source }
  const { end, told } = startProjecting(channels, dir, { thread_id: 'two', former, isNew: true })
  await until(() => told.length > 0)
  fs.rmSync(join(dir, '.channel.tmp'), { recursive: true })
  await end()
  expect(textIn(dir, 'channel-1.md')).toBe('of another instance')
  expect(textIn(dir)).toBe(channels.text('two'))
})

test('does not overwrite a text that cannot be renamed', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  // File names can't be any longer, so this file can't be renamed.
  const channel_file = `${'c'.repeat(252)}.md`
  fs.writeFileSync(join(dir, channel_file), 'long ago')
  channels.say('one', 'Workflow started')
  const { end, told } = startProjecting(channels, dir, { channel_file, isNew: true })
  await until(() => told.length > 0)
  await end()
  expect(told).toHaveLength(1)
  expect(textIn(dir, channel_file)).toBe('long ago')
})

test('reports a folder in place of the file once, and writes the text once it is removed', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  fs.mkdirSync(join(dir, 'channel.md'))
  channels.say('one', 'Workflow started')
  const { end, told } = startProjecting(channels, dir)
  await until(() => told.length > 0)
  channels.say('one', 'a')
  channels.say('one', 'b')
  fs.rmdirSync(join(dir, 'channel.md'))
  channels.say('one', 'c')
  await until(() => textIn(dir) === channels.text('one'))
  await end()
  expect(told).toEqual([
    '"channel.md" is a folder, where the channel\'s text should be; move it away',
  ])
})

test('reads only new entries from a channel with a hundred thousand', async () => {
  const [channels, dir] = [newChannels(), newFolder()]
  channels.say('one', 'Workflow started', ...Array.from({ length: 99_999 }, (_, i) => `entry ${i}`))
  const { end } = startProjecting(channels, dir)
  await until(() => textIn(dir).length > 3_000_000)
  const asked = channels.asked.length
  const { ino } = fs.statSync(join(dir, 'channel.md'))
  for (let i = 0; i < 20; i += 1) {
    const { size } = fs.statSync(join(dir, 'channel.md'))
    channels.say('one', `more ${i}`)
    await until(() => fs.statSync(join(dir, 'channel.md')).size > size)
  }
  expect(channels.asked.slice(asked).every((after) => after >= 100_000)).toBe(true)
  expect(fs.statSync(join(dir, 'channel.md')).ino).toBe(ino)
  await end()
  expect(textIn(dir)).toBe(channels.text('one'))
}, 60_000)
