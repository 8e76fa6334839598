// Decisions, the state they lead to, and the log read back must all agree.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { LoggedEvent, ThreadEvent } from '../event.ts'
import * as commands from '../threads/commands.ts'
import { evolve, readMarkOf, type ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import { plusSeconds } from '../time.ts'
import { differences, emptyReplay, replayEvent } from './replay.ts'

const WORDS = { summary: 'So', body: '', payload_json: '{}', artifacts: [] }
const DAWN = '2026-03-01T08:00:00.000Z'
const QUESTION = { message_id: 'msg_question', from_agent: 'worker' }
const HOLDER = { agent: 'worker', token: undefined, everHeld: true }

function stamp(n: number): commands.Stamp {
  return { now: plusSeconds(DAWN, n), messageId: `msg_${n}`, artifactIds: [] }
}

const OPENING = commands.open(
  {
    thread_id: 'thr_1',
    run_id: '',
    task_id: '',
    from: 'lead',
    to: 'worker',
    kind: 'task',
    subject: 'Build it',
    priority: 'normal',
    words: WORDS,
  },
  stamp(0),
)

type Act = (state: ThreadState, at: commands.Stamp) => ThreadEvent | null

const ACTS: Record<string, Act> = {
  claim: (state, at) =>
    commands.claim(
      state,
      {
        agent: 'worker',
        lease_token: at.messageId,
        lease_seconds: 60,
        handed: [OPENING.message.message_id],
      },
      at,
    ),
  renew: (state, at) =>
    commands.renew(state, { holder: HOLDER, lease_seconds: 60, silent: true }, at),
  start: (state, at) =>
    commands.update(state, { holder: HOLDER, status: 'in_progress', words: WORDS }, at),
  block: (state, at) =>
    commands.update(state, { holder: HOLDER, status: 'blocked', words: WORDS }, at),
  answer: (state, at) =>
    commands.append(
      state,
      { from: 'lead', to: undefined, kind: 'answer', words: WORDS, answers: QUESTION },
      at,
      'reply',
    ),
  note: (state, at) =>
    commands.append(
      state,
      { from: 'lead', to: 'bob', kind: 'control', words: WORDS, answers: null },
      at,
      'append',
    ),
  done: (state, at) => commands.finish(state, { holder: HOLDER, as: 'done', words: WORDS }, at),
  fail: (state, at) => commands.finish(state, { holder: HOLDER, as: 'fail', words: WORDS }, at),
  cancel: (state, at) => commands.cancel(state, { agent: 'lead', words: WORDS }, at),
  lapse: (state, at) => commands.lapse(state, at.now),
  read: (state, at) =>
    commands.markRead(state, { agent: 'lead', message_id: 'msg_0', seq: 1 }, at.now),
}

/** Runs the acts that are allowed; returns the state and the log as it would be stored. */
function live(names: string[]) {
  let state = evolve(null, OPENING)
  const log: { event: LoggedEvent; message: Message | null }[] = []
  const note = (event: ThreadEvent, status: ThreadState['thread']['status']) => {
    const { type, ...facts } = event.facts
    log.push({
      event: {
        event_id: log.length + 1,
        thread_id: 'thr_1',
        run_id: '',
        task_id: '',
        source: 'inbox',
        event_type: type,
        agent: event.agent,
        status,
        message_id: event.message?.message_id ?? null,
        summary: event.summary,
        payload_json: JSON.stringify(facts),
        created_at: event.at,
      },
      message: event.message,
    })
  }
  note(OPENING, 'pending')
  for (const [i, name] of names.entries()) {
    // 25-second steps, so that a one-minute lease is sometimes live and sometimes not.
    const at = stamp((i + 1) * 25)
    let event: ThreadEvent | null = null
    try {
      event = ACTS[name]?.(state, at) ?? null
    } catch (error) {
      if ((error as Error).name !== 'Refusal') throw error
    }
    if (event === null) continue
    state = evolve(state, event)
    note(event, state.thread.status)
  }
  return { state, log }
}

const walk = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 1, maxLength: 25 })

test('replaying a log gives the state the decisions led to', () => {
  fc.assert(
    fc.property(walk, (names) => {
      const { state, log } = live(names)
      const replayed = emptyReplay()
      for (const { event, message } of log) replayEvent(replayed, event, message)
      expect(replayed.problems).toEqual([])
      expect(replayed.threads.get('thr_1')).toEqual(state)
      const spoken = log.flatMap(({ message }) => (message ? [message.message_id] : []))
      expect([...replayed.messages]).toEqual(spoken)
    }),
  )
})

test('thread, messages and lease agree after any sequence of events', () => {
  fc.assert(
    fc.property(walk, (names) => {
      const { state, log } = live(names)
      const { thread, lease } = state
      const messages = log.flatMap(({ message }) => message ?? [])
      expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, i) => i + 1))
      expect(thread.message_count).toBe(messages.length)
      expect(thread.latest_message_id).toBe(messages.at(-1)?.message_id as string)
      const isHeld = ['claimed', 'in_progress', 'blocked'].includes(thread.status)
      expect(lease !== null && lease.released_at === null).toBe(isHeld)
      const changes = log.filter(({ event }) => /claim|lapse/.test(event.event_type))
      expect(lease?.generation ?? 0).toBe(changes.length)
    }),
  )
})

test('detects a log that was tampered with', () => {
  const { log } = live(['claim', 'start', 'done'])
  const problemsOf = (entries: typeof log) => {
    const replayed = emptyReplay()
    for (const { event, message } of entries) replayEvent(replayed, event, message)
    return replayed.problems
  }
  expect(problemsOf(log)).toEqual([])
  expect(problemsOf(log.slice(1))).toHaveLength(3)
  const [first, claimed, started, done] = log as [(typeof log)[0], ...typeof log]
  expect(problemsOf([first, ...log.slice(2)])[0]).toContain('not legal on a pending thread')
  const lying = { ...claimed, event: { ...claimed?.event, status: 'done' } } as typeof first
  expect(problemsOf([first, lying])).toEqual(['event 2: says done, but the log leads to claimed'])
  const silent = { ...started, message: null } as typeof first
  expect(problemsOf([first, claimed as typeof first, silent])[0]).toContain('msg_50 is missing')
  expect(problemsOf([...log, done as typeof first])[0]).toContain('not legal on a done thread')
})

test('only the same finish with the same token counts as a repeat', () => {
  const { state } = live(['claim', 'done'])
  expect(commands.isSameFinish(state, 'done', 'msg_25')).toBe(true)
  expect(commands.isSameFinish(state, 'fail', 'msg_25')).toBe(false)
  expect(commands.isSameFinish(state, 'done', 'msg_0')).toBe(false)
  expect(commands.isSameFinish(state, 'done', undefined)).toBe(false)
})

test('only a read makes a read mark, and it does not change the thread', () => {
  const state = evolve(null, OPENING)
  const event = commands.markRead(state, { agent: 'bob', message_id: 'msg_0', seq: 1 }, DAWN)
  expect(readMarkOf(event)).toEqual({
    thread_id: 'thr_1',
    agent_id: 'bob',
    last_read_message_id: 'msg_0',
    last_read_seq: 1,
    last_read_at: DAWN,
  })
  expect(readMarkOf(OPENING)).toBeNull()
  expect(evolve(state, event).thread).toBe(state.thread)
})

test('lists the fields that differ, including those on one side only', () => {
  expect(differences({ a: 1, b: 2 }, { a: 1, b: 2 })).toEqual([])
  expect(differences({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual(['b'])
  expect(differences<object>({ a: 1 }, { a: 1, c: null })).toEqual(['c'])
})
