// Runs every command of the skill for pushes as its agent would.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectBrief, openSkill } from './skill.ts'

type Answer = Record<string, unknown> & {
  entry_id: string
  message: { message_id: string; body: string } | null
  entries: { entry_id: string; replies: number; docs: { path: string }[] }[]
}

const { text, folder, unused, take, start, run } = openSkill<Answer>('skills/inbox-push/SKILL.md')

test('the commands of the skill work in order', async () => {
  writeFileSync(join(folder, 'report.md'), '# Rates\n')
  await run('inbox workspace add . --json')
  const done = await run(take('push'))
  const asked = await run(take('push'))
  const THREAD = asked.entry_id
  const waiting = start(take('wait-reply').replace('ENTRY', 'THREAD'), { THREAD })
  await run('inbox push reply THREAD --comments Ten --json', { THREAD })
  const { message } = await waiting.answer
  expect(message?.body).toBe('Ten')
  await run(take('mail send'), { MESSAGE: String(message?.message_id) })
  const { entries } = await run(take('push'))
  expect(entries).toMatchObject([
    { entry_id: THREAD, replies: 2, docs: [] },
    { entry_id: done.entry_id, replies: 0, docs: [{ path: 'report.md' }] },
  ])
  expect(unused).toEqual([])
})

test('the skill is brief', () => expectBrief(text, 'inbox-push'))
