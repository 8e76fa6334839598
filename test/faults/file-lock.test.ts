import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LOCKS = 1000
const TAKERS = 4
const TAKER = join(import.meta.dirname, '../programs/lock-taker.ts')
const SHARER = join(import.meta.dirname, '../programs/lock-sharer.ts')

test("when several processes find a dead process's lock, only one takes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-locks-'))
  const dead = Bun.spawn(['true'])
  await dead.exited
  for (let i = 0; i < LOCKS; i += 1) writeFileSync(join(folder, `${i}.lock`), `${dead.pid}\n`)

  // All of them print before any ends, so each still holds its locks.
  const taken = await runTogether(TAKER, folder, LOCKS)
  const all = taken.flatMap((line) => JSON.parse(line) as number[])
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LOCKS }, (_, i) => i))
  expect(readdirSync(folder)).toHaveLength(LOCKS)
  rmSync(folder, { recursive: true })
})

test('a lock that is released again and again is never held by two processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-locks-'))
  expect(await runTogether(SHARER, folder, 500)).toEqual(Array.from({ length: TAKERS }, () => '0'))
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

/** Starts the takers on one signal, and returns the line that each prints at the end. */
async function runTogether(program: string, folder: string, count: number): Promise<string[]> {
  const takers = Array.from({ length: TAKERS }, () => {
    const words = [process.execPath, program, folder, `${count}`]
    const child = Bun.spawn(words, { stdin: 'pipe', stdout: 'pipe' })
    return { child, lines: linesOf(child.stdout) }
  })
  for (const { lines } of takers) expect((await lines.next()).value).toBe('ready')
  for (const { child } of takers) {
    child.stdin.write('go\n')
    child.stdin.flush()
  }
  const printed = await Promise.all(takers.map(async ({ lines }) => (await lines.next()).value))
  for (const { child } of takers) child.stdin.end()
  await Promise.all(takers.map(({ child }) => child.exited))
  return printed as string[]
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
