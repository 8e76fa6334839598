// Runs the example at the top of each command's help, unchanged, in a store where a team is at work. The ids in the
// examples stand for those of this store.

import { describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { shortId } from '../../src/core/short-id.ts'
import { operations } from '../../src/doors/cli/listing.ts'
import { connect } from '../../src/index.ts'
import { begin, obey, speak } from '../worlds/instances.ts'
import { folders, run } from './process.ts'

const folder = folders()
const STORE = '.agents/coord.db'
const ops = await operations()

/** These run until they are stopped, so other tests cover what they do. */
const LASTS = ['serve', 'wake run']
/** Calls that return empty, and valid calls that are refused because of the state of the store. */
const EXITS: Record<string, number> = {
  'push watch': 10,
  'request ask': 10,
  'request wait': 10,
  'request retry': 30,
  'undo-decision': 30,
  'request verify': 30,
  uninstall: 40,
  open: 40,
  resubmit: 30,
}

const REVIEW = `agents:
  reviewer:
    backend: command
    command: [cat]
kickoff: "@reviewer please look"
`

/** Stops runners that an example has left in the background. */
const AFTERWARDS: Record<string, string[]> = {
  'workflow start': ['workflow', 'stop', '@default'],
  'workflow new': ['workflow', 'stop', 'helper'],
}

/** Commands that return once a runner has obeyed them; the test plays the runner. */
const OBEYED = ['workflow stop']

/** Set up once. Each example gets a fresh copy of the folder at the same path, which the store contains. */
let made: ReturnType<typeof makeScene> | undefined

async function scene(name: string) {
  // Starts over, because the runner played by the test must not have been silent since the first example.
  if (OBEYED.includes(name)) made = undefined
  made ??= makeScene()
  const { here, kept, ids } = await made
  rmSync(here, { recursive: true })
  execFileSync('cp', ['-a', kept, here])
  if (name.endsWith('create')) rmSync(join(here, '.workflow/pr-123/findings/auth.md'))
  return { here, ids }
}

async function makeScene() {
  const here = folder()
  writeFileSync(join(here, 'report.md'), '# Report\n')
  mkdirSync(join(here, '.agents'))
  const db = join(here, STORE)
  const inbox = await connect(db)
  const { workspace } = await inbox.workspaceAdd({ path: here, label: 'Team' })
  for (const agent of ['lead', 'worker']) await inbox.agentRegister({ agent })
  const agent = 'worker'
  const held = await inbox.send({ from: 'lead', to: agent, subject: 'Write the login page' })
  const thread = held.thread.thread_id
  await inbox.claim({ agent, thread })
  await inbox.update({ agent, thread, status: 'blocked', summary: 'Which colour?' })
  await inbox.reply({ from: 'lead', thread, summary: 'Blue' })
  const pending = await inbox.send({ from: 'lead', to: agent, subject: 'Write the tests' })
  const mail = await inbox.mailSend({ from: 'lead', to: agent, body: 'Rebase first' })
  const push = await inbox.push({ agent, docs: ['report.md'], workspace: workspace.workspace_id })
  const payload = JSON.stringify({ version: 2 })
  const asked = await inbox.requestCreate({ agent, type: 'deploy', title: 'Deploy', payload })
  const reviewed = await inbox.requestReview({
    agent,
    review: 'one',
    title: 'Layout',
    body: 'Two columns.',
  })
  const { issued } = await inbox.tokenIssue({ name: agent })
  await inbox.close()
  const room = await openMailroom(db)
  const dir = join(here, '.workflow/pr-123')
  mkdirSync(join(dir, 'findings'), { recursive: true, mode: 0o700 })
  for (const notes of [here, dir]) writeFileSync(join(notes, 'notes.md'), '# Notes\n')
  writeFileSync(join(dir, 'findings/auth.md'), '# Login\n')
  await begin(room, { instance: 'pr-123', dir })
  await speak(room, 'user', '@coder please begin', { instance: 'pr-123' })
  await room.close()
  writeFileSync(join(here, 'review.yaml'), REVIEW)
  mkdirSync(join(here, 'bin'))
  writeFileSync(join(here, 'bin/claude'), '#!/bin/sh\n', { mode: 0o755 })
  const other = await connect(join(here, 'elsewhere.db'))
  await other.send({ from: 'lead', to: agent, subject: 'Elsewhere' })
  await other.close()
  await run(['export', '--out', 'log.jsonl', '--db', 'elsewhere.db'], { folder: here })
  const ids: Record<string, string> = {
    k3f9p2: shortId(thread),
    p8d4wm: shortId(pending.thread.thread_id),
    m7x2qa: shortId(mail.message?.id ?? ''),
    '3f2a9c1e': shortId(push.entry_id),
    r4t8zw: shortId(asked.request_id),
    'r4t8zw:1': `${asked.request_id}:1`,
    a9c3kf: shortId(reviewed.agent_run_id),
    w5n1bd: shortId(workspace.workspace_id),
    t2e6ks: issued.token_id,
  }
  const kept = join(folder(), 'kept')
  execFileSync('cp', ['-a', here, kept])
  return { here, kept, ids }
}

/** The arguments of an example, as a shell splits them. */
function wordsOf(example: string): string[] {
  const words = example.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
}

test('every listed command has an example', () => {
  expect(ops.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
})

describe.each(ops.filter(({ name }) => !LASTS.includes(name)))(
  'inbox $name',
  ({ name, example = name }) => {
    test('the example runs', async () => {
      const { here, ids } = await scene(name)
      const words = wordsOf(example).map((word) => ids[word] ?? word)
      const env = { INBOX_AGENT: 'user', PATH: `${join(here, 'bin')}:${process.env.PATH}` }
      const room = OBEYED.includes(name) ? await openMailroom(join(here, STORE)) : undefined
      const [{ code, err, out }] = await Promise.all([
        run(words, { folder: here, env, stdin: '' }),
        room && obey(room, 'pr-123'),
      ])
      await room?.close()
      expect({ words, code, said: err + out }).toEqual({
        words,
        code: EXITS[name] ?? 0,
        said: err + out,
      })
      const after = AFTERWARDS[name]
      if (after !== undefined) expect((await run(after, { folder: here, env })).code).toBe(0)
      // A call that can't be made in this state is refused for that reason, not for its arguments.
      if (code === 30) expect(err).not.toMatch(/is missing|is not a|unexpected|needs a value/)
    })
  },
)
