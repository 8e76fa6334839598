import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SetupStep } from '../workflows/plan.ts'
import { runSetup } from '../workflows/setup.ts'
import { runShell } from './setup-shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'setup-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

type Step = Omit<SetupStep, 'line' | 'column' | 'values' | 'written'> &
  Partial<Pick<SetupStep, 'values'>>

function setup(steps: Step[], more: { signal?: AbortSignal; limitSeconds?: number } = {}) {
  const plan = {
    cwd: folder,
    file: 'w.yaml',
    setup: steps.map((step, at) => ({
      values: [],
      written: step.shell,
      line: at + 1,
      column: 3,
      ...step,
    })),
  }
  const signal = more.signal ?? new AbortController().signal
  return runSetup(plan, { run: runShell, ...more, signal })
}

async function valuesOf(steps: Step[]): Promise<Record<string, string>> {
  const end = await setup(steps)
  if ('why' in end) throw new Error(end.why)
  return Object.fromEntries(end.values)
}

test('runs commands in order in the working folder, and drops the last newline', async () => {
  expect(
    await valuesOf([
      { shell: 'pwd; echo one > there', as: 'where' },
      { shell: 'cat there; echo; echo two; echo', as: 'words' },
      { shell: 'printf none', as: 'none' },
      { shell: 'true', as: 'empty' },
      { shell: 'echo unseen' },
    ]),
  ).toEqual({ where: folder, words: 'one\n\ntwo\n', none: 'none', empty: '' })
})

test('passes values in variables, so the shell never runs them', async () => {
  const evil = `"; touch ${folder}/evil; $(touch ${folder}/evil) \`touch ${folder}/evil\` 'x`
  const values = [
    { variable: 'V1', value: { setup: 'evil' } },
    { variable: 'V2', value: evil },
  ]
  const got = await valuesOf([
    { shell: 'printf %s "${V2}"', values, as: 'evil' },
    { shell: 'printf "%s|" "${V1}" ${V2}; test ! -e evil', values, as: 'both' },
  ])
  expect(got.evil).toBe(evil)
  expect(got.both).toStartWith(`${evil}|`)
})

test('a failed command ends setup, reported with its place and last output', async () => {
  const end = await setup([
    { shell: 'echo first' },
    { shell: 'echo no such pr >&2; exit 3' },
    { shell: 'touch after' },
  ])
  expect(end).toEqual({
    why: 'setup at w.yaml:2:3, "echo no such pr >&2; exit 3", ended with exit code 3:\nno such pr',
    isStopped: false,
  })
  expect(() => readFileSync(join(folder, 'after'))).toThrow()
  expect(await setup([{ shell: 'kill -9 $$' }])).toMatchObject({
    why: expect.stringContaining('was ended by a signal and said nothing'),
  })
})

test('kills a hanging command and its children at the limit or when interrupted', async () => {
  const hangs = { shell: 'sleep 300 & echo $! > child; wait' }
  const child = () => Number(readFileSync(join(folder, 'child'), 'utf8'))
  const isAlive = (pid: number) => {
    try {
      // A zombie that hasn't been waited for yet is no longer running.
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  // A killed process doesn't end until it gets CPU time. If it wasn't killed, the test times out.
  const ended = async (pid: number) => {
    while (isAlive(pid)) await Bun.sleep(10)
  }
  expect(await setup([hangs], { limitSeconds: 0.5 })).toMatchObject({
    why: expect.stringContaining('took longer than 0.5 seconds'),
    isStopped: false,
  })
  await ended(child())
  expect(await setup([hangs], { signal: AbortSignal.timeout(300) })).toMatchObject({
    why: expect.stringContaining('was interrupted'),
    isStopped: true,
  })
  await ended(child())
})

test('a background child holding the output open does not delay setup', async () => {
  const before = performance.now()
  expect(await valuesOf([{ shell: 'sleep 5 & echo done', as: 'said' }])).toEqual({ said: 'done' })
  expect(performance.now() - before).toBeLessThan(4000)
})

test('cuts long output and reports it', async () => {
  const { flood = '' } = await valuesOf([
    { shell: 'head -c 3000000 /dev/zero | tr "\\0" x', as: 'flood' },
  ])
  expect(flood.length).toBeLessThan(1_000_100)
  expect(flood).toEndWith('x\n[2000000 more bytes were left out]')
  const values = [{ variable: 'V1', value: { setup: 'big' } }]
  const end = await setup([
    { shell: 'head -c 200000 /dev/zero | tr "\\0" x', as: 'big' },
    { shell: 'echo "${V1}"', values },
  ])
  expect(end).toMatchObject({ why: expect.stringContaining('cannot be given big: it has 200000') })
})
