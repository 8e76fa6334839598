// In a folder without a store, a read changes nothing, and a change creates the store.

import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/doors/cli/listing.ts'
import { rightWords } from '../faults/bad-words.ts'
import { freshSchema } from '../worlds/server.ts'
import { ask, folders, run } from './process.ts'

const folder = folders()

/** The exit codes of commands that change nothing. */
const LOOKS: Record<string, [code: number, words?: string[]]> = {
  fetch: [10, ['--agent=a']],
  list: [0],
  status: [0],
  doctor: [40],
  backup: [40, ['copy.db']],
  export: [40],
  open: [40, ['entry']],
  'mail peek': [10, ['--agent=a']],
  'mail history': [0],
  'mail receipts': [0, ['--agent=a']],
  'mail export': [40],
  'agent list': [0],
  'push history': [0],
  'push file': [40, ['entry', 'a.md']],
  'push watch': [40, ['entry', 'a.md']],
  'push resume': [40, ['entry']],
  'wake allow': [0],
  'wake explain': [40, ['a']],
  'wake log': [0],
  'workspace list': [0],
  'token list': [0],
  uninstall: [40, ['claude']],
}

const MARKS: typeof LOOKS = {
  show: [40, ['thr_1']],
  'mail read': [10, ['--agent=a']],
  'push show': [40, ['entry']],
}

/** Commands that take an id, which an empty store doesn't have, and commands that only report what they would do. */
const POINTLESS: [string[], number][] = [
  [['claim', '--agent=a', '--thread=thr_1'], 40],
  [['done', '--agent=a', '--thread=thr_1', '--summary=Done'], 40],
  [['reply', '--from=a', '--thread=thr_1', '--summary=Yes'], 40],
  [['wait-reply', '--agent=a', '--thread=thr_1'], 40],
  [['push', '--agent=a', '--comments=Hi', '--workspace=ws_1'], 40],
  [['token', 'revoke', 'tok_1'], 40],
  [['mail', 'send', '--from=a', '--to=a', '--body=Hi', '--dry-run'], 0],
  [['prune', '--dry-run'], 0],
]

/** Commands that can change something, though here they are refused or find nothing to do. */
const CHANGES: [string[], number][] = [
  [['claim', '--agent=a'], 10],
  [['push', 'missing.md', '--agent=a'], 30],
  [['mail', 'send', '--from=a', '--to=user', '--body=Hi'], 40],
  [['mail', 'mark-read', '--agent=a', '--message=msg_1'], 40],
  [['import', 'missing.jsonl'], 30],
  [['import', '/dev/null'], 30],
  [['import', '--as=entries', 'missing.jsonl'], 30],
  [['workspace', 'add', 'missing'], 40],
  [['sweep'], 0],
  [['prune'], 0],
]

/** Every operation that changes nothing. The fields don't show whether it exits with 0, 10 or 40. */
const looks = (await operations()).filter(({ writes }) => writes === 'nothing')

/** These need something the test doesn't have: a file, or a running workflow. */
const NEEDS_MORE = ['workflow check', 'workflow peek']

test('every command that changes nothing creates no store', async () => {
  expect(looks.length).toBeGreaterThan(10)
  for (const op of looks) {
    const here = folder()
    const ran = await run([...op.name.split(' '), ...rightWords(op)], { folder: here })
    expect({ name: op.name, left: readdirSync(here) }).toEqual({ name: op.name, left: [] })
    const codes = NEEDS_MORE.includes(op.name) ? [30] : [0, 10, 40]
    expect({ name: op.name, codes }).toEqual({
      name: op.name,
      codes: expect.arrayContaining([ran.code]),
    })
  }
})

test('every command listed here exists and changes nothing', async () => {
  const names = (await operations()).filter(({ writes }) => writes === 'nothing')
  for (const name of Object.keys(LOOKS)) expect(names.map((one) => one.name)).toContain(name)
})

const asked: [string[], number][] = [
  ...Object.entries({ ...LOOKS, ...MARKS }).map(
    ([name, [code, words = []]]) => [[...name.split(' '), ...words], code] as [string[], number],
  ),
  ...POINTLESS,
]

test.each(asked)('%o creates no store: exit %i', async (words, code) => {
  const here = folder()
  const ran = await run(words, { folder: here, env: { TMPDIR: folder() } })
  expect({ code: ran.code, left: readdirSync(here) }).toEqual({ code, left: [] })
  if (words[0] === 'uninstall') return
  expect(ran.err).toContain(`there is no store at ${join(here, '.agents/coord.db')}`)
  expect(ran.err).not.toContain('Error')
})

test.each(CHANGES)('%o creates a store and says so: exit %i', async (words, code) => {
  const here = folder()
  const place = join(here, '.agents/coord.db')
  const ran = await run(words, { folder: here, env: { TMPDIR: folder() } })
  expect({ code: ran.code, isThere: existsSync(place) }).toEqual({ code, isThere: true })
  expect(ran.err).toStartWith(`inbox: made a new store at ${place}\n`)
  expect(ran.err).not.toContain('Error')
})

test('an empty store in memory leaves no files behind', async () => {
  const env = { TMPDIR: folder() }
  await run(['list'], { folder: folder(), env })
  await run(['done', '--agent=a', '--thread=thr_1', '--summary=Done'], { folder: folder(), env })
  expect(await run(['init'], { folder: folder(), env })).toMatchObject({ code: 0 })
  expect(readdirSync(env.TMPDIR)).toEqual([])
})

test.each([
  [['send', '--from=a', '--to=b', '--subject=Hi'], 'thread'],
  [['push', '--agent=a', '--comments=Hi'], 'entry_id'],
  [['agent', 'register', 'a'], 'agent'],
  [['watch', '--timeout-seconds=1'], 'woke'],
  [['init'], 'db_path'],
  [['install', 'claude'], 'files'],
])('%o creates a store, once', async (words, has) => {
  const here = folder()
  const ran = await run([...words, '--json'], { folder: here })
  const place = join(here, '.agents/coord.db')
  expect(ran.err).toBe(`inbox: made a new store at ${place}\n`)
  expect(JSON.parse(ran.out)).toHaveProperty(has)
  expect(existsSync(place)).toBe(true)
  expect((await run(['status'], { folder: here })).err).toBe('')
})

test('the call that created the store is recorded in it, and so is its key', async () => {
  const here = folder()
  const words = ['send', '--from=a', '--to=b', '--subject=Hi', '--idempotency-key=k']
  const { thread, next_event_id } = await ask(words, { folder: here })
  expect(await ask(words, { folder: here })).toMatchObject({ thread, next_event_id })
  const { threads } = (await ask(['list'], { folder: here })) as unknown as { threads: object[] }
  expect(threads).toHaveLength(1)
})

test('on PostgreSQL too, where the password is never shown', async () => {
  const here = folder()
  const { address } = freshSchema()
  const { password, host, pathname, searchParams } = new URL(address)
  const place = `postgres://${host}${pathname}?schema=${searchParams.get('schema')}`
  const db = `--db=${address}`
  for (const words of [['list'], ['show', 'thr_1'], ['renew', '--agent=a', '--thread=thr_1']]) {
    const ran = await run([...words, db], { folder: here })
    expect(ran.err).toContain(`there is no store at ${place} yet\n`)
    expect(ran.out + ran.err).not.toContain(password)
  }
  const made = await run(['send', '--from=a', '--to=b', '--subject=Hi', db], { folder: here })
  expect(made).toMatchObject({ code: 0, err: `inbox: made a new store at ${place}\n` })
  expect((await run(['list', db], { folder: here })).err).toBe('')
})
