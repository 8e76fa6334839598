// What we rely on, and what we guard against, in the runtime. Run at every upgrade of Bun: a test that
// fails here says which guard has lost its reason, or its effect.

import { afterAll, expect, test } from 'bun:test'
import { readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { doorbell } from '../../src/wake/doorbell.ts'
import { waitFor } from '../../src/wake/wait.ts'
import { folders, INBOX, ROOT, run } from './process.ts'

const folder = folders()

const BURSTS = 100
/** No machine is so busy that a look takes this long; what takes longer was never told. */
const NEVER_MS = 3000

const ringers: Bun.Subprocess[] = []
afterAll(() => {
  for (const ringer of ringers) ringer.kill()
})

function startRinger(path: string, note: string) {
  const script = join(ROOT, 'test/programs/ringer.ts')
  const ringer = Bun.spawn([process.execPath, script, path, note], { stdin: 'pipe' })
  ringers.push(ringer)
  return ringer
}

function isWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([promise.then(() => true), Bun.sleep(ms).then(() => false)])
}

test('the second looks find every ring that the watcher swallows', async () => {
  const here = folder()
  const note = join(here, 'note')
  writeFileSync(note, '0')
  const bell = doorbell({ path: join(here, 'bell') })
  const ringer = startRinger(join(here, 'bell'), note)
  const lost: number[] = []
  for (let burst = 1; burst <= BURSTS && lost.length === 0; burst++) {
    const waited = waitFor({
      bell,
      look: async () => (readFileSync(note, 'utf8') === String(burst) ? burst : null),
      // No backstop: only the bell can wake it.
      lookout: { everyMs: 1000, changed: async () => false },
      chores: [],
      timeoutMs: 2 * NEVER_MS,
      signal: new AbortController().signal,
    })
    ringer.stdin.write(`${burst}\n`)
    ringer.stdin.flush()
    if (!(await isWithin(waited, NEVER_MS))) lost.push(burst)
  }
  await bell.close()
  expect(lost).toEqual([])
})

test.if(process.platform === 'linux')(
  'the watcher does swallow rings: the day it does not, the second looks may go',
  async () => {
    const here = folder()
    const [path, note] = [join(here, 'bell'), join(here, 'note')]
    writeFileSync(path, '')
    writeFileSync(note, '0')
    const ringer = startRinger(path, note)
    let seen = ''
    let onSeen: () => unknown = () => {}
    const watcher = watch(path, () => {
      seen = readFileSync(note, 'utf8')
      onSeen()
    })
    let lost = 0
    for (let burst = 1; burst <= BURSTS && lost === 0; burst++) {
      const found = new Promise<void>((resolve) => {
        onSeen = () => seen === String(burst) && resolve()
      })
      ringer.stdin.write(`${burst}\n`)
      ringer.stdin.flush()
      if (!(await isWithin(found, NEVER_MS))) lost += 1
    }
    watcher.close()
    expect(lost).toBeGreaterThan(0)
  },
)

test('a program that ends without having settled anything ends with 50', async () => {
  const here = folder()
  // A digest that never comes, with nothing left that could wake the loop.
  const never = 'SubtleCrypto.prototype.digest = () => new Promise(() => {})\n'
  writeFileSync(join(here, 'never.js'), never)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'never.js')}` }
  const words = ['send', '--from=lead', '--to=worker', '--subject=Hi', '--idempotency-key=k']
  const ran = await run(words, { folder: here, env })
  expect(ran).toMatchObject({ code: 50, out: '' })
})

test('BUN_OPTIONS and BUN_BE_BUN still act on the built program: what it starts must not inherit them', async () => {
  const here = folder()
  writeFileSync(join(here, 'said.js'), `console.log('preloaded')\n`)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'said.js')}` }
  expect((await run(['version'], { folder: here, env })).out).toStartWith('preloaded\n')
  const bun = await run(['--revision'], { folder: here, env: { BUN_BE_BUN: '1' } })
  expect(bun.out.trim()).toBe(Bun.version_with_sha.replace('v', '').replace(/ \((\w+)\)/, '+$1'))
})

test('the name that was typed is in argv0, and only there', async () => {
  const here = folder()
  const probe = 'console.log(JSON.stringify([process.argv0, process.argv.slice(0, 2)]))\n'
  writeFileSync(join(here, 'argv.js'), probe)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'argv.js')}` }
  const { out } = await run(['version'], { folder: here, env })
  const [argv0, [runtime, script]] = JSON.parse(out.split('\n')[0] as string)
  expect(argv0).toBe(INBOX)
  expect(runtime).toBe('bun')
  expect(script).toStartWith('/$bunfs/')
})

test('a JavaScript number is bound as a real: integers must be bound as bigint', () => {
  const db = new DatabaseSync(':memory:')
  const typeOf = (value: number | bigint) =>
    db.prepare('select typeof(?) as type').get(value)?.type as string
  expect(typeOf(1)).toBe('real')
  expect(typeOf(1n)).toBe('integer')
  db.close()
})

test('SQLite is new enough not to lose commits', () => {
  const db = new DatabaseSync(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  expect(Bun.semver.satisfies(version, '>=3.51.3')).toBe(true)
})
