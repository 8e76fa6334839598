import { expect, test } from 'bun:test'
import { plusSeconds } from '../time.ts'
import { personId, type SeenAgent, standingOf } from './agent.ts'

const NOW = '2026-03-01T08:00:00.000Z'
const SOON = plusSeconds(NOW, 60)
const LATELY = plusSeconds(NOW, -60)
const JUST_NOW = plusSeconds(NOW, -59)
const WAKE = { command: ['run-ann'] }
const LONG_AGO = plusSeconds(NOW, -900)

function agent(fields: Partial<SeenAgent>): SeenAgent {
  return {
    agent_id: 'ann',
    role: '',
    instance: '',
    parent_agent_id: null,
    paired_person: null,
    source: 'agent',
    declared_status: null,
    declared_at: null,
    may_write_to_user: false,
    wake: {},
    registered_at: LONG_AGO,
    updated_at: LONG_AGO,
    seen_at: null,
    waiting_until: null,
    leased_until: null,
    turn_at: null,
    ...fields,
  }
}

const CASES: [string, Partial<SeenAgent>, string][] = [
  ['nothing known', {}, 'dormant by nothing'],
  ['seen recently', { seen_at: LATELY }, 'idle by seen'],
  ['seen recently, and can be woken', { seen_at: LATELY, wake: WAKE }, 'dormant by seen'],
  ['seen just now, and can be woken', { seen_at: JUST_NOW, wake: WAKE }, 'idle by seen'],
  [
    'seen recently, and is left alone for longer',
    { seen_at: LATELY, wake: { ...WAKE, after_seconds: 61 } },
    'idle by seen',
  ],
  ['in a turn', { turn_at: LATELY, wake: WAKE }, 'running by turn'],
  ['in a turn, and silent for a long time', { turn_at: LONG_AGO }, 'dormant by nothing'],
  [
    'in a turn, and declared dormant since',
    { turn_at: LONG_AGO, declared_status: 'dormant', declared_at: LATELY },
    'dormant by declared',
  ],
  ['seen long ago', { seen_at: LONG_AGO }, 'dormant by seen'],
  ['holds a lease', { leased_until: SOON }, 'running by lease'],
  ['its lease is over', { leased_until: NOW }, 'dormant by nothing'],
  ['waits', { waiting_until: SOON, seen_at: LATELY }, 'running by waiting'],
  ['waited', { waiting_until: LATELY, seen_at: LATELY }, 'idle by seen'],
  ['declared recently', { declared_status: 'running', declared_at: LATELY }, 'running by declared'],
  [
    'declared long ago',
    { declared_status: 'running', declared_at: LONG_AGO },
    'dormant by nothing',
  ],
  [
    'declared long ago and seen since',
    { declared_status: 'running', declared_at: LONG_AGO, seen_at: LATELY },
    'running by seen',
  ],
  [
    'declared dormant and seen since',
    { declared_status: 'dormant', declared_at: LONG_AGO, seen_at: LATELY },
    'idle by seen',
  ],
  [
    'declared running recently and seen since',
    { declared_status: 'running', declared_at: LATELY, seen_at: plusSeconds(LATELY, 1) },
    'running by seen',
  ],
  [
    'seen and then declared dormant',
    { declared_status: 'dormant', declared_at: LATELY, seen_at: LATELY },
    'dormant by declared',
  ],
  [
    'declared dormant, seen since, but not recently',
    { declared_status: 'dormant', declared_at: plusSeconds(LONG_AGO, -60), seen_at: LONG_AGO },
    'dormant by declared',
  ],
  [
    'declared off and seen since',
    { declared_status: 'off', declared_at: LONG_AGO, seen_at: LATELY },
    'off by declared',
  ],
  [
    'declared dormant and waiting',
    { declared_status: 'dormant', declared_at: LATELY, waiting_until: SOON },
    'running by waiting',
  ],
  ['seen ahead of the clock', { seen_at: SOON }, 'dormant by nothing'],
  ['in a turn that began ahead of the clock', { turn_at: SOON }, 'dormant by nothing'],
  [
    'in a turn that began ahead of the clock, and seen',
    { turn_at: SOON, seen_at: LATELY },
    'running by turn',
  ],
  ['declared ahead', { declared_status: 'running', declared_at: SOON }, 'dormant by nothing'],
  [
    'declared dormant ahead',
    { declared_status: 'dormant', declared_at: SOON },
    'dormant by declared',
  ],
  [
    'declared dormant ahead, and seen',
    { declared_status: 'dormant', declared_at: SOON, seen_at: LATELY },
    'idle by seen',
  ],
  [
    'declared dormant, and seen ahead',
    { declared_status: 'dormant', declared_at: LATELY, seen_at: SOON },
    'dormant by declared',
  ],
  [
    'declared off, with a lease',
    { declared_status: 'off', declared_at: LONG_AGO, leased_until: SOON },
    'off by declared',
  ],
]

test.each(CASES)('%s', (_, fields, want) => {
  const { status, by } = standingOf(agent(fields), NOW)
  expect(`${status} by ${by}`).toBe(want)
})

test('reads the name of a person, and rejects names of anyone else', () => {
  expect(['user', 'ann', 'user:ann', 'user:user'].map(personId)).toEqual([
    'user',
    'user:ann',
    'user:ann',
    'user',
  ])
  for (const word of ['system', 'broadcast', 'orchestrator', 'a b', 'user:', 'user:a@b', '']) {
    expect(personId(word)).toBeUndefined()
  }
})
