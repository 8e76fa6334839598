// Invalid input: exit 30 (or 40 for something that doesn't exist), one clear line, and no store is created.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flagOf } from '../../src/doors/cli/argv.ts'
import { loadAll } from '../../src/ops/catalogue.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import { extentAsked } from '../worlds/extent.ts'
import { rightWords, type Wrong, wrongWords } from './bad-words.ts'
import { callInbox, expectJsonRefusal, expectRefusal, type RunInbox, runInbox } from './inbox.ts'

/** The flags that exist only in the shell, as help lists them. */
function flagsOfShell({ shellFlags = [] }: Operation): [string, 'switch' | 'once'][] {
  return shellFlags.map(({ flag, value }) => [flag, value === '' ? 'switch' : 'once'])
}

/**
 * Every invalid argument of every command runs through the shell door in this process, with and without --json. One per
 * command also runs through the built program; with `npm run test:full`, all of them do.
 */
const isFull = extentAsked() === 'full'

const DB = '--db=store.db'

let home: string
let folders = 0
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mailroom-input-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const ALL = (await loadAll()).map((op) => [op.name, op] as const)

describe.each(ALL)('inbox %s', (name, op) => {
  test('refuses every invalid argument in one line, and creates no store', async () => {
    const right = rightWords(op)
    const wrongs = wrongWords(op, flagsOfShell(op))
    expect(wrongs.length).toBeGreaterThan(6)
    const wordsOf = (wrong: Wrong) => [...name.split(' '), ...without(right, wrong), ...wrong.words]
    const here = place().folder
    const problems = await each(wrongs, 1, (wrong) => refuses(wordsOf(wrong), wrong, { here }))
    // Picks a different invalid argument for each command.
    const one = wrongs[ALL.findIndex(([other]) => other === name) % wrongs.length] as Wrong
    const built = await each(isFull ? wrongs : [one], 4, (wrong) => refuses(wordsOf(wrong), wrong))
    expect([...problems, ...built]).toEqual([])
  })

  test('requires each of its minimal arguments', async () => {
    const here = place().folder
    for (const word of rightWords(op)) {
      const flag = word.split('=')[0] ?? ''
      if (flag === '--timeout-seconds' || flag === '--dry-run') continue
      if (flag === '--subject' || flag === '--message') continue
      // `person set` accepts any setting, so it doesn't require this one.
      if (name === 'person set' && flag === '--sound') continue
      // Only the store knows whether this folder is in a workspace.
      if ((name === 'push' || name === 'notify') && flag === '--agent') continue
      if (name === 'import' || (name === 'wait-reply' && flag === '--agent')) continue
      const words = rightWords(op).filter((other) => other !== word)
      const names = `${called(flag, op.fields)} is missing`
      await refuses([...name.split(' '), ...words], { names }, { here })
      if (isFull) await refuses([...name.split(' '), ...words], { names })
    }
  })
})

test.each([
  [['send', '--from=a', '--to=b'], '--subject is missing'],
  [['send', '--from=a', '--subject=x'], '--to is missing'],
  [
    ['send', '--from=a', '--thread=thr_x', '--summary=x', '--subject=y'],
    '--subject belongs to a new',
  ],
  [
    ['send', '--from=a', '--thread=thr_x', '--summary=x', '--priority=low'],
    '--priority belongs to',
  ],
  [
    ['send', '--from=a', '--thread=thr_x', '--summary=x', '--run=r'],
    '--run belongs to a new thread',
  ],
  [['send', '--from=a', '--thread=thr_x', '--summary=x', '--task=t'], '--task belongs to a new'],
  [['wait-reply', '--thread=thr_x', '--after-event=1', '--after-message=m'], 'cannot be combined'],
  [['show', 'thr_x', '--mark-read'], '--mark-read needs to know who reads'],
  [['show', 'thr_x', 'thr_y'], 'unexpected "thr_y"'],
  [['status', '--watch'], '--watch needs a terminal'],
  [['export', '--out=words.txt'], 'is not an exported log'],
  [['sned'], `"sned" is not a command; did you mean 'inbox send'?`],
  [['x'.repeat(1000)], 'is not a command'],
  [['constructor'], '"constructor" is not a command'],
  [['__proto__'], '"__proto__" is not a command'],
  [['toString', '--json'], 'is not a command'],
  [['completion', 'powershell'], 'name a shell'],
  [['completion', 'constructor'], 'name a shell'],
  [['completion'], 'name a shell'],
  [['help', 'nonsense'], '"nonsense" is not a command'],
  [['help', 'constructor'], '"constructor" is not a command'],
  [['mial', 'send'], `"mial" is not a command; did you mean 'inbox mail send'?`],
  [['mial'], `"mial" is not a command; did you mean 'inbox mail'?`],
  [['mail', 'sned'], `"mail sned" is not a command; did you mean 'inbox mail send'?`],
  [['mail-send'], `did you mean 'inbox mail send'?`],
  [['mail', 'nonsense'], `"mail nonsense" is not a command; see 'inbox mail --help'`],
  [['mail', '--nonsense'], '"--nonsense" is not a flag'],
  [['mail', 'send', '--from=a', '--to=b'], '--body is missing'],
  [['mail', 'send', '--from=a', '--subject=x'], '--to is missing'],
  [['mail', 'send', '--from=a', '--to=b', '--subject=x', '--metadata=[]'], 'is not an object'],
  [['mail', 'send', '--from=a', '--to=b', '--subject=x', '--metadata=7'], 'is not an object'],
  [
    ['mail', 'send', '--from=a', '--to=b', '--subject=x', '--type=review-result'],
    'needs metadata verdict',
  ],
  [
    [
      'mail',
      'send',
      '--from=a',
      '--to=b',
      '--subject=x',
      '--type=review-result',
      '--metadata={"verdict":"fine"}',
    ],
    'is not one of approved, changes-requested, blocked',
  ],
  [
    ['mail', 'send', '--from=a', '--to=b', '--subject=x', '--type=review-request'],
    'needs metadata diff',
  ],
  [
    ['mail', 'send', '--from=a', '--to=b', '--subject=x', '--wait=read', '--dry-run'],
    'cannot be combined',
  ],
  [
    ['mail', 'send', '--from=a', '--to=b', '--subject=x', '--timeout-seconds=5'],
    '--timeout-seconds needs --wait',
  ],
  [['mail', 'read', '--agent=a', '--since=yesterday'], 'is not an event id or a time'],
  [['mail', 'read', '--agent=a', '--since=-1'], 'is not an event id or a time'],
  [['mail', 'read', '--agent=a', '--since=2026-02-30T00:00:00'], 'is not an event id or a time'],
  [['mail', 'read', '--agent=a', '--to=broadcast'], 'has no inbox of its own'],
  [['mail', 'peek', '--agent=a', '--to=@shop'], 'has no inbox of its own'],
  [['mail', 'peek', '--agent=a', '--since=2026-13-01'], 'is not an event id or a time'],
  [['mail', 'mark-read', '--agent=a'], 'give MESSAGE, by id, or --all; not both'],
  [['mail', 'mark-read', '--agent=a', '--all', 'msg_x'], 'give MESSAGE, by id, or --all; not both'],
  [['mail', 'history', '--until=7'], 'is not a time'],
  [['mail', 'history', '--since=now'], 'is not an event id or a time'],
  [['mail', 'history', '--with=@shop'], 'means several'],
  [['mail', 'receipts', '--agent=a', 'msg_x', '--thread=thr_x'], 'cannot be combined'],
  [['wake', 'nonsense'], `see 'inbox wake --help'`],
  [['agent', 'register', 'user:ann'], 'is a person'],
  [['agent', 'register', 'user'], 'is a person'],
  [['agent', 'register', 'a', '--role=two words'], '--role "two words" is not a name'],
  [['agent', 'register', 'a', '--role=Orchestrator'], '--role "Orchestrator" is a reserved word'],
  [['send', '--from=a', '--to=agent:system', '--subject=x'], 'is not an address'],
  [['send', '--from=user@home', '--to=b', '--subject=x'], 'is a reserved word'],
  [['agent', 'register', 'a', '--wake-command={}'], 'is not a JSON list of strings'],
  [['agent', 'register', 'a', '--wake-command=[7]'], 'is not a JSON list of strings'],
  [['agent', 'register', 'a', '--wake-command=[""]'], 'is not a JSON list of strings'],
  [['agent', 'register', 'a', '--wake-cwd=here'], 'is relative'],
  [['agent', 'register', 'a', '--wake-quiet=25-7'], 'is not two hours'],
  [['agent', 'register', 'a', '--wake-cron=daily'], 'is not five fields'],
  [
    ['agent', 'register', 'a', '--wake-cron=* * * * *', '--wake-every-seconds=5'],
    'cannot be combined',
  ],
  [
    ['agent', 'register', 'a', '--may-write-to-user', '--may-not-write-to-user'],
    'cannot be combined',
  ],
  [['agent', 'status', 'a', 'b'], 'unexpected "b"'],
  [['person', 'add', 'system'], 'is a reserved word'],
  [['version', '--nonsense'], '"--nonsense" is not a flag'],
])('inbox %o is refused, and creates no store', async (words, names) => {
  await refuses(words, { names })
})

describe('a body on standard input', () => {
  const send = ['send', '--from=lead', '--to=worker', '--subject=x', '--body-file=-']
  test('of ten megabytes is refused', async () => {
    const stdin = new Uint8Array(10_000_000).fill(120)
    await refuses(send, { names: 'is over 1048576 bytes; keep it in a file' }, { stdin })
  })
  test('of one byte over the limit is refused', async () => {
    await refuses(send, { names: 'is over 1048576 bytes' }, { stdin: 'x'.repeat(1_048_577) })
  })
  test.each([
    ['a lone continuation byte', [0x78, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an over-long slash', [0xc0, 0xaf]],
    ['Latin-1', [0x67, 0x72, 0xfc, 0xdf]],
  ])('with %s is refused', async (_, bytes) => {
    await refuses(send, { names: 'is not valid UTF-8' }, { stdin: new Uint8Array(bytes) })
  })
  test('with a NUL is refused', async () => {
    await refuses(send, { names: '--body contains a NUL character' }, { stdin: 'a\0b' })
  })
  test('of the maximum size is stored', async () => {
    const { folder, db } = place()
    const stdin = `${'ä'.repeat(524_287)}!\n`
    const { exit, stdout } = await runInbox([...send, db, '--json'], { folder, stdin })
    expect(exit).toBe(0)
    expect(JSON.parse(stdout).message.body).toBe(stdin)
  })
})

describe('a missing target', () => {
  const words = ALL.map(([name, op]) => [name, rightWords(op)] as const)
  // A command that also names a request looks up the request first.
  const ofThread = words.filter(([, right]) => {
    return right.includes('--thread=thr_x') && !right.includes('--request=x')
  })
  test.each(ofThread)(
    'inbox %s of an unknown thread exits with 40 and does not change the log',
    async (name, right) => {
      const { folder, db } = place()
      await runInbox(['send', '--from=lead', '--to=worker', '--subject=x', db], { folder })
      const before = await logOf(db, folder)
      const says = 'there is no thread thr_x'
      expectRefusal(await runInbox([...name.split(' '), ...right, db], { folder }), {
        exit: 40,
        says,
      })
      const json = await runInbox([...name.split(' '), ...right, db, '--json'], { folder })
      expectJsonRefusal(json, { exit: 40, code: 'not_found', says })
      expect(await logOf(db, folder)).toBe(before)
    },
  )

  test('an unknown message, cursor or file is refused', async () => {
    const { folder, db } = place()
    const sent = await runInbox(
      ['send', '--from=lead', '--to=worker', '--subject=x', db, '--json'],
      {
        folder,
      },
    )
    const thread = JSON.parse(sent.stdout).thread.thread_id as string
    const waiting = ['wait-reply', `--thread=${thread}`, db]
    const before = await logOf(db, folder)
    const noMessage = await runInbox([...waiting, '--after-message=msg_x'], { folder })
    expectRefusal(noMessage, { exit: 40, says: 'there is no message msg_x' })
    for (const command of [waiting, ['watch', db], ['export', db]]) {
      const beyond = await runInbox([...command, '--after-event=99'], { folder })
      expectRefusal(beyond, { exit: 30, says: 'event 99 is not in this log' })
    }
    const other = place()
    const noFile = await runInbox(['import', 'missing.jsonl', other.db], { folder: other.folder })
    expect(noFile.exit).toBe(30)
    expect(noFile.stderr).toMatch(/cannot read "missing.jsonl": there is no such file\n$/)
    expect(await logOf(db, folder)).toBe(before)
  })
})

/** Runs the arguments with and without --json, and checks that they are refused and no file is created. */
async function refuses(
  words: string[],
  { names }: { names: string },
  { here, ...options }: RunInbox & { here?: string } = {},
) {
  const { folder, db } = here === undefined ? place() : { folder: here, db: DB }
  writeFileSync(join(folder, 'words.txt'), 'not an exported log\n')
  const run = (args: string[]) =>
    here === undefined ? runInbox(args, { folder, ...options }) : callInbox(args, folder)
  const needsStore = !['help', 'version', 'completion'].includes(words[0] ?? '')
  const isNamed = words.some((word) => word.startsWith('--db'))
  const all = needsStore && !isNamed ? [db, ...words] : words
  const says = literally(names)
  const saysJson = words.some((word) => word.startsWith('--json'))
  if (!words.includes('--json')) expectRefusal(await run(all), { exit: 30, says })
  if (words.includes('--json') || !saysJson) {
    const json = await run(saysJson ? all : ['--json', ...all])
    expectJsonRefusal(json, { exit: 30, code: 'invalid_input', says })
  }
  expect(readdirSync(folder)).toEqual(['words.txt'])
}

function place(): { folder: string; db: string } {
  const folder = join(home, String(folders++))
  mkdirSync(folder)
  return { folder, db: DB }
}

async function logOf(db: string, folder: string): Promise<string> {
  return (await runInbox(['export', db], { folder })).stdout
}

/** The minimal arguments, without the flags that the invalid ones repeat. */
function without(right: string[], { words }: Wrong): string[] {
  // A flag that names a file replaces the flag that gives the same value as text.
  const flags = words.map((word) => word.split('=')[0]?.replace(/(?<=\w)-file$/, ''))
  return right.filter((word) => !flags.includes(word.split('=')[0]))
}

/** Handles `width` items at a time, because a program mostly waits for the system; returns all errors. */
async function each<T>(
  items: T[],
  width: number,
  act: (item: T) => Promise<void>,
): Promise<string[]> {
  const queue = [...items]
  const problems: string[] = []
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const what = JSON.stringify(item).slice(0, 120)
      await act(item).catch((error: Error) => problems.push(`${what}: ${error.message}`))
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return problems
}

/** How a refusal names a missing value: positional arguments as help shows them, the caller and others by flag. */
function called(flag: string, fields: Operation['fields']): string {
  const [, field] =
    Object.entries(fields).find(([key, { kind }]) => flagOf(key, kind) === flag) ?? []
  // An optional positional argument is named by its flag.
  const isWord = field?.positional && (field.required || field.kind === 'list')
  return isWord && field.kind !== 'self' ? flag.slice(2).toUpperCase() : flag
}

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
