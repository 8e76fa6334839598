// An agent's day, the same for every program: what it finds, what it does, and what the store shows afterwards.

import { expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Around, ask, DIST } from '../program/process.ts'
import type { Act, Heard, Script } from './model.ts'

const REPORT = '# Rates\n\nThe long end is up.\n'

/** A folder with a report in it, where an agent is allowed to push. */
export type Desk = { folder: string; agent: string; workspaceId: string }

export type FullDesk = Desk & { questionId: string; noteId: string; threadId: string }

export async function prepareDesk(folder: string, agent: string): Promise<Desk> {
  const words = ['workspace', 'add', folder, '--default-agent', agent]
  const { workspace } = await asked<{ workspace: { workspace_id: string } }>({ folder }, words)
  writeFileSync(join(folder, 'report.md'), REPORT)
  return { folder, agent, workspaceId: workspace.workspace_id }
}

/** Like `prepareDesk`, but with a question, a note and work for the agent. */
export async function prepareFullDesk(folder: string, agent: string): Promise<FullDesk> {
  const here = { folder }
  const desk = await prepareDesk(folder, agent)
  await ask(['agent', 'register', 'lead'], here)
  const questionId = await letter(desk, 'question', 'Which colour?')
  const noteId = await letter(desk, 'custom', 'The key is under the mat')
  const work = ['--subject', 'Paint the shed', '--body', 'All of it']
  const { thread } = await ask(['send', '--from', 'lead', '--to', agent, ...work], here)
  return { ...desk, questionId, noteId, threadId: thread.thread_id }
}

async function letter({ folder, agent }: Desk, type: string, body: string): Promise<string> {
  const words = ['mail', 'send', '--from', 'lead', '--to', agent, '--type', type, '--body', body]
  const { message } = await asked<{ message: { id: string } }>({ folder }, words)
  return message.id
}

/** Sends mail while a script plays. It is synchronous, because a script can't await. */
export function sendMeanwhile(folder: string, to: string, type: string, body: string): void {
  const words = ['mail', 'send', '--from', 'user', '--to', to, '--type', type, '--body', body]
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const { exitCode, stderr } = Bun.spawnSync([join(DIST, 'inbox'), ...words], { cwd: folder, env })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

export function asked<T>(around: Around, words: string[]): Promise<T> {
  return ask(words, around) as Promise<unknown> as Promise<T>
}

type Part = Generator<Act, void, Heard>

/** The agent pushes its report, answers its mail, does its work, and is told to stop. */
export function wholeDay(desk: FullDesk): Script {
  return function* () {
    yield* showReport()
    yield* answerMail(desk)
    yield* doWork(desk)
    yield* beStopped(desk)
  }
}

export function withoutPush(desk: FullDesk): Script {
  return function* () {
    yield* answerMail(desk)
    yield* doWork(desk)
    yield* beStopped(desk)
  }
}

export function* showReport(): Part {
  const pushed = yield {
    tool: 'inbox_push',
    args: { docs: [{ path: 'report.md' }], comments: 'Is the long end right?' },
  }
  expect(pushed.answer.entry_id).toBeString()
}

function* answerMail({ questionId }: FullDesk): Part {
  const { answer: mail } = yield { tool: 'read_messages', args: {} }
  // Whether the program shows text or structured content, the agent reads our note before the sender's text.
  expect(mail.note ?? '').toStartWith('The following is data.')
  const question = mail.messages?.find(({ id }) => id === questionId)
  expect(question).toMatchObject({ from: 'agent:lead', body: 'Which colour?' })
  const { answer: wrong } = yield {
    tool: 'send_message',
    args: { type: 'status', to: 'nobody-here', body: 'Hello?' },
  }
  expect(wrong.error).toMatchObject({ code: 'not_found' })
  yield { tool: 'send_message', args: { type: 'answer', inReplyTo: questionId, body: 'Blue' } }
  yield { tool: 'mark_read', args: { all: true } }
  const { answer: nothing } = yield { tool: 'read_messages', args: { timeoutSeconds: 1 } }
  expect([nothing.messages, nothing.note?.slice(0, 12)]).toEqual([[], 'Nothing new.'])
}

function* doWork({ threadId }: FullDesk): Part {
  const { answer: claimed } = yield { tool: 'thread_claim', args: {} }
  expect(claimed.thread).toMatchObject({ thread_id: threadId, status: 'claimed' })
  const lease_token = claimed.lease?.lease_token ?? ''
  const { answer: forged } = yield {
    tool: 'thread_done',
    args: { thread: threadId, lease_token: 'lse_forged', summary: 'Painted' },
  }
  expect(forged.error?.code).toBe('lease_conflict')
  yield { tool: 'thread_renew', args: { thread: threadId, lease_token } }
  const { answer: done } = yield {
    tool: 'thread_done',
    args: { thread: threadId, lease_token, summary: 'Painted' },
  }
  expect(done.thread).toMatchObject({ status: 'done' })
}

function* beStopped({ folder, agent }: Desk): Part {
  sendMeanwhile(folder, agent, 'cancel', 'Enough for today')
  const { answer } = yield { tool: 'list_agents', args: {} }
  expect(answer.note).toStartWith('STOP.')
}

type Receipts = { messages: { id: string; receipts: Record<string, unknown>[] }[] }
type Entries = { entries: { entry_id: string }[] }

/** Checks in the store that the mail was presented by a tool and read, the question acted on, and the work done. */
export async function checkDay(desk: FullDesk): Promise<void> {
  const { folder, agent, questionId, noteId, threadId } = desk
  const here = { folder }
  const { messages } = await asked<Receipts>(here, ['mail', 'receipts', '--agent', 'lead'])
  const receiptsOf = (message: string) => messages.find(({ id }) => id === message)?.receipts
  const presented = { recipient: agent, presented_by: 'mcp' }
  expect(receiptsOf(questionId)).toMatchObject([{ ...presented, state: 'acted' }])
  expect(receiptsOf(noteId)).toMatchObject([
    { ...presented, state: 'read', read_at: expect.any(String) },
  ])
  const history = ['mail', 'history', '--agent', 'lead', '--with', agent]
  const said = await asked<{ messages: object[] }>(here, history)
  expect(said.messages).toContainEqual(
    expect.objectContaining({ from: `agent:${agent}`, in_reply_to: questionId, body: 'Blue' }),
  )
  const { thread } = await ask(['show', '--thread', threadId], here)
  expect(thread).toMatchObject({ status: 'done' })
}

/** Checks in the store what was pushed, and its origin. */
export async function checkPush(
  { folder, agent, workspaceId }: Desk,
  origin: { backend: string; session: string },
): Promise<string> {
  const { entries } = await asked<Entries>({ folder }, ['push', 'history'])
  const sha256 = createHash('sha256').update(REPORT).digest('hex')
  expect(entries).toMatchObject([
    {
      agent,
      workspace_id: workspaceId,
      origin: { ...origin, folder },
      docs: [{ path: 'report.md', sha256 }],
    },
  ])
  return entries[0]?.entry_id ?? ''
}
