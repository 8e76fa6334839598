// The program under its second name. Checks its output at 60 and 120 columns against docs/transcripts/agent-worker.txt
// (MAILROOM_WRITE=1 rewrites the file), and that each name prints commands in its own form.

import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openMailroom } from '../../src/bin/compose.ts'
import { shortId } from '../../src/core/short-id.ts'
import { RUNNER_LEASE } from '../../src/core/workflows/instance.ts'
import { HELD_INSTANCES } from '../../src/core/workflows/instance-record.ts'
import { connect } from '../../src/index.ts'
import { endInstance } from '../../src/workflows/instance-life.ts'
import { begin, speak } from '../worlds/instances.ts'
import { DIST, folders, onScreen, ROOT, run } from './process.ts'

const folder = folders()
const TRANSCRIPT = join(ROOT, 'docs/transcripts/agent-worker.txt')
const program = [join(DIST, 'agent-worker')]

const COMMANDS = [
  [],
  ['list', '--all'],
  ['peek', '--to', '@pr-123'],
  ['peek', '--to', 'helper'],
  ['send', 'Look at the tests too', '--to', 'reviewer@pr-123'],
  ['send', 'Go on'],
  ['context', 'peek', '--agent', 'coder@pr-123', '--limit', '1'],
  ['context', 'team', '--agent', 'coder@pr-123'],
  ['stop'],
  ['stop', 'coder@pr-123'],
  ['stop', '@pr-9'],
  ['peek', '--to', '@pr-7'],
  ['sotp'],
  ['mail', 'read'],
]

/** A workflow and a standalone agent, five minutes old by the store's own clock, and a run that has ended. */
async function scene() {
  const here = folder()
  mkdirSync(join(here, '.agents'))
  const db = join(here, '.agents/coord.db')
  await (await connect(db)).init({})
  const raw = new DatabaseSync(db)
  const then = new Date(Date.now() - 330_000).toISOString()
  raw.prepare("insert into settings (name, value) values ('clock', ?)").run(then)
  raw.close()
  const room = await openMailroom(db)
  const { store } = room
  const { token } = await begin(room, { instance: 'pr-9' })
  await endInstance(store, { instance: 'pr-9', token }, 'no_kickoff')
  await begin(room, { instance: 'pr-123' })
  const members = [{ name: 'helper', agent_id: 'helper', backend: 'claude', model: '' }]
  const alone = { instance: 'helper', workflow: 'helper', source: '', standalone: true, members }
  const none = {
    provider: 'none',
    dir: '',
    channel_file: '',
    document: '',
    documents: [] as string[],
  } as const
  await begin(room, { ...alone, ...none })
  const first = '@reviewer please review these changes.\nWhere there are issues, @coder fixes them.'
  const asked = await speak(room, 'user', first, { instance: 'pr-123' })
  const found = await speak(
    room,
    'reviewer@pr-123',
    '@coder the login takes any password (line 42)',
    { instance: 'pr-123' },
  )
  const started = await store.entries({ thread: asked.thread_id, limit: 1, after: 0 })
  // A real runner would renew its lease. This lease lasts as long as the test.
  const far = '2099-01-01T00:00:00.000Z'
  for (const instance of ['pr-123', 'helper']) {
    await store.write(async (tx) => {
      const held = await tx.lockRow(HELD_INSTANCES, instance)
      if (held !== null) tx.keep(RUNNER_LEASE, { ...held, expires_at: far })
      return {}
    })
  }
  await room.close()
  const ids = {
    e1start: shortId(started[0]?.message_id ?? ''),
    e2asked: shortId(asked.entry.id),
    e3found: shortId(found.entry.id),
  }
  return { here, ids }
}

/** The id of an entry that the commands of the transcript add. */
const NEW_ID = /(?<= {2})[0-9a-z]{6}$/gm

async function transcript(): Promise<string> {
  const parts: string[] = []
  for (const columns of [60, 120]) {
    const { here, ids } = await scene()
    parts.push(`On a terminal of ${columns} columns\n`)
    for (const command of COMMANDS) {
      const screen = onScreen(command, { folder: here, env: { NO_COLOR: '1' }, columns, program })
      const code = await screen.exited
      let text = screen.text().replaceAll('\r\n', '\n')
      for (const [sign, id] of Object.entries(ids)) text = text.replaceAll(id, sign.slice(0, 6))
      const known = Object.keys(ids).map((sign) => sign.slice(0, 6))
      text = text.replaceAll(NEW_ID, (id) => (known.includes(id) ? id : 'e4sent'))
      const typed = command.map((word) => (word.includes(' ') ? `"${word}"` : word))
      const exit = code === 0 ? '' : `[exit ${code}]\n`
      parts.push(`$ ${['agent-worker', ...typed].join(' ')}\n${text}${exit}`)
    }
  }
  return parts.join('\n')
}

test('its commands print what the transcript has, at 60 and at 120 columns', async () => {
  const text = await transcript()
  if (process.env.MAILROOM_WRITE === '1') writeFileSync(TRANSCRIPT, text)
  expect(text).toBe(await Bun.file(TRANSCRIPT).text())
  const [narrow = ''] = text.split('On a terminal of 120')
  // A refusal is one line, which the terminal wraps.
  const lines = narrow.split('\n').filter((one) => !/^(\$|agent-worker:)/.test(one))
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(60)
})

test('without arguments, it prints its help until something runs', async () => {
  const here = folder()
  const help = await run(['help'], { folder: here, program })
  expect(await run([], { folder: here, program })).toEqual(help)
  expect((await run(['init'], { folder: here })).code).toBe(0)
  expect(await run([], { folder: here, program })).toEqual(help)
  const room = await openMailroom(join(here, '.agents/coord.db'))
  await begin(room)
  await room.close()
  const { out } = await run([], { folder: here, program })
  expect(out).toStartWith('NAME ')
  expect((await run(['ls'], { folder: here, program })).out).toBe(out)
  expect((await run(['workflow', 'ls'], { folder: here })).out).toBe(out)
})

test.each([
  [['stop'], "nothing runs; start a workflow with '$ start FILE'"],
  [['stop', '@none'], `there is no instance "none"; see '$ list'`],
  [['send'], "MESSAGE is missing: what to say; see '$ send --help'"],
  [['lsit'], "did you mean '$ list'?"],
  [['frob'], "see '$ --help'"],
  [['context', 'frob'], "see '$ context --help'"],
  [['logs'], "did you mean '$ peek'?"],
  [['tell', 'coder'], `did you mean '$ send "text"'?`],
  [['list', '--al'], '"--al" is not a flag of this command; did you mean --all?'],
  [['list', '--colour'], "see '$ list --help'"],
])('%o is refused with the name of the program that was called', async (words, says) => {
  const here = folder()
  const short = await run(words, { folder: here, program })
  expect(short.err).toStartWith('agent-worker: ')
  expect(short.err).toContain(says.replace('$', 'agent-worker'))
  const long = await run(['workflow', ...words], { folder: here })
  expect(long.err).toStartWith('inbox: ')
  expect(long.err).toContain(says.replace('$', 'inbox workflow'))
  expect(long.code).toBe(short.code)
})

test('bash completes its commands at every depth', async () => {
  const completed = async (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const script = `eval "$(agent-worker completion bash)"
      COMP_WORDS=(agent-worker ${typed}); COMP_CWORD=${words.length}; _agent_worker
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { PATH: `${DIST}:${process.env.PATH}` }
    const shell = { folder: folder(), env, program: ['bash', '--norc', '-c', script] }
    return (await run([], shell)).out.split('\n').filter(Boolean)
  }
  expect(await completed('sto')).toEqual(['stop'])
  expect(await completed('cont')).toEqual(['context'])
  expect(await completed('context', 'inb')).toEqual(['inbox', 'inbox-peek'])
  expect(await completed('context', 'read', '--lim')).toEqual(['--limit'])
  expect(await completed('stop', '--al')).toEqual(['--all'])
  expect(await completed('mai')).toEqual([])
})
