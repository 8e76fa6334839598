import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doorbell } from './doorbell.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-bell-')))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Waits for a ring, whether a watcher or polling notices it. If there's no ring, the test times out. */
async function heard(path: string, ring: () => void): Promise<void> {
  const bell = doorbell({ path })
  const { promise, resolve } = Promise.withResolvers<void>()
  await bell.arm(resolve)
  ring()
  await promise
  await bell.close()
}

test('does not follow a link or write to its target; waits rely on the backstop', async () => {
  const path = join(folder, 'store.db.bell')
  for (const [name, before] of [
    ['victim', 'precious'],
    ['nothing', undefined],
  ] as const) {
    const target = join(folder, name)
    if (before !== undefined) writeFileSync(target, before)
    symlinkSync(target, path)
    const bell = doorbell({ path })
    await heard(path, () => bell.ring())
    await bell.close()
    expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(before)
    rmSync(path)
  }
})

test('a pipe does not block ringing or waiting', async () => {
  const path = join(folder, 'store.db.bell')
  expect(spawnSync('sh', ['-c', 'mkfifo "$0"', path]).status).toBe(0)
  // This runs in a separate process, because a blocking open would also stop the test's clock.
  const source = join(import.meta.dir, 'doorbell.ts')
  const script = `const { doorbell } = await import(${JSON.stringify(source)})
    const bell = doorbell({ path: ${JSON.stringify(path)} })
    bell.ring()
    await new Promise((resolve) => bell.arm(resolve))
    await bell.close()`
  const ran = spawnSync(process.execPath, ['-e', script], { timeout: 60_000, encoding: 'utf8' })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
})

test('does not use a folder as a bell', async () => {
  const path = join(folder, 'store.db.bell')
  mkdirSync(path)
  const bell = doorbell({ path })
  await heard(path, () => bell.ring())
  await bell.close()
  expect(existsSync(path)).toBe(true)
})
