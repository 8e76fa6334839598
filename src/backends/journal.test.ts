import { afterAll, describe, expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LivingProcess } from './flag-lock.ts'
import { borrow, type Loan, repair } from './journal.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

const FILE = '.gemini/settings.json'
const BEFORE =
  '{ // mine\r\n\t"theme": "dark", /* ü */\n  "mcpServers": {"own": {"command": "x"}},\n}'

function project(before: string | Buffer | null): Loan {
  const root = fs.mkdtempSync(join(tmpdir(), 'journal-'))
  made.push(root)
  if (before !== null) {
    fs.mkdirSync(join(root, '.gemini'))
    fs.writeFileSync(join(root, FILE), before)
  }
  const value = { command: 'inbox', args: ['mcp'] }
  return {
    root,
    name: 'gemini',
    piece: { file: FILE, put: ['mcpServers', 'workflow-context'], value },
  }
}

const pathOf = ({ root }: Loan) => join(root, FILE)
const textOf = (loan: Loan) => fs.readFileSync(pathOf(loan), 'utf8')
/** All files and folders in the project, so that no leftover of ours goes unnoticed. */
const allIn = ({ root }: Loan) => fs.readdirSync(root, { recursive: true }).map(String).sort()

/** Simulates processes, identified by their keys. The ones listed are alive. */
function people(...alive: string[]) {
  const running = new Set(alive)
  const as = (word: string): LivingProcess => ({ word, isRunning: (one) => running.has(one) })
  return { as, kill: (word: string) => running.delete(word) }
}

describe('borrowing and restoring a project file', () => {
  test.each([
    ['with comments, mixed line ends and a trailing comma', BEFORE],
    ['with a byte order mark', `\uFEFF{"a": 1}`],
    ['empty', ''],
    ['with only whitespace', ' \n'],
    ['without a final newline', '{"mcpServers":{}}'],
  ])('restores a file %s byte for byte', async (_, before) => {
    const loan = project(before)
    const { as } = people('1')
    const giveBack = await borrow(loan, as('1'))
    expect(textOf(loan)).toContain('"workflow-context"')
    await giveBack()
    expect(textOf(loan)).toBe(before)
    expect(allIn(loan)).toEqual(['.gemini', FILE])
  })

  test('removes a new file and its folder', async () => {
    const loan = project(null)
    const giveBack = await borrow(loan, people('1').as('1'))
    expect(JSON.parse(textOf(loan)).mcpServers['workflow-context'].command).toBe('inbox')
    await giveBack()
    expect(allIn(loan)).toEqual([])
  })

  test('keeps the mode, and a link stays a link', async () => {
    const loan = project(null)
    fs.mkdirSync(join(loan.root, '.gemini'))
    fs.writeFileSync(join(loan.root, 'real.json'), '{}', { mode: 0o640 })
    fs.symlinkSync(join(loan.root, 'real.json'), pathOf(loan))
    const giveBack = await borrow(loan, people('1').as('1'))
    expect(fs.statSync(pathOf(loan)).mode & 0o777).toBe(0o640)
    await giveBack()
    expect(fs.lstatSync(pathOf(loan)).isSymbolicLink()).toBe(true)
    expect(fs.readFileSync(join(loan.root, 'real.json'), 'utf8')).toBe('{}')
  })

  test('with two holders of the same change, only the last restores', async () => {
    const loan = project(BEFORE)
    const { as } = people('1', '2')
    const first = await borrow(loan, as('1'))
    const second = await borrow(loan, as('2'))
    await first()
    expect(textOf(loan)).toContain('"workflow-context"')
    await second()
    expect(textOf(loan)).toBe(BEFORE)
    expect(allIn(loan)).toEqual(['.gemini', FILE])
  })

  test('many concurrent holders, in any order, leave the file as it was', async () => {
    const loan = project(BEFORE)
    const words = Array.from({ length: 12 }, (_, at) => String(at))
    const { as } = people(...words)
    await Promise.all(
      words.map(async (word) => {
        const giveBack = await borrow(loan, as(word))
        expect(textOf(loan)).toContain('"workflow-context"')
        await giveBack()
      }),
    )
    expect(textOf(loan)).toBe(BEFORE)
    expect(allIn(loan)).toEqual(['.gemini', FILE])
  })

  test('ignores a killed holder; the next one repairs the file and starts over', async () => {
    const loan = project(BEFORE)
    const { as, kill } = people('1', '2', '3')
    await borrow(loan, as('1'))
    const second = await borrow(loan, as('2'))
    kill('1')
    expect(await repair(loan, as('3'))).toEqual([])
    expect(textOf(loan)).toContain('"workflow-context"')
    await second()
    expect(textOf(loan)).toBe(BEFORE)
  })

  test('keeps text written in the meantime, and removes only its entry', async () => {
    const loan = project(BEFORE)
    const giveBack = await borrow(loan, people('1').as('1'))
    fs.writeFileSync(pathOf(loan), textOf(loan).replace('dark', 'light'))
    await giveBack()
    expect(textOf(loan)).toBe(BEFORE.replace('dark', 'light'))
  })

  test('does not touch another entry with the same name', async () => {
    const before = '{"mcpServers":{"workflow-context":{"command":"other"}}}'
    const loan = project(before)
    await expect(borrow(loan, people('1').as('1'))).rejects.toThrow(
      `${FILE} already has mcpServers.workflow-context`,
    )
    expect(textOf(loan)).toBe(before)
    expect(allIn(loan)).toEqual(['.gemini', FILE])
  })

  test('rejects two different entries in the same folder', async () => {
    const loan = project(BEFORE)
    const { as } = people('1', '2')
    const giveBack = await borrow(loan, as('1'))
    const other = { ...loan, piece: { ...loan.piece, value: { command: 'else', args: [] } } }
    await expect(borrow(other, as('2'))).rejects.toThrow('run one of the two in another folder')
    await giveBack()
    expect(textOf(loan)).toBe(BEFORE)
  })

  test.each([
    ['not JSON', '{ "a": ', 'is not a JSON object; fix it first'],
    ['not text', Buffer.from([0x7b, 0xff, 0x7d]), 'is not text in UTF-8; fix it first'],
  ])('rejects a file that is %s and leaves it unchanged', async (_, before, words) => {
    const loan = project(before)
    await expect(borrow(loan, people('1').as('1'))).rejects.toThrow(words)
    expect(fs.readFileSync(pathOf(loan))).toEqual(Buffer.from(before))
  })

  test('leaves a file broken in the meantime, and keeps the journal until it is fixed', async () => {
    const loan = project(BEFORE)
    const { as, kill } = people('1', '2')
    await borrow(loan, as('1'))
    const lent = textOf(loan)
    kill('1')
    fs.writeFileSync(pathOf(loan), `${lent.slice(0, -1)}`)
    expect((await repair(loan, as('2')))[0]).toContain('fix it first')
    fs.writeFileSync(pathOf(loan), lent)
    expect(await repair(loan, as('2'))).toEqual([])
    expect(textOf(loan)).toBe(BEFORE)
  })
})

describe('a process killed at any step', () => {
  /** Borrows the file and gives it back, but kills itself with SIGKILL at step `most`. */
  const PROGRAM = `
    const { borrow } = await import(${JSON.stringify(join(import.meta.dirname, 'journal.ts'))})
    const [loan, most] = JSON.parse(process.argv.at(-1))
    let step = 0
    const hook = () => { step += 1; if (step === most) process.kill(process.pid, 'SIGKILL') }
    const living = { word: String(process.pid), isRunning: (word) => word === String(process.pid) }
    const giveBack = await borrow(loan, living, hook)
    await giveBack()
    console.log(step)
  `

  async function runUntil(loan: Loan, most: number) {
    const words = ['-e', PROGRAM, JSON.stringify([loan, most])]
    const child = Bun.spawn([process.execPath, ...words], { stdout: 'pipe', stderr: 'inherit' })
    const out = await new Response(child.stdout).text()
    await child.exited
    return { signal: child.signalCode, steps: Number(out) }
  }

  test.each([
    ['an existing file', BEFORE],
    ['a new file', null],
  ])(
    'the next repair restores %s',
    async (_, before) => {
      const { steps } = await runUntil(project(before), 0)
      expect(steps).toBeGreaterThanOrEqual(8)
      for (let most = 1; most <= steps; most += 1) {
        const loan = project(before)
        const { signal } = await runUntil(loan, most)
        expect(signal).toBe('SIGKILL')
        expect(await repair(loan, people('9').as('9'))).toEqual([])
        const left = before === null ? [] : ['.gemini', FILE]
        expect([most, ...allIn(loan)]).toEqual([most, ...left])
        if (before !== null) expect(textOf(loan)).toBe(before)
      }
    },
    60_000,
  )

  test('restores the file after many concurrent processes, some of them killed', async () => {
    const loan = project(BEFORE)
    // Each process borrows the file several times, checks for the entry, and may be killed at any step.
    const program = `
      const { borrow } = await import(${JSON.stringify(join(import.meta.dirname, 'journal.ts'))})
      const fs = await import('node:fs')
      const [loan, path, most] = JSON.parse(process.argv.at(-1))
      let step = 0
      const hook = () => { step += 1; if (step === most) process.kill(process.pid, 'SIGKILL') }
      const isRunning = (word) => { try { process.kill(Number(word), 0); return true } catch { return false } }
      const living = { word: String(process.pid), isRunning }
      for (let round = 0; round < 5; round += 1) {
        const giveBack = await borrow(loan, living, hook)
        if (!fs.readFileSync(path, 'utf8').includes('"workflow-context"')) process.exit(9)
        await giveBack()
      }
    `
    const ends = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const most = at % 2 === 0 ? 0 : 3 + at * 2
        const words = ['-e', program, JSON.stringify([loan, pathOf(loan), most])]
        const child = Bun.spawn([process.execPath, ...words], { stderr: 'inherit' })
        return { code: await child.exited, most }
      }),
    )
    for (const { code, most } of ends) expect([0, most === 0 ? 0 : 137]).toContain(code)
    expect(ends.some(({ code }) => code === 137)).toBe(true)
    expect(await repair(loan, people('9').as('9'))).toEqual([])
    expect(textOf(loan)).toBe(BEFORE)
    expect(allIn(loan)).toEqual(['.gemini', FILE])
  }, 60_000)
})
