// Every command of the skill, as an agent would run it: one worker and one leader, real processes.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilAsleep } from '../tools/asleep.ts'
import { blocks, ROOT, read } from './documents.ts'

const SKILL = read('skills/inbox/SKILL.md')
const folder = mkdtempSync(join(tmpdir(), 'mailroom-skill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unused = blocks(SKILL, 'sh').join('').trim().split('\n')

/** Takes the next command of the skill that begins so; each is used once. */
function take(beginning: string): string {
  const at = unused.findIndex((line) => line.startsWith(`inbox ${beginning} `))
  if (at < 0) throw new Error(`the skill has no further command 'inbox ${beginning}'`)
  return unused.splice(at, 1)[0] as string
}

type Answer = Record<string, unknown> & {
  ok: boolean
  thread: { thread_id: string; status: string }
  lease: { token: string }
  message: { kind: string; summary: string }
  next_event_id: number
}

type Given = { THREAD?: string; TOKEN?: string; EVENT?: number }

function start(line: string, given: Given = {}) {
  const command = line.replace(/\b(THREAD|TOKEN|EVENT)\b/g, (word) =>
    String(given[word as keyof Given]),
  )
  const child = Bun.spawn(['/bin/sh', '-c', `exec ${command}`], {
    cwd: folder,
    env: { PATH: `${join(ROOT, 'dist')}:${process.env.PATH}`, INBOX_DB: join(folder, 'coord.db') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const answer = Promise.all([new Response(child.stdout).text(), child.exited]).then(
    ([out, code]) => {
      expect(`${command} -> ${code}`).toBe(`${command} -> 0`)
      return JSON.parse(out) as Answer
    },
  )
  return { child, answer }
}

function run(line: string, given: Given = {}): Promise<Answer> {
  return start(line, given).answer
}

test('the flow of the skill runs command by command', async () => {
  writeFileSync(join(folder, 'brief.md'), 'Five routes, as the table says.\n')
  writeFileSync(join(folder, 'result.md'), 'All five.\n')
  await run('inbox init --json')

  // The leader watches before anything happens; it is woken by the worker's question.
  const watch = start(take('watch'))
  await untilAsleep(watch.child)
  const sent = await run(take('send'))
  const fetched = await run(take('fetch'))
  expect(fetched.threads).toMatchObject([{ thread_id: sent.thread.thread_id, claimable: true }])
  const claimed = await run(take('claim'))
  const given: Given = { THREAD: claimed.thread.thread_id, TOKEN: claimed.lease.token }
  expect(given.THREAD).toBe(sent.thread.thread_id)
  expect(await run(take('renew'), given)).toMatchObject({ lease: { token: given.TOKEN as string } })
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

test('the ways a thread ends badly run too', async () => {
  const send = 'inbox send --from lead --to backend --subject Other --json'
  const claim = 'inbox claim --agent backend --json'
  await run(send)
  const first = await run(claim)
  const lost = { THREAD: first.thread.thread_id, TOKEN: first.lease.token }
  expect((await run(take('fail'), lost)).thread.status).toBe('failed')
  const second = await run(send)
  const dropped = await run(take('cancel'), { THREAD: second.thread.thread_id })
  expect(dropped.thread.status).toBe('cancelled')
})

test('no command of the skill is left unproven', () => {
  expect(unused).toEqual([])
})

test('the skill says what it is for and stays short', () => {
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(SKILL) ?? []
  expect(front).toMatch(/^name: inbox$/m)
  expect(front).toMatch(/^description: .{80,1024}$/m)
  // It is read into every agent's context: a page, not a manual.
  expect(SKILL.split(/\s+/).length).toBeLessThan(900)
})
