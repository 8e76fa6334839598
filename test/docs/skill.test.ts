// Runs every command of the skill as an agent would: one worker and one leader, real processes.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { untilAsleep } from '../tools/asleep.ts'
import { expectBrief, type Given, openSkill } from './skill.ts'

type Answer = Record<string, unknown> & {
  ok: boolean
  thread: { thread_id: string; status: string }
  lease: { lease_token: string }
  message: { kind: string; summary: string }
  next_event_id: number
}

const { text, folder, unused, take, start, run } = openSkill<Answer>('skills/inbox/SKILL.md')

test('the commands of the skill work in order', async () => {
  writeFileSync(join(folder, 'brief.md'), 'Five routes, as the table says.\n')
  writeFileSync(join(folder, 'result.md'), 'All five.\n')
  await run('inbox init --json')

  // The leader watches from the beginning; the worker's question wakes it.
  const watch = start(take('watch --agent lead'))
  await untilAsleep(watch.child)
  const sent = await run(take('send'))
  const fetched = await run(take('fetch'))
  expect(fetched.threads).toMatchObject([{ thread_id: sent.thread.thread_id, claimable: true }])
  const claimed = await run(take('claim'))
  const given: Given = { THREAD: claimed.thread.thread_id, TOKEN: claimed.lease.lease_token }
  expect(given.THREAD).toBe(sent.thread.thread_id)
  expect(await run(take('renew'), given)).toMatchObject({
    lease: { lease_token: given.TOKEN as string },
  })
  expect((await run(take('update'), given)).thread.status).toBe('in_progress')

  const asked = await run(take('update'), given)
  expect(asked.thread.status).toBe('blocked')
  expect(await watch.answer).toMatchObject({ woke: true, threads: [{ status: 'blocked' }] })
  const wait = start(take('wait-reply'), { ...given, EVENT: asked.next_event_id })
  await untilAsleep(wait.child)
  expect(await run(take('show'), given)).toMatchObject({ thread: { status: 'blocked' } })
  const reply = await run(take('reply'), given)
  expect(reply.thread.status).toBe('in_progress')
  const answer = await wait.answer
  expect(answer).toMatchObject({ woke: true, message: { kind: 'answer' } })
  expect(answer.message.summary).toBe(reply.message.summary)
  expect((await run(take('done'), given)).thread.status).toBe('done')
})

test('a worker without work waits for the next thread and misses none', async () => {
  const idle = start('inbox claim --agent backend --json', {}, 10)
  const { next_event_id: EVENT } = await idle.answer
  const wait = start(take('watch --agent backend'), { EVENT })
  await untilAsleep(wait.child)
  const { thread } = await run('inbox send --from lead --to backend --subject More --json')
  expect(await wait.answer).toMatchObject({ woke: true, threads: [thread] })
  const claimed = await run('inbox claim --agent backend --json')
  expect(claimed.thread.thread_id).toBe(thread.thread_id)
  await run(`inbox done --agent backend --thread ${thread.thread_id} --summary Done --json`)
})

test('the commands that fail and cancel work run too', async () => {
  const send = 'inbox send --from lead --to backend --subject Other --json'
  const claim = 'inbox claim --agent backend --json'
  await run(send)
  const first = await run(claim)
  const lost = { THREAD: first.thread.thread_id, TOKEN: first.lease.lease_token }
  expect((await run(take('fail'), lost)).thread.status).toBe('failed')
  const second = await run(send)
  const dropped = await run(take('cancel'), { THREAD: second.thread.thread_id })
  expect(dropped.thread.status).toBe('cancelled')
})

test('every command of the skill has been run', () => {
  expect(unused).toEqual([])
})

test('the skill describes its purpose and is short', () => {
  expectBrief(text, 'inbox')
})
