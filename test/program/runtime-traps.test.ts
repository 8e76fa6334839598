// The parts of the runtime that we rely on or guard against. Run at every upgrade of Bun: a failure here shows which
// guard is no longer needed, or no longer works.

import { expect, test } from 'bun:test'
import { watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { waitFor } from '../../src/wake/wait.ts'
import { hearsSecondRing, LATER_MS } from '../faults/second-ring.ts'
import { folders, INBOX, run } from './process.ts'

const folder = folders()

test('the second looks find every ring that the watcher swallows', async () => {
  for (let i = 0; i < 10; i++) {
    expect(await hearsSecondRing(waitFor, join(folder(), 'bell'))).toBe(true)
  }
})

test.if(process.platform === 'linux')(
  'the watcher swallows rings, so the second looks are still needed',
  async () => {
    const path = join(folder(), 'bell')
    writeFileSync(path, '')
    // Rings right after the first ring. On a busy machine, some come a moment too late to be swallowed.
    const isSwallowed = () =>
      new Promise<boolean>((resolve) => {
        let told = 0
        const watcher = watch(path, () => {
          told += 1
          if (told > 1) return
          writeFileSync(path, '2')
          setTimeout(() => {
            watcher.close()
            resolve(told === 1)
          }, LATER_MS)
        })
        writeFileSync(path, '1')
      })
    let told = 0
    while (told < 100 && !(await isSwallowed())) told += 1
    expect(told).toBeLessThan(100)
  },
)

test('a program that ends with unsettled work exits with 50', async () => {
  const here = folder()
  // A digest that never resolves, with nothing left that could wake the loop.
  const never = 'SubtleCrypto.prototype.digest = () => new Promise(() => {})\n'
  writeFileSync(join(here, 'never.js'), never)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'never.js')}` }
  const words = ['send', '--from=lead', '--to=worker', '--subject=Hi', '--idempotency-key=k']
  const ran = await run(words, { folder: here, env })
  expect(ran).toMatchObject({ code: 50, out: '' })
})

test('BUN_OPTIONS and BUN_BE_BUN still affect the built program, so its children must not inherit them', async () => {
  const here = folder()
  writeFileSync(join(here, 'said.js'), `console.log('preloaded')\n`)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'said.js')}` }
  expect((await run(['version'], { folder: here, env })).out).toStartWith('preloaded\n')
  const bun = await run(['--revision'], { folder: here, env: { BUN_BE_BUN: '1' } })
  expect(bun.out.trim()).toBe(Bun.version_with_sha.replace('v', '').replace(/ \((\w+)\)/, '+$1'))
})

test('only argv0 has the name that was typed', async () => {
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

test('a JavaScript number is bound as a real, so integers must be bound as bigint', () => {
  const db = new DatabaseSync(':memory:')
  const typeOf = (value: number | bigint) =>
    db.prepare('select typeof(?) as type').get(value)?.type as string
  expect(typeOf(1)).toBe('real')
  expect(typeOf(1n)).toBe('integer')
  db.close()
})

test('SQLite is recent enough not to lose commits', () => {
  const db = new DatabaseSync(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  expect(Bun.semver.satisfies(version, '>=3.51.3')).toBe(true)
})
