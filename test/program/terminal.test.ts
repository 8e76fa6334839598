// Ten everyday commands as a terminal of 60 and of 120 columns shows them, compared with docs/transcripts/terminal.txt.
// MAILROOM_WRITE=1 rewrites the transcript; read it before you commit it.

import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { shortId } from '../../src/core/short-id.ts'
import { connect } from '../../src/index.ts'
import { ask, folders, onScreen, ROOT, run, shown } from './process.ts'

const folder = folders()
const TRANSCRIPT = join(ROOT, 'docs/transcripts/terminal.txt')

/** The date on which the test runs. */
const DAY = /^\d{4}-\d\d-\d\d$/m

const COMMANDS = [
  [],
  ['list'],
  ['show', 'k3f9p2'],
  ['desk', 'list'],
  ['agent', 'list'],
  ['mail', 'history'],
  ['push', 'history'],
  ['request', 'list'],
  ['reply', 'k3f9p2', 'Blue, like the logo'],
  ['done', 'k3f9p2', 'Written, with tests', '--agent=worker'],
]

/** Its events all happened five minutes ago by the store's own clock, so that times are the same in every run. */
async function scene() {
  const here = folder()
  mkdirSync(join(here, '.agents'))
  const db = join(here, '.agents/coord.db')
  await (await connect(db)).init({})
  const then = new Date(Date.now() - 330_000).toISOString()
  const raw = new DatabaseSync(db)
  raw.prepare("insert into settings (name, value) values ('clock', ?)").run(then)
  raw.close()
  const inbox = await connect(db)
  for (const agent of ['lead', 'worker', 'docs']) await inbox.agentRegister({ agent })
  const agent = 'worker'
  const subject = 'Write the login page, with a form for people who forgot their password'
  const { thread } = await inbox.send({ from: 'user', to: agent, subject })
  const { thread_id } = thread
  await inbox.claim({ agent, thread: thread_id })
  await inbox.update({
    agent,
    thread: thread_id,
    status: 'blocked',
    summary: 'Which colour should the button have?',
  })
  const routes = await inbox.send({ from: 'lead', to: 'docs', subject: 'Describe every route' })
  const mail = await inbox.mailSend({
    from: 'lead',
    to: agent,
    body: 'Rebase before you go on, please',
  })
  const push = await inbox.push({
    agent: 'docs',
    comments: 'The first half of the reference is there',
  })
  const asked = await inbox.requestCreate({
    agent,
    type: 'deploy',
    title: 'Deploy version 2 to the test server',
  })
  await inbox.close()
  const looking = await connect(db)
  const { messages } = await looking.show({ thread: thread_id })
  const history = await looking.mailHistory({ limit: 50 })
  await looking.close()
  const ids: Record<string, string> = {
    k3f9p2: shortId(thread_id),
    p8d4wm: shortId(routes.thread.thread_id),
    m7x2qa: shortId(mail.message?.id ?? ''),
    '3f2a9c1e': shortId(push.entry_id),
    r4t8zw: shortId(asked.request_id),
    ...Object.fromEntries(history.messages.map(({ id }, i) => [`mail0${i}`, shortId(id)])),
    ...Object.fromEntries(messages.map(({ message_id }, i) => [`mess0${i}`, shortId(message_id)])),
  }
  return { here, ids }
}

async function transcript(): Promise<string> {
  const parts: string[] = []
  for (const columns of [60, 120]) {
    const { here, ids } = await scene()
    parts.push(`On a terminal of ${columns} columns\n`)
    for (const command of COMMANDS) {
      const words = command.map((word) => ids[word] ?? word)
      let text = await shown(words, { folder: here, env: { NO_COLOR: '1' }, columns })
      for (const [sign, id] of Object.entries(ids)) text = text.replaceAll(id, sign)
      const typed = command.map((word) => (word.includes(' ') ? `"${word}"` : word))
      parts.push(
        `$ ${['inbox', ...typed].join(' ')}\n${text.replaceAll(here, '/home/you').replace(DAY, '2026-03-01')}`,
      )
    }
  }
  return parts.join('\n')
}

test('ten everyday commands print what the transcript has, at 60 and at 120 columns', async () => {
  const text = await transcript()
  if (process.env.MAILROOM_WRITE === '1') writeFileSync(TRANSCRIPT, text)
  expect(text).toBe(await Bun.file(TRANSCRIPT).text())
  const [narrow = ''] = text.split('On a terminal of 120')
  for (const line of narrow.split('\n').filter((one) => !one.startsWith('$'))) {
    expect([...line].length).toBeLessThanOrEqual(60)
  }
})

test('a refusal has short ids and relative times at a terminal, and full ones without one', async () => {
  const here = folder()
  const { thread } = await ask(['send', '--from=lead', '--to=worker', '--subject=A'], {
    folder: here,
  })
  const { thread_id: id } = thread
  await ask(['claim', id, '--agent=worker'], { folder: here })
  const claim = ['claim', id, '--agent=docs']
  const screen = onScreen(claim, { folder: here, columns: 100 })
  expect(await screen.exited).toBe(20)
  expect(screen.text()).toMatch(
    new RegExp(`^inbox: thread ${shortId(id)} is held by worker for another 1[45] min\r\n$`),
  )
  const { err } = await run(claim, { folder: here })
  expect(err).toMatch(new RegExp(`^inbox: thread ${id} is held by worker until \\S+Z\\n$`))
})

test('mail at a terminal shows the command that answers each question', async () => {
  const { here, ids } = await scene()
  const text = await shown(['mail', 'read'], { folder: here, env: { NO_COLOR: '1' }, columns: 80 })
  expect(text).toContain(
    `│ Which colour should the button have?\n  inbox reply ${ids.mail04} "…"\n`,
  )
  expect(text).toContain(`│ Deploy version 2 to the test server\n  inbox approve ${ids.r4t8zw}\n`)
  expect(text.match(/^ {2}inbox /gm)).toHaveLength(2)
})
