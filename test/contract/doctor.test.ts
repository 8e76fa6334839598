// Doctor reads the log a few threads at a time. Here, every part of it exceeds a page, and so does one thread.

import { expect } from 'bun:test'
import type { Mailroom } from '../../src/bin/compose.ts'
import { append, open } from '../../src/core/threads/commands.ts'
import type { Client } from '../../src/index.ts'
import { contract } from './engines.ts'

const MANY = 1100
const words = { summary: 'Build it', body: '', payload_json: '{}', artifacts: [] }

contract('replays a log of many pages completely and finds every difference', async (place) => {
  const mailroom = await place.open()
  const inbox = await place.connect()
  await inbox.agentRegister({ agent: 'ann' })
  await declareOften(mailroom)
  const ids = await openMany(mailroom)
  await talkLong(mailroom, ids[500] as string)
  const [{ n }] = (await place.sql('select count(*) as n from events')) as [{ n: number }]
  expect(Number(n)).toBeGreaterThan(3 * MANY)
  expect(await logOf(inbox)).toBe(`${n} events replayed; the tables agree`)

  const [middle, late, last] = [ids[500], ids[900], ids.at(-1)] as [string, string, string]
  await place.sql(`update threads set subject = 'x' where thread_id in (?, ?)`, middle, last)
  await place.sql(`update deliveries set state = 'read' where thread_id = ?`, late)
  // A thread that sorts after the last one in the log.
  await place.sql(
    `insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status, created_at, updated_at)
       select 'zzz', '', '', subject, created_by, assigned_to, status, created_at, updated_at
       from threads where thread_id = ?`,
    late,
  )
  await place.sql(`delete from deliveries where thread_id = ?`, ids[300] as string)
  expect((await logOf(inbox)).split('; ').sort()).toEqual(
    [
      `thread ${middle} differs from the log in subject`,
      `thread ${last} differs from the log in subject`,
      expect.stringMatching(/^delivery of msg_\w+ to ann differs from the log in state$/),
      'thread zzz differs from the log in everything',
      `${MANY + 1} threads stored, ${MANY} in the log`,
      `${MANY - 1 + MANY} deliveries stored, ${MANY + MANY} in the log`,
    ].sort(),
  )
})

/** Returns the ids, in order. */
async function openMany({ store, makeId }: Mailroom): Promise<string[]> {
  const ids = Array.from({ length: MANY }, (_, i) => `thr_${String(i).padStart(4, '0')}`)
  const common = { run_id: '', task_id: '', from: 'lead', to: 'ann', subject: 'Build it', words }
  await store.write(async (tx) => {
    const now = await tx.now()
    for (const thread_id of ids) {
      const sending = { ...common, thread_id, kind: 'task', priority: 'normal' } as const
      tx.record(null, open(sending, { now, messageId: makeId('message'), artifactIds: [] }))
    }
    return {}
  })
  return ids
}

async function talkLong({ store, makeId }: Mailroom, threadId: string): Promise<void> {
  await store.write(async (tx) => {
    const locked = await tx.lock(threadId)
    if (locked === null) throw new Error('no thread')
    let { state } = locked
    for (let i = 0; i < MANY; i++) {
      const saying = { from: 'lead', to: 'ann', kind: 'progress', words, answers: null } as const
      const at = { now: locked.now, messageId: makeId('message'), artifactIds: [] }
      state = tx.record(state, append(state, saying, at, 'append'))
    }
    return {}
  })
}

async function declareOften({ store }: Mailroom): Promise<void> {
  await store.write(async (tx) => {
    const facts = { type: 'agent_declare', agent_id: 'ann', status: 'idle' } as const
    const at = await tx.now()
    for (let i = 0; i < MANY; i++) tx.recordStoreEvent({ agent: 'ann', at, summary: '', facts })
    return {}
  })
}

async function logOf(inbox: Client): Promise<string> {
  const { findings } = await inbox.doctor({})
  return findings.find(({ check }) => check === 'log')?.detail ?? ''
}
