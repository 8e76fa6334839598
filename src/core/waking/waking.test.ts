import { expect, test } from 'bun:test'
import type { SeenAgent, WakeSettings } from '../agents/agent.ts'
import { AGENT_RUN_STATUSES, type AgentRunStatus } from '../requests/agent-run-status.ts'
import { plusSeconds } from '../time.ts'
import { MAIL_TYPES, type MailType } from '../vocabulary.ts'
import type { Wake } from './wake-record.ts'
import {
  budgetLeft,
  inHandsUntil,
  isGivenUp,
  mayStart,
  mustRetryTimer,
  nextAttempt,
  type WakeHistory,
  type WakingMail,
  wakesFor,
} from './waking.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const COMMAND = { command: ['agent'] }

function agent(over: Partial<SeenAgent> = {}): SeenAgent {
  return {
    agent_id: 'worker',
    role: 'builder',
    instance: '',
    parent_agent_id: null,
    paired_person: null,
    source: 'agent',
    declared_status: 'dormant',
    declared_at: '2026-03-01T11:00:00.000Z',
    may_write_to_user: false,
    wake: COMMAND,
    registered_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-01T08:00:00.000Z',
    seen_at: null,
    waiting_until: null,
    leased_until: null,
    turn_at: null,
    ...over,
  }
}

const LEADER = agent({ agent_id: 'lead', role: 'orchestrator' })

const NEVER = { last: null, starts: 0, firstStart: null, tookAt: null }
const HERE = { now: NOW, offsetMinutes: 0 }

function wakers(to: SeenAgent, from: string): MailType[] {
  return MAIL_TYPES.filter((type) => wakesFor(to, { type, from, hops: 0 }, NEVER, HERE).wakes)
}

test('waking types depend on the role, and a person’s mail wakes unless it’s a status', () => {
  expect(wakers(LEADER, 'worker')).toEqual(['task-done', 'review-result', 'question'])
  expect(wakers(agent(), 'lead')).toEqual(['task-assigned', 'review-request', 'question', 'answer'])
  for (const to of [LEADER, agent()]) {
    for (const person of ['user', 'user:ann']) {
      expect(wakers(to, person)).toEqual(MAIL_TYPES.filter((type) => type !== 'status'))
    }
  }
})

test('an agent’s own list applies to all senders, and no list has status', () => {
  const own = agent({ wake: { ...COMMAND, types: ['custom', 'status'] } })
  expect(wakers(own, 'lead')).toEqual(['custom'])
  expect(wakers(own, 'user')).toEqual(['custom'])
})

test('a review decision wakes an agent only while its agent run continues', () => {
  const deaf = agent({ wake: { ...COMMAND, types: ['task-assigned'] } })
  const wakes = (agent_run_status: AgentRunStatus, more: Partial<WakingMail> = {}) => {
    const mail = { type: 'answer', from: 'user', hops: 0, agent_run_id: 'agr_1' } as const
    return wakesFor(deaf, { ...mail, agent_run_status, ...more }, NEVER, HERE).wakes
  }
  expect(AGENT_RUN_STATUSES.filter((status) => wakes(status))).toEqual(['running'])
  expect(wakes('running', { imported_by: 'user' })).toBe(false)
  expect(wakes('running', { hops: 32 })).toBe(false)
})

function why(to: SeenAgent, hops = 0, from = 'lead'): string | true {
  const verdict = wakesFor(to, { type: 'question', from, hops }, NEVER, HERE)
  return verdict.wakes || verdict.why
}

const LATER = plusSeconds(NOW, 60)

test('does not wake an agent that is off, busy, waiting, the sender or without a command, and says why', () => {
  expect(why(agent())).toBe(true)
  expect(why(agent(), 0, 'worker')).toContain('own message')
  expect(why(agent({ declared_status: 'off' }))).toContain('is off')
  expect(why(agent({ wake: {} }))).toContain('no wake command')
  expect(why(agent({ waiting_until: LATER }))).toContain('is waiting')
  expect(why(agent({ declared_status: 'running', declared_at: NOW }))).toContain('is running')
  expect(why(agent({ declared_status: null, leased_until: LATER }))).toContain('is running')
})

test('does not wake an idle agent until its status is out of date', () => {
  const ruling = (over: Partial<SeenAgent>) =>
    wakesFor(agent(over), { type: 'question', from: 'lead', hops: 0 }, NEVER, HERE)
  const at = plusSeconds(NOW, -50)
  const until = plusSeconds(NOW, 850)
  const words = (moment: string) =>
    `it is thought to be there until ${moment}, unless it is declared dormant`
  // A call counts for a minute if the agent has declared no status, or was seen after it was declared dormant.
  const soon = plusSeconds(NOW, 10)
  for (const said of [{}, { declared_status: null, declared_at: null }]) {
    expect(ruling({ ...said, seen_at: at })).toEqual({
      wakes: false,
      again: soon,
      why: `worker is idle, last seen at ${at}; ${words(soon)}`,
    })
  }
  const patient = { ...COMMAND, after_seconds: 300 }
  expect(ruling({ seen_at: at, wake: patient }).again).toBe(plusSeconds(NOW, 250))
  expect(ruling({ seen_at: at, wake: { ...COMMAND, after_seconds: 0 } }).wakes).toBe(true)
  expect(ruling({ declared_status: 'idle', declared_at: at })).toEqual({
    wakes: false,
    again: until,
    why: `worker is idle, declared at ${at}; ${words(until)}`,
  })
  const old = plusSeconds(NOW, -900)
  expect(ruling({ declared_status: 'idle', declared_at: old }).wakes).toBe(true)
  expect(ruling({ seen_at: plusSeconds(NOW, -60) }).wakes).toBe(true)
  expect(ruling({ declared_at: at, seen_at: at }).wakes).toBe(true)
})

test('wakes an agent that declared itself dormant after its lease began', () => {
  expect(why(agent({ leased_until: LATER }))).toBe(true)
  expect(why(agent({ leased_until: LATER, seen_at: NOW }))).toContain('is running')
})

test('checks a running agent again soon, because it may end early without notice', () => {
  const again = (over: Partial<SeenAgent>) =>
    mayStart(
      agent({ declared_status: null, ...over }),
      NEVER,
      { cause: 'mail', newestEvent: 1 },
      { now: NOW, offsetMinutes: 0 },
    ).again
  expect(again({ leased_until: plusSeconds(NOW, 900) })).toBe(plusSeconds(NOW, 30))
  expect(again({ leased_until: plusSeconds(NOW, 5) })).toBe(plusSeconds(NOW, 5))
  expect(again({ waiting_until: plusSeconds(NOW, 60) })).toBe(plusSeconds(NOW, 60))
})

test('does not start an agent that declared itself running and was seen recently', () => {
  const said = { declared_status: 'running', declared_at: plusSeconds(NOW, -2000) } as const
  expect(why(agent({ ...said, seen_at: plusSeconds(NOW, -59) }))).toContain('is running')
  expect(why(agent({ ...said, seen_at: plusSeconds(NOW, -60) }))).toBe(true)
})

test('an agent in a turn counts as running while it makes calls', () => {
  const turn = (over: Partial<SeenAgent>) => why(agent({ declared_status: null, ...over }))
  const ago = (seconds: number) => plusSeconds(NOW, -seconds)
  expect(turn({ turn_at: ago(890) })).toContain('is running')
  expect(turn({ turn_at: ago(9000), seen_at: ago(890) })).toContain('is running')
  expect(turn({ turn_at: ago(9000), seen_at: ago(900) })).toBe(true)
  // An agent that declares itself dormant has left.
  const left = { declared_status: 'dormant', declared_at: ago(10) } as const
  expect(turn({ ...left, turn_at: ago(20), seen_at: ago(10) })).toBe(true)
  expect(turn({ ...left, turn_at: ago(5) })).toContain('is running')
})

test('mail an agent took itself counts as its own while the agent is seen', () => {
  const at = (seconds: number) => plusSeconds(NOW, -seconds)
  const took = (seconds: number, by = 'cli') =>
    ({ presented_at: at(seconds), presented_by: by }) as Parameters<typeof inHandsUntil>[1]
  const until = (over: Partial<SeenAgent>, mail: ReturnType<typeof took>) =>
    inHandsUntil(agent({ declared_status: null, declared_at: null, ...over }), mail, NOW)
  expect(until({}, { presented_at: null, presented_by: null })).toBeNull()
  expect(until({}, took(10))).toBe(plusSeconds(NOW, 890))
  expect(until({ seen_at: at(40) }, took(10))).toBe(plusSeconds(NOW, 890))
  expect(until({ seen_at: at(60) }, took(2000))).toBe(plusSeconds(NOW, 840))
  expect(until({ seen_at: at(900) }, took(2000))).toBeNull()
  expect(until({ seen_at: at(5) }, took(10, 'wake'))).toBeNull()
  // The agent declared itself dormant and was not seen afterward.
  const dormant = { declared_status: 'dormant', declared_at: at(8) } as const
  expect(until({ ...dormant, seen_at: at(8) }, took(10))).toBeNull()
  expect(until({ ...dormant, seen_at: at(5) }, took(10))).toBe(plusSeconds(NOW, 895))
})

test('ignores timestamps ahead of the clock', () => {
  const took = { presented_at: LATER, presented_by: 'cli' } as Parameters<typeof inHandsUntil>[1]
  expect(inHandsUntil(agent(), took, NOW)).toBeNull()
  const taken = { ...took, presented_at: plusSeconds(NOW, -10) }
  expect(inHandsUntil(agent({ seen_at: LATER }), taken, NOW)).toBe(plusSeconds(NOW, 890))
  expect(why(agent({ seen_at: LATER }))).toBe(true)
  const left = { declared_status: 'dormant', declared_at: plusSeconds(NOW, -10) } as const
  expect(why(agent({ ...left, turn_at: LATER, leased_until: LATER }))).toBe(true)
})

test('agents stop waking each other at the hop limit', () => {
  expect(why(agent(), 31)).toBe(true)
  expect(why(agent(), 32)).toContain('limit is 32')
  expect(why(agent({ wake: { ...COMMAND, hop_limit: 2 } }), 2)).toContain('limit is 2')
})

const LAST: Wake = {
  wake_id: 'wak_1',
  agent_id: 'worker',
  state: 'ended',
  cause: 'mail',
  upto_event: 7,
  attempt: 1,
  hops: 0,
  token: 'lse_1',
  started_at: '2026-03-01T11:59:00.000Z',
  expires_at: '2026-03-01T11:59:30.000Z',
  ended_at: NOW,
  exit_code: 0,
  reason: '',
  stderr: '',
}

function start(over: {
  wake?: WakeSettings
  last?: Partial<Wake>
  history?: Partial<WakeHistory>
  cause?: 'mail' | 'timer'
  newestEvent?: number
  now?: string
  offsetMinutes?: number
}) {
  const { cause = 'mail', newestEvent = 7, now = NOW, offsetMinutes = 0 } = over
  const last = over.last === undefined ? null : { ...LAST, ...over.last }
  return mayStart(
    agent({ wake: { ...COMMAND, ...over.wake } }),
    { ...NEVER, last, ...over.history },
    { cause, newestEvent },
    { now, offsetMinutes },
  )
}

test('an agent that took mail itself is not woken for it until it declares itself dormant', () => {
  const took = (seconds: number, over: Partial<SeenAgent> = {}) =>
    mayStart(
      agent({ declared_status: null, declared_at: null, ...over }),
      { ...NEVER, tookAt: plusSeconds(NOW, -seconds) },
      { cause: 'mail', newestEvent: 7 },
      HERE,
    )
  expect(took(119)).toEqual({
    wakes: false,
    again: plusSeconds(NOW, 1),
    why: expect.stringContaining('fetched mail on its own'),
  })
  expect(took(120).wakes).toBe(true)
  const asleep = { declared_status: 'dormant', declared_at: plusSeconds(NOW, -60) } as const
  expect(took(60, asleep).wakes).toBe(true)
  expect(took(59, asleep).wakes).toBe(false)
})

test('starts one wake at a time, and checks again when its time is up', () => {
  expect(start({}).wakes).toBe(true)
  expect(start({ last: {} }).wakes).toBe(true)
  expect(start({ last: { state: 'running', ended_at: null } })).toEqual({
    wakes: false,
    why: expect.stringContaining('wak_1 is running'),
    again: LAST.expires_at,
  })
})

test('respects quiet hours in local time, also across midnight', () => {
  const at = (now: string, quiet: [number, number], offsetMinutes = 0) =>
    start({ now, wake: { quiet }, offsetMinutes }).again
  expect(at('2026-03-01T12:30:00.000Z', [12, 14])).toBe('2026-03-01T14:00:00.000Z')
  expect(at('2026-03-01T14:00:00.000Z', [12, 14])).toBe(null)
  expect(at('2026-03-01T23:10:00.000Z', [22, 7])).toBe('2026-03-02T07:00:00.000Z')
  expect(at('2026-03-02T06:59:59.999Z', [22, 7])).toBe('2026-03-02T07:00:00.000Z')
  expect(at('2026-03-01T21:10:00.000Z', [22, 7], 120)).toBe('2026-03-02T05:00:00.000Z')
  expect(at('2026-03-01T12:30:00.000Z', [12, 12])).toBe(null)
})

test('limits the starts per hour', () => {
  const history = { starts: 30, firstStart: '2026-03-01T11:10:00.000Z' }
  expect(start({ history }).again).toBe('2026-03-01T12:10:00.000Z')
  expect(start({ history, wake: { budget_per_hour: 31 } }).wakes).toBe(true)
  expect(start({ wake: { budget_per_hour: 0 } }).wakes).toBe(false)
  expect(budgetLeft(agent(), history)).toBe(0)
  expect(start({ history }).why).toEndWith('is used up until 2026-03-01T12:10:00.000Z')
  expect(start({ history, wake: { runner: 'pr-1' } }).why).toEndWith('; max_turns gives it more')
})

test('retries a failure after 10 s, 30 s, 2 min, 10 min and 1 h, then only for new mail', () => {
  const pauses = [1, 2, 3, 4, 5].map((attempt) => {
    const { again } = start({ last: { state: 'failed', attempt } })
    return (Date.parse(again ?? '') - Date.parse(NOW)) / 1000
  })
  expect(pauses).toEqual([10, 30, 120, 600, 3600])
  expect(start({ last: { state: 'lost' }, now: plusSeconds(NOW, 10) }).wakes).toBe(true)
  const last = { state: 'failed', attempt: 6 } as const
  expect(start({ last, now: plusSeconds(NOW, 99_999) })).toEqual({
    wakes: false,
    why: expect.stringContaining('only new mail'),
    again: null,
  })
  expect(start({ last, newestEvent: 8 }).wakes).toBe(true)
  expect(start({ last, cause: 'timer' }).wakes).toBe(true)
})

test('retries a failed timer wake before its next time, up to five times', () => {
  const must = (last: Partial<Wake> | null) =>
    mustRetryTimer(agent(), { last: last && { ...LAST, ...last } })
  expect(must(null)).toBe(false)
  expect(must({ cause: 'timer' })).toBe(false)
  expect(must({ cause: 'mail', state: 'failed' })).toBe(false)
  expect(must({ cause: 'timer', state: 'lost', attempt: 5 })).toBe(true)
  expect(must({ cause: 'timer', state: 'failed', attempt: 6 })).toBe(false)
})

test('counts consecutive failed attempts', () => {
  const next = (last: Partial<Wake> | null) =>
    nextAttempt(agent(), { last: last && { ...LAST, ...last } })
  expect(next(null)).toBe(1)
  expect(next({ attempt: 4 })).toBe(1)
  expect(next({ state: 'failed', attempt: 1 })).toBe(2)
  expect(next({ state: 'lost', attempt: 5 })).toBe(6)
  expect(next({ state: 'failed', attempt: 6 })).toBe(1)
})

test('retries a runner’s agent after a second, three attempts in all', () => {
  const run = agent({ agent_id: 'ann@pr', wake: { ...COMMAND, runner: 'pr' } })
  const last = (over: Partial<Wake>) => ({ ...LAST, state: 'failed', ...over }) as Wake
  const start = (over: Partial<Wake>, now = NOW) =>
    mayStart(
      run,
      { ...NEVER, last: last(over) },
      { cause: 'mail', newestEvent: 7 },
      { now, offsetMinutes: 0 },
    )
  for (const attempt of [1, 2]) {
    expect(start({ attempt }).again).toBe(plusSeconds(NOW, 1))
    expect(start({ attempt }, plusSeconds(NOW, 1)).wakes).toBe(true)
    expect(isGivenUp(run, last({ attempt }))).toBe(false)
  }
  expect(start({ attempt: 3 }, plusSeconds(NOW, 999)).why).toContain('for the 3rd time')
  expect(isGivenUp(run, last({ attempt: 3 }))).toBe(true)
  expect(isGivenUp(run, last({ attempt: 3, state: 'ended' }))).toBe(false)
  expect(isGivenUp(agent(), last({ attempt: 3 }))).toBe(false)
  expect(nextAttempt(run, { last: last({ attempt: 3 }) })).toBe(1)
})
