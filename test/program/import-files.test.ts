// Imports files of any origin: with bytes that aren't text, and with more invalid lines than fit in memory.

import { expect, test } from 'bun:test'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folders, INBOX, start } from './process.ts'

const folder = folders()()

let stores = 0

async function importing(file: string, as: string) {
  const db = join(folder, `${stores++}.db`)
  const args = ['import', file, `--as=${as}`, '--json', `--db=${db}`]
  const run = start(args, { folder, env: { BUN_OPTIONS: `--preload ${measure}` } })
  const answer = JSON.parse(await new Response(run.stdout).text())
  await run.exited
  return { answer, megabytes: Number(readFileSync(peak, 'utf8')), db }
}

// Measured by the program itself when it ends. The peak memory that its parent sees includes what this process, which
// runs the tests, was using when it started the program.
const [measure, peak] = [join(folder, 'measure.js'), join(folder, 'peak')]
writeFileSync(
  measure,
  `const fs = require('node:fs')
  process.on('exit', () => {
    const linux = '/proc/self/status'
    const kilobytes = fs.existsSync(linux)
      ? /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync(linux, 'utf8'))[1]
      : process.resourceUsage().maxRSS
    fs.writeFileSync(${JSON.stringify(peak)}, String(kilobytes / 1024))
  })`,
)

function mail(id: string, body: string) {
  const who = { type: 'custom', from: 'ann', to: 'bob', read: true }
  return JSON.stringify({ id, ...who, body, createdAt: '2026-01-31T09:00:00Z' })
}

function withBytes(line: string, bytes: number[]): Buffer {
  const [before = '', after = ''] = line.split('@')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}

test('a line that is not valid UTF-8 is set aside unchanged', async () => {
  const bad = [
    withBytes(mail('m2', 'caf@'), [0xe9]),
    withBytes(mail('m3', '@ cut'), [0xe2, 0x82]),
    withBytes(mail('m4', '@'), [0xed, 0xa0, 0x80]),
  ]
  const good = [mail('m1', 'caf\u00e9 \u2028 and \u2029'), mail('m5', '\ufffd said so itself')]
  const [first, ...rest] = [Buffer.from(good[0] as string), ...bad, Buffer.from(good[1] as string)]
  const forms: [string, Buffer][] = [
    ['lines', Buffer.concat([first as Buffer, ...rest.flatMap((one) => [Buffer.from('\n'), one])])],
    [
      'list',
      Buffer.concat([
        Buffer.from('['),
        first as Buffer,
        ...rest.flatMap((one) => [Buffer.from(',\r\n'), one]),
        Buffer.from(']\n'),
      ]),
    ],
  ]
  for (const [name, bytes] of forms) {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    const { answer, db } = await importing(file, 'mailbox')
    const why = 'it is not valid UTF-8'
    expect(answer).toMatchObject({
      messages: { added: 2, known: 0 },
      rejected: [2, 3, 4].map((line) => ({ line, why })),
      rejected_lines: 3,
    })
    const aside = Buffer.concat(bad.flatMap((one) => [one, Buffer.from('\n')]))
    expect(readFileSync(`${file}.rejected`).toString('hex')).toBe(aside.toString('hex'))
    const exported = Bun.spawnSync([INBOX, 'mail', 'export', `--db=${db}`]).stdout.toString()
    expect(
      exported
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).body),
    ).toEqual(good.map((line) => JSON.parse(line).body))
    // A second import sets the same lines aside only once.
    await importing(file, 'mailbox')
    expect(statSync(`${file}.rejected`).size).toBe(aside.length)
  }
})

const WRONG = `${'x'.repeat(1000)}\n`.repeat(1000)
const WRONG_TIMES = 300

test('with more invalid lines than fit in memory, all are set aside and the first are reported', async () => {
  const entry = JSON.stringify({ id: 'e1', ts: 1, workspaceId: 'w', comments: 'Hi' })
  for (const [as, good] of [
    ['mailbox', mail('m1', 'Hi')],
    ['entries', entry],
  ] as const) {
    const file = join(folder, `wrong-${as}`)
    writeFileSync(file, `${good}\n`)
    for (let i = 0; i < WRONG_TIMES; i++) appendFileSync(file, WRONG)
    const { answer, megabytes } = await importing(file, as)
    expect(answer).toMatchObject({ messages: { added: 1 }, rejected_lines: WRONG_TIMES * 1000 })
    expect(answer.rejected).toHaveLength(1000)
    expect(answer.rejected.at(-1)).toMatchObject({ line: 1001 })
    expect(statSync(`${file}.rejected`).size).toBe(WRONG.length * WRONG_TIMES)
    expect(megabytes).toBeLessThan(250)
    rmSync(`${file}.rejected`)
  }
})

test('a file with no valid line is not read to its end, and no line is set aside', async () => {
  for (const as of ['log', 'mailbox', 'entries']) {
    const file = join(folder, `wrong-mailbox`)
    writeFileSync(file, WRONG)
    const { answer } = await importing(file, as)
    expect(answer.error.message).toStartWith('none of its first 1000 lines could be imported')
    expect(() => statSync(`${file}.rejected`)).toThrow()
  }
})
