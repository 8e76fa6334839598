import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, play, readTranscript } from './transcript.ts'

const ONE = 'thr_01m7en06kz2smepcn42csz766h'
const TWO = 'thr_01m7en06mzpage13m1rq72grs9'
const REAL = 'thr_01m7en72kt2rj13fq5v9vn04z2'

function markdown(...blocks: string[]): string {
  return blocks.map((block) => `Some words\nabove.\n\n\`\`\`console\n${block}\n\`\`\`\n`).join('\n')
}

async function played(text: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-transcript-'))
  const options = { folder, scratch: folder, bin: '/bin', signal: AbortSignal.timeout(4000) }
  try {
    return await play(readTranscript(text), options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the lines below a command are its output', () => {
  const steps = readTranscript(markdown('ann$ echo one\none\n\ntwo\nbob$ true'))
  expect(steps.map(({ terminal, command, output }) => [terminal, command, output])).toEqual([
    ['ann', 'echo one', 'one\n\ntwo\n'],
    ['bob', 'true', ''],
  ])
  expect(steps[0]?.prose).toBe('Some words\nabove.')
})

test('the paragraph above a block may have a line that begins with code', () => {
  const text = 'Open\n`folder` first.\n\n```console\nann$ true\n```\n'
  const [step] = readTranscript(text)
  expect(step?.prose).toBe('Open\n`folder` first.')
})

test('output at the start of a block belongs to the command that was waiting', () => {
  const steps = readTranscript(markdown('bob$ wait', 'ann$ ring\nrung', 'woken\nbob$ end'))
  expect(steps.map(({ command, output, blocks }) => [command, output, blocks])).toEqual([
    ['wait', 'woken\n', true],
    ['ring', 'rung\n', false],
    ['end', '', false],
  ])
})

test('an id in the document matches the id in its place, and only that one afterwards', () => {
  const names = new Map<string, string>()
  expect(compare(`${ONE}  now\n`, `${REAL}  3 s ago\n`, names)).toBeUndefined()
  expect(compare(`${ONE}\n`, `${REAL}\n`, names)).toBeUndefined()
  expect(compare(`${ONE}\n`, `${TWO}\n`, names)).toContain('the program said')
})

test('text that is not an id does not match an id', () => {
  const short = /\b2smepc\b/g
  const printed = (word: string) => compare('thread 2smepc\n', `thread ${word}\n`, new Map(), short)
  expect(printed('zzzzzz')).toBeUndefined()
  expect(printed('error')).toContain('the program said')
  expect(compare(`${ONE}\n`, 'undefined\n', new Map())).toContain('the program said')
})

test('a cut cell may be shorter if the time next to it is longer, but must begin the same', () => {
  const names = new Map<string, string>()
  expect(compare('now  Describe every…\n', '1 s ago  Describe e…\n', names)).toBeUndefined()
  expect(compare('now  Describe every…\n', '1 s ago  Descry e…\n', names)).toBeDefined()
})

test('a correct transcript plays without problems', async () => {
  expect(await played(markdown('ann$ export WHO=ann\nann$ echo "$WHO"\nann'))).toEqual([])
})

test('a wrong transcript is reported, and playing stops at the error', async () => {
  const problems = await played(markdown('ann$ echo one\ntwo\nann$ echo three\nfour'))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('the document says:\ntwo\nthe program said:\none')
})

test('a command that fails or does not wait as it should is a problem', async () => {
  expect(await played(markdown('ann$ false'))).toEqual(['line 5: ended with 1'])
  const hasty = await played(markdown('bob$ echo early', 'ann$ true', 'early\nbob$ true'))
  expect(hasty).toEqual(['line 5: echo early did not wait'])
})
