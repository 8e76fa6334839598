// The file of `export --out` has one writer and holds one log.

import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../worlds/world.ts'
import { expectRefusal, runInbox, startInbox } from './inbox.ts'

async function inFolder(use: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-export-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const send = (db: string, folder: string) =>
  runInbox(['send', '--from=lead', '--to=worker', '--subject=x', `--db=${db}`], { folder })

test('a file in a missing folder is refused, naming the folder', async () => {
  await inFolder(async (folder) => {
    await send('a.db', folder)
    for (const as of [[], ['--as=entries']]) {
      const out = ['export', '--out=data/inbox/log.jsonl', '--db=a.db', ...as]
      const no = await runInbox(out, { folder })
      expectRefusal(no, { exit: 30, says: /there is no folder "\S+\/data\/inbox"; make it/ })
    }
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

test("a file with another store's log is neither continued nor truncated", async () => {
  await inFolder(async (folder) => {
    for (const db of ['a.db', 'b.db']) await send(db, folder)
    const file = join(folder, 'log.jsonl')
    expect((await runInbox(['export', '--out=log.jsonl', '--db=a.db'], { folder })).exit).toBe(0)
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"torn`)
    const before = readFileSync(file, 'utf8')
    for (const more of [[], ['--after-event=0']]) {
      const no = await runInbox(['export', '--out=log.jsonl', '--db=b.db', ...more], { folder })
      expectRefusal(no, { exit: 30, says: 'holds the log of another store' })
    }
    expect(readFileSync(file, 'utf8')).toBe(before)
    await send('a.db', folder)
    expect((await runInbox(['export', '--out=log.jsonl', '--db=a.db'], { folder })).exit).toBe(0)
    const whole = await runInbox(['export', '--db=a.db'], { folder })
    expect(readFileSync(file, 'utf8')).toBe(whole.stdout)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })
})

test('a file without a header is continued only with --after-event', async () => {
  await inFolder(async (folder) => {
    // The first send also registers both agents: three events.
    for (let i = 0; i < 2; i++) await send('a.db', folder)
    const tail = ['export', '--out=tail.jsonl', '--db=a.db']
    expect((await runInbox([...tail, '--after-event=3'], { folder })).exit).toBe(0)
    expectRefusal(await runInbox(tail, { folder }), { exit: 30, says: '--after-event' })
    await send('a.db', folder)
    expect((await runInbox([...tail, '--after-event=4'], { folder })).exit).toBe(0)
    const lines = readFileSync(join(folder, 'tail.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).event.event_id)).toEqual([4, 5])
  })
})

test('a second writer is refused while a file is being followed', async () => {
  await inFolder(async (folder) => {
    await send('a.db', folder)
    const file = join(folder, 'log.jsonl')
    const words = ['export', '--out=log.jsonl', '--db=a.db']
    const follower = startInbox([...words, '--follow'], { folder })
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0)
    await until(async () => lines() === 4, 'the log is written')
    const says = `process ${follower.pid} is writing`
    expectRefusal(await runInbox([...words, '--follow'], { folder }), { exit: 30, says })
    expect(existsSync(`${file}.lock`)).toBe(true)
    process.kill(follower.pid, 'SIGKILL')
    await follower.ended
    expect(existsSync(`${file}.lock`)).toBe(true)
    expect((await runInbox(words, { folder })).exit).toBe(0)
    expect(existsSync(`${file}.lock`)).toBe(false)
    expect(lines()).toBe(4)
  })
})
