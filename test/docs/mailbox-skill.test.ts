// Runs every command of the mailbox skill as its agents would: a builder, an orchestrator and a reviewer.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { untilAsleep } from '../tools/asleep.ts'
import { expectBrief, openSkill } from './skill.ts'

type Mail = { id: string; type: string; from: string; subject: string; state: string }
type Answer = Record<string, unknown> & {
  message: Mail
  messages: (Mail & { receipts: { recipient: string; state: string }[] })[]
  recipients: string[]
  agent: { status: string }
  unread: number
  marked: number
  next_event_id: number
}

const { text, folder, unused, take, start, run, exitOf } =
  openSkill<Answer>('skills/mailbox/SKILL.md')

test('the commands of the skill work in order', async () => {
  writeFileSync(join(folder, 'brief.md'), 'Plain HTML, no framework.\n')
  writeFileSync(join(folder, 'result.md'), 'All of it, with tests.\n')
  expect((await run(take('agent register'))).agent.status).toBe('running')
  const orchestrator = 'inbox agent register orchestrator --status running --json'
  await run(orchestrator)
  const reviewer = 'inbox agent register rita --role reviewer --status running --json'
  await run(reviewer)

  // A task for the builder, who reads it at the start of a turn and marks it as read.
  const send = () => take('mail send --from orchestrator')
  const assigned = await run(send())
  expect(assigned.recipients).toEqual(['builder'])
  const read = await run(take('mail read'))
  expect(read.messages).toMatchObject([{ id: assigned.message.id, type: 'task-assigned' }])
  expect(read.unread).toBe(1)
  const receipts = take('mail receipts')
  const presented = await run(receipts, { MESSAGE: assigned.message.id })
  expect(presented.messages[0]?.receipts).toMatchObject([
    { recipient: 'builder', state: 'presented' },
  ])
  const marked = await run(take('mail mark-read'), { MESSAGE: assigned.message.id })
  expect(marked).toMatchObject({ marked: 1, unread: 0 })

  // A question; the builder sleeps until the answer arrives.
  const asked = await run(take('mail send --from builder'))
  const waiting = start(take('mail read'))
  await untilAsleep(waiting.child)
  const answered = await run(send(), { MESSAGE: asked.message.id })
  const woken = await waiting.answer
  expect(woken.messages).toMatchObject([{ id: answered.message.id }])
  const acted = await run(receipts.replace('--agent orchestrator', '--agent builder'), {
    MESSAGE: asked.message.id,
  })
  expect(acted.messages[0]?.receipts).toMatchObject([{ state: 'acted' }])
  const upto = { EVENT: woken.next_event_id }
  expect((await run(take('mail mark-read'), upto)).unread).toBe(0)

  // A result, a review, the end of the turn.
  const done = await run(take('mail send --from builder'))
  expect(done.recipients).toEqual(['orchestrator'])
  expect((await run(send())).recipients).toEqual(['rita'])
  expect((await run(take('mail send --from reviewer'))).recipients).toEqual(['orchestrator'])
  expect((await run(take('agent status'))).agent.status).toBe('dormant')
})

test('every command of the skill has been run', () => {
  expect(unused).toEqual([])
})

test('the behavior the skill describes is correct', async () => {
  const sending =
    'inbox mail send --from builder --to orchestrator --type status --body Hello --json'
  const dry = await run(sending.replace('--json', '--dry-run --json'))
  expect(dry).toMatchObject({ message: null, recipients: ['orchestrator'] })
  expect(await exitOf(sending.replace('orchestrator', 'user'))).toBe(40)
  expect(await exitOf('inbox mail read --agent nobody --json')).toBe(10)

  const stop = await run(
    'inbox mail send --from orchestrator --to rita --type cancel --body Stop --json',
  )
  const id = stop.message.id
  expect((await run('inbox list --agent rita --json')).stop).toMatchObject({ id })
  await run(`inbox mail mark-read --agent rita --message ${id} --json`)
  expect((await run('inbox list --agent rita --json')).stop).toBeUndefined()
})

test('the skill describes its purpose and is short', () => {
  expectBrief(text, 'mailbox')
})
