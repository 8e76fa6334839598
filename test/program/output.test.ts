// The program's output: only results on stdout, complete, and safe to display.

import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folders, INBOX, run, shown } from './process.ts'

const folder = folders()

const ESCAPE = '\u001b'

async function send(here: string, subject: string, ...more: string[]) {
  return ask(['send', '--from=lead', '--to=worker', `--subject=${subject}`, ...more], {
    folder: here,
  })
}

test('stdout holds only the result', async () => {
  const here = folder()
  const first = await run(['send', '--from=lead', '--to=worker', '--subject=Hi', '--json'], {
    folder: here,
  })
  expect(first.err).toBe(`inbox: made a new store at ${here}/.agents/coord.db\n`)
  expect(JSON.parse(first.out)).toMatchObject({ ok: true, command: 'send' })
  expect(first.out).toEndWith('}\n')
  expect(first.out.trimEnd()).not.toContain('\n')

  const second = await run(['list'], { folder: here })
  expect(second.err).toBe('')
  expect(second.out).toMatch(/^thr_\w{26} {2}pending {2}lead → worker {2}now {2}Hi\n$/)

  const refused = await run(['show', 'thr_nowhere'], { folder: here })
  expect(refused).toMatchObject({ code: 40, out: '' })
  expect(refused.err).toMatch(/^inbox: there is no thread thr_nowhere.*\n$/)

  const refusedJson = await run(['show', 'thr_nowhere', '--json'], { folder: here })
  expect(refusedJson).toMatchObject({ code: 40, err: '' })
  expect(JSON.parse(refusedJson.out)).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

test('a revoked token is shown as revoked', async () => {
  const here = folder()
  const issued = await run(['token', 'issue', 'builder', '--json'], { folder: here })
  const { token_id } = JSON.parse(issued.out).issued
  const { code, out, err } = await run(['token', 'revoke', token_id], {
    folder: here,
  })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^tok_\w+ +token +agent builder +revoked/)
})

test('without arguments or a store, it prints its help', async () => {
  const here = folder()
  const nothing = await run([], { folder: here })
  expect(nothing).toMatchObject({ code: 0, err: '' })
  expect(await run(['help'], { folder: here })).toEqual(nothing)
})

test('colors are used only on a terminal, and not if they are unwanted', async () => {
  const here = folder()
  await send(here, 'Hi')
  expect((await run(['list'], { folder: here })).out).not.toContain(ESCAPE)
  expect(await shown(['list'], { folder: here })).toContain(`${ESCAPE}[33mpending${ESCAPE}[0m`)
  expect(await shown(['list'], { folder: here, env: { NO_COLOR: '1' } })).not.toContain(ESCAPE)
  expect(await shown(['list'], { folder: here, env: { TERM: 'dumb' } })).not.toContain(ESCAPE)
  expect(await shown(['list', '--json'], { folder: here })).not.toContain(ESCAPE)
})

test('tables are aligned and cut to the width of the terminal', async () => {
  const here = folder()
  await send(here, 'Short')
  await send(here, `Long ${'and longer '.repeat(20)}`, '--priority=high')
  const around = { folder: here, env: { NO_COLOR: '1' } }
  for (const columns of [100, 140]) {
    const rows = (await shown(['list'], { ...around, columns })).trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns)
    const subjects = rows.map((row) => /(Short|Long)/.exec(row)?.index)
    expect(new Set(subjects).size).toBe(1)
    expect(rows.find((row) => row.includes('Long'))).toEndWith('…')
  }
  const piped = await run(['list'], { folder: here, env: { COLUMNS: '110' } })
  for (const row of piped.out.trimEnd().split('\n')) expect(row.length).toBeLessThanOrEqual(110)
  // A terminal shows short ids, so that much of the subject fits into 60 columns; a pipe gets full ids.
  const narrow = await shown(['list'], { ...around, columns: 60 })
  expect(narrow).toMatch(/^[0-9a-z]{6} .* Long and…?/m)
  for (const row of narrow.trimEnd().split('\n'))
    expect(row.trimEnd().length).toBeLessThanOrEqual(60)
  expect(piped.out).toMatch(/^thr_\w{26} /m)
})

test('text from agents cannot move the cursor, color the line or reverse it', async () => {
  const here = folder()
  const hostile = `a${ESCAPE}[2J${ESCAPE}]0;owned\u0007b\rc\u202Ed\u2066e\u009bf\u2028g`
  const { thread } = await send(here, hostile, `--body=${hostile}\nline two`, '--artifact=p\u001bq')
  const controls = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
  const around = { folder: here, env: { NO_COLOR: '1' } }
  for (const words of [
    ['list'],
    ['show', thread.thread_id],
    ['status'],
    ['watch', '--after-event=0'],
  ]) {
    const text = await shown(words, around)
    expect(text).toContain('a�[2J')
    expect(text).not.toMatch(controls)
  }
  const { out } = await run(['show', thread.thread_id, '--json'], { folder: here })
  expect(JSON.parse(out).thread.subject).toBe(hostile)
  // An export is data, but it might still be viewed in a terminal.
  for (const words of [['export'], ['mail', 'export']]) {
    const exported = await run(words, { folder: here })
    expect(exported.out).not.toMatch(controls)
    const lines = exported.out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.stringify(JSON.parse(line))).join()).toContain('\u202e')
  }
})

test('the name of a folder cannot do so either', async () => {
  const strange = `s${ESCAPE}[2J\u202ed`
  const here = join(folder(), strange)
  mkdirSync(here)
  for (const words of [['fetch', '--agent=ann'], ['init']]) {
    const { err } = await run(words, { folder: here })
    expect(err).toContain('s\\u001b[2J\\u202ed')
    expect(err).not.toContain(ESCAPE)
  }
})

test('an answer of a megabyte and an export of 8 MB arrive complete through a slow pipe', async () => {
  const here = folder()
  const { thread } = await send(here, 'Large')
  const body = 'x'.repeat(400_000)
  for (let i = 0; i < 20; i++) {
    await run(
      ['send', '--from=lead', `--thread=${thread.thread_id}`, '--summary=more', '--body-file=-'],
      {
        folder: here,
        stdin: body,
      },
    )
  }
  // The reader sleeps while the pipe fills, then takes it in small pieces.
  const slow =
    'import sys,time\ntime.sleep(0.3)\nn=0\nwhile True:\n c=sys.stdin.buffer.read1(3000)\n if not c: break\n n+=len(c)\nprint(n)'
  const script = 'set -o pipefail; slow=$1; shift; "$0" "$@" | python3 -c "$slow"'
  const program = ['/bin/bash', '-c', script, INBOX, slow]
  for (const { words, least } of [
    { words: ['show', thread.thread_id, '--json'], least: 700_000 },
    { words: ['export'], least: 8_000_000 },
  ]) {
    const ran = await run(words, { folder: here, program })
    const direct = await run(words, { folder: here })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(direct.out.length).toBeGreaterThan(least)
    expect(Number(ran.out)).toBe(Buffer.byteLength(direct.out))
  }
})

test('a closed pipe is not reported as an error', async () => {
  const here = folder()
  for (let i = 0; i < 3; i++) await send(here, `Thread ${i}`, `--body=${'y'.repeat(100_000)}`)
  const script = `"$0" export | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`
  const ran = await run([], { folder: here, program: ['/bin/bash', '-c', script, INBOX] })
  expect(ran).toEqual({ code: 0, out: '0\n', err: '' })
})
