// A refusal quotes what was given, and errors outside the store are reported as they are.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { folders, INBOX, run, start } from './process.ts'

const folder = folders()

test('a bad name from the environment is blamed on the environment', async () => {
  const around = { folder: folder(), env: { INBOX_AGENT: 'no name' } }
  const ran = await run(['claim'], around)
  expect(ran.code).toBe(30)
  expect(ran.err).toStartWith('inbox: INBOX_AGENT "no name" is not a name')
  const given = await run(['claim', '--agent', 'no name either'], around)
  expect(given.err).toStartWith('inbox: --agent "no name either" is not a name')
})

test.each([
  [['install', 'nonsense'], 'CLIENT "nonsense" is not one of claude, codex'],
  [
    ['install'],
    "CLIENT is missing: the program, one of claude, codex, cursor, gemini, opencode; see 'inbox install --help'",
  ],
  [['install', '--client=nonsense'], '--client "nonsense" is not one of'],
  [
    ['show'],
    "THREAD is missing: say which thread, by id, such as thr_01k9…; see 'inbox show --help'",
  ],
  [['push', 'read', ''], 'ENTRY is empty'],
  [['agent', 'status', 'no name'], 'AGENT "no name" is not a name'],
  [['agent', 'status', '--agent=no name'], '--agent "no name" is not a name'],
  [['agent', 'status'], '--agent is missing: name the agent, or say who you are with --agent'],
  [
    ['send', 'worker', 'Go'],
    '--from is missing: say who you are with --from or INBOX_AGENT; a person writes --from user',
  ],
  [['login'], `"login" is not a command; did you mean 'inbox sign-in'?`],
  [['start'], `"start" is not a command; did you mean 'inbox serve'?`],
  [['tasks'], `"tasks" is not a command; did you mean 'inbox list'?`],
  [['new'], `"new" is not a command; did you mean 'inbox send NAME "what to do"'?`],
  [['ps'], `"ps" is not a command; did you mean 'inbox agent list'?`],
  [
    ['agent', 'add', 'x'],
    `"agent add" is not a command; did you mean 'inbox agent register NAME'?`,
  ],
  [
    ['agent', 'remove'],
    `"agent remove" is not a command; did you mean 'inbox agent status NAME --status off'?`,
  ],
  [['mail', 'list'], `"mail list" is not a command; did you mean 'inbox mail peek'?`],
  [['mail', 'reply', 'x'], `"mail reply" is not a command; did you mean 'inbox reply ID "text"'?`],
  [['push', 'list'], `"push list" is not a command; did you mean 'inbox push history'?`],
  [
    ['agent', 'register', 'w', '--wake-command', 'claude -p x'],
    '--wake-command is not JSON: "claude -p x"; write it as a list: ["claude","-p","x"]',
  ],
  [['mail', 'history', 'thr_1'], 'unexpected "thr_1"; did you mean --thread thr_1?'],
  [
    ['update', '--agent=a', '--thread=thr_1'],
    '--status is missing: the new status, one of in_progress',
  ],
  [['push', 'histroy'], `"push histroy" is not a command; did you mean 'inbox push history'?`],
  [['install', 'claude-code'], 'CLIENT "claude-code" is not one of claude, codex, cursor, gemini'],
  [['list', 'pending'], 'unexpected "pending"; did you mean --status pending?'],
  [['serve', '8080'], 'unexpected "8080"; this command takes only flags, which --help lists'],
  [['help', 'send', 'mail'], `"send mail" is not a command; did you mean 'inbox help mail send'?`],
  [['help', 'foo'], `"foo" is not a command; see 'inbox help'`],
  [['run', 'a b.yaml'], `"run" is not a command; did you mean 'inbox workflow run 'a b.yaml''?`],
  [['flow.yml'], `"flow.yml" is not a command; did you mean 'inbox workflow run flow.yml'?`],
  [['dashboard'], `"dashboard" is not a command; did you mean 'inbox status'?`],
  [['push', 'help'], `"push help" is not a command; see 'inbox push --help'`],
])(
  '%p is refused with its arguments named as they were given, and creates no store',
  async (args, says) => {
    const around = { folder: folder() }
    const ran = await run(args, around)
    expect({ code: ran.code, out: ran.out, left: readdirSync(around.folder) }).toEqual({
      code: 30,
      out: '',
      left: [],
    })
    expect(ran.err).toStartWith(`inbox: ${says}`)
  },
)

test('pushing a document outside of every workspace explains how to add one', async () => {
  const around = { folder: folder() }
  await Bun.write(join(around.folder, 'plan.md'), '# Plan')
  for (const more of [[], ['--agent=ann']]) {
    const ran = await run(['push', 'plan.md', ...more], around)
    expect(ran).toMatchObject({ code: 30, err: expect.stringContaining("'inbox workspace add'") })
  }
})

test('an existing file is not taken for a typo, and one named like a command is pushed as ./NAME or with --doc', async () => {
  const around = { folder: folder() }
  for (const name of ['readme', 'read']) await Bun.write(join(around.folder, name), 'Text')
  expect(await run(['workspace', 'add', '.'], around)).toMatchObject({ code: 0 })
  const shown = async (...words: string[]) => {
    const { entry_id } = JSON.parse((await run(['push', ...words, '--json'], around)).out)
    const { entry } = JSON.parse((await run(['push', 'show', entry_id, '--json'], around)).out)
    return entry.docs.map(({ path }: { path: string }) => path)
  }
  expect(await shown('readme')).toEqual(['readme'])
  expect(await shown('./read')).toEqual(['read'])
  expect(await shown('--doc', 'read')).toEqual(['read'])
  expect(await run(['push', 'read'], around)).toMatchObject({
    code: 30,
    err: expect.stringContaining('ENTRY is missing'),
  })
})

test('the word help works for a group of commands', async () => {
  const ran = await run(['mail', 'help'], { folder: folder() })
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('mail mark-read') })
})

test('an artifact is named by its flag', async () => {
  const ran = await run(['send', '--from=a', '--to=b', '--subject=s', '--artifact='], {
    folder: folder(),
  })
  expect(ran.code).toBe(30)
  expect(ran.err).toStartWith('inbox: --artifact is empty')
})

test.each([
  [['version', 'extra'], '"extra" is unexpected'],
  [['completion', 'bash', 'extra'], '"extra" is unexpected'],
])('%p is refused', async (args, says) => {
  const ran = await run(args, { folder: folder() })
  expect({ code: ran.code, out: ran.out }).toEqual({ code: 30, out: '' })
  expect(ran.err).toContain(says)
})

test.each([
  [[['--version'], ['-v'], ['-V'], ['version']], /^\d+\.\d+\.\d+\n$/],
  [
    [
      ['completion', '--help'],
      ['help', 'completion'],
    ],
    /~\/\.zshrc/,
  ],
])('%p print the same', async (calls, says) => {
  const around = { folder: folder() }
  for (const call of calls) {
    const said = { code: 0, err: '', out: expect.stringMatching(says) }
    expect(await run(call, around)).toEqual(said)
  }
})

test('with --json and no command, the refusal is JSON', async () => {
  const ran = await run(['--json'], { folder: folder() })
  expect(ran.code).toBe(30)
  expect(JSON.parse(ran.out)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('an answer that cannot be written is reported, though the command has succeeded', async () => {
  const around = { folder: folder() }
  const full = [
    '/bin/sh',
    '-c',
    '"$0" "$@" > /dev/full',
    join(import.meta.dirname, '../../dist/inbox'),
  ]
  const ran = await run(['send', '--from=a', '--to=b', '--subject=s'], { ...around, program: full })
  expect(ran.code).toBe(50)
  expect(ran.err).toContain('the command succeeded, but its answer could not be written (ENOSPC)')
  const { threads } = JSON.parse((await run(['list', '--json'], around)).out)
  expect(threads).toHaveLength(1)
})

test('a folder is refused as the file of an export', async () => {
  const around = { folder: folder() }
  mkdirSync(join(around.folder, 'out'))
  const ran = await run(['export', '--out=out'], around)
  expect(ran.code).toBe(30)
  expect(ran.err).toMatch(/"out"/)
  expect(ran.err).not.toContain('went wrong inside')
})

test('when three backups use one name, one succeeds, private and complete, and two are refused', async () => {
  const around = { folder: folder() }
  await run(['send', '--from=a', '--to=b', '--subject=s'], around)
  const backups = [0, 1, 2].map(() => start(['backup', 'copy.db'], around))
  const codes = await Promise.all(backups.map((backup) => backup.exited))
  expect(codes.sort()).toEqual([0, 30, 30])
  expect(statSync(join(around.folder, 'copy.db')).mode & 0o777).toBe(0o600)
  expect(readdirSync(around.folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
  const doctor = await run(['doctor', '--db=copy.db'], around)
  expect({ code: doctor.code, healthy: doctor.out.endsWith('healthy\n') }).toEqual({
    code: 0,
    healthy: true,
  })
})

test('a cancel by a third agent goes to the worker', async () => {
  const around = { folder: folder() }
  const sent = await run(['send', '--from=lead', '--to=worker', '--subject=s', '--json'], around)
  const { thread_id } = JSON.parse(sent.out).thread
  const ran = await run(['cancel', '--agent=other', `--thread=${thread_id}`, '--json'], around)
  expect(JSON.parse(ran.out).message.to_agent).toBe('worker')
})

test('with too low a limit on open files, the shell says so', async () => {
  const around = { folder: folder() }
  expect((await run(['send', '--from=a', '--to=b', '--subject=Go'], around)).code).toBe(0)
  const codes = new Set<number>()
  for (const files of [5, 6, 7, 8, 9, 10, 12]) {
    const program = ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`, INBOX]
    const { code, err } = await run(['list'], { ...around, program })
    codes.add(code)
    if (code !== 0) expect(err).toContain('(ulimit -n)')
  }
  expect([...codes].sort()).toEqual([0, 50])
})
