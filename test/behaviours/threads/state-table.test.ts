// The effect of every operation on a thread in every state, by each actor: the resulting status or the refusal. The
// table is complete, and the tests below only check it.

import { expect } from 'bun:test'
import type { Code } from '../../../src/index.ts'
import { loadAll } from '../../../src/ops/catalogue.ts'
import { behaves } from '../../worlds/behaves.ts'
import { Refused } from '../../worlds/refused.ts'
import { task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

/**
 * The actor that last held the thread (or still holds it), one that held it before that, and one that never held it.
 */
const ACTORS = ['last', 'earlier', 'never'] as const
type Actor = (typeof ACTORS)[number]

const STATUSES = ['pending', 'claimed', 'in_progress', 'blocked', 'done', 'failed', 'cancelled']
/** A status, or a held status whose lease has lapsed but hasn't been swept. */
type Standing = keyof typeof TABLE
type Outcome = string

const OPERATIONS = {
  claim: (world, agent, thread) => world.inbox.claim({ agent, thread }),
  renew: (world, agent, thread) => world.inbox.renew({ agent, thread }),
  start: (world, agent, thread) =>
    world.inbox.update({ agent, thread, status: 'in_progress', summary: 'Working' }),
  block: (world, agent, thread) =>
    world.inbox.update({ agent, thread, status: 'blocked', summary: 'Which?' }),
  append: (world, from, thread) => world.inbox.send({ from, thread, summary: 'More' }),
  answer: (world, from, thread) => world.inbox.reply({ from, thread, summary: 'PEG' }),
  question: (world, from, thread) =>
    world.inbox.reply({ from, thread, kind: 'question', summary: 'Why?' }),
  done: (world, agent, thread) => world.inbox.done({ agent, thread, summary: 'Built' }),
  fail: (world, agent, thread) => world.inbox.fail({ agent, thread, summary: 'No' }),
  cancel: (world, agent, thread) => world.inbox.cancel({ agent, thread }),
  read: (world, agent, thread) => world.inbox.show({ agent, thread, mark_read: true }),
  sweep: (world) => world.inbox.sweep({ limit: 1000 }),
  prune: (world) => world.inbox.prune({ older_than_days: 0, include_unread: true }),
} satisfies Record<string, (world: World, agent: string, thread: string) => Promise<object>>

type Op = keyof typeof OPERATIONS
type Cells = Record<Op, readonly [Outcome, Outcome, Outcome]>

const REFUSE_20 = 'lease_conflict' satisfies Code
const REFUSE_30 = 'invalid_state' satisfies Code

function byAnyone(outcome: Outcome): [Outcome, Outcome, Outcome] {
  return [outcome, outcome, outcome]
}

const TABLE = {
  pending: {
    //         last          earlier      never
    claim: ['claimed', 'claimed', 'claimed'],
    renew: [REFUSE_20, REFUSE_20, REFUSE_30],
    start: [REFUSE_20, REFUSE_20, REFUSE_30],
    block: [REFUSE_20, REFUSE_20, REFUSE_30],
    append: byAnyone('pending'),
    answer: byAnyone('pending'),
    question: byAnyone('pending'),
    done: [REFUSE_20, REFUSE_20, REFUSE_30],
    fail: [REFUSE_20, REFUSE_20, REFUSE_30],
    cancel: byAnyone('cancelled'),
    read: byAnyone('pending'),
    sweep: byAnyone('pending'),
    prune: byAnyone('pending'),
  },
  claimed: {
    claim: byAnyone(REFUSE_20),
    renew: ['claimed', REFUSE_20, REFUSE_20],
    start: ['in_progress', REFUSE_20, REFUSE_20],
    block: ['blocked', REFUSE_20, REFUSE_20],
    append: byAnyone('claimed'),
    answer: byAnyone('claimed'),
    question: byAnyone('claimed'),
    done: ['done', REFUSE_20, REFUSE_20],
    fail: ['failed', REFUSE_20, REFUSE_20],
    cancel: byAnyone('cancelled'),
    read: byAnyone('claimed'),
    sweep: byAnyone('claimed'),
    prune: byAnyone('claimed'),
  },
  in_progress: {
    claim: byAnyone(REFUSE_20),
    renew: ['in_progress', REFUSE_20, REFUSE_20],
    start: ['in_progress', REFUSE_20, REFUSE_20],
    block: ['blocked', REFUSE_20, REFUSE_20],
    append: byAnyone('in_progress'),
    answer: byAnyone('in_progress'),
    question: byAnyone('in_progress'),
    done: ['done', REFUSE_20, REFUSE_20],
    fail: ['failed', REFUSE_20, REFUSE_20],
    cancel: byAnyone('cancelled'),
    read: byAnyone('in_progress'),
    sweep: byAnyone('in_progress'),
    prune: byAnyone('in_progress'),
  },
  blocked: {
    claim: byAnyone(REFUSE_20),
    renew: ['blocked', REFUSE_20, REFUSE_20],
    start: ['in_progress', REFUSE_20, REFUSE_20],
    block: ['blocked', REFUSE_20, REFUSE_20],
    append: byAnyone('blocked'),
    // The holder asked, so its own message isn't an answer.
    answer: ['blocked', 'in_progress', 'in_progress'],
    question: byAnyone('blocked'),
    done: ['done', REFUSE_20, REFUSE_20],
    fail: ['failed', REFUSE_20, REFUSE_20],
    cancel: byAnyone('cancelled'),
    read: byAnyone('blocked'),
    sweep: byAnyone('blocked'),
    prune: byAnyone('blocked'),
  },
  'claimed, lapsed': {
    claim: byAnyone('claimed'),
    renew: [REFUSE_20, REFUSE_20, REFUSE_30],
    start: [REFUSE_20, REFUSE_20, REFUSE_30],
    block: [REFUSE_20, REFUSE_20, REFUSE_30],
    append: byAnyone('claimed'),
    answer: byAnyone('claimed'),
    question: byAnyone('claimed'),
    done: [REFUSE_20, REFUSE_20, REFUSE_30],
    fail: [REFUSE_20, REFUSE_20, REFUSE_30],
    cancel: byAnyone('cancelled'),
    read: byAnyone('claimed'),
    sweep: byAnyone('pending'),
    prune: byAnyone('claimed'),
  },
  'in_progress, lapsed': {
    claim: byAnyone('claimed'),
    renew: [REFUSE_20, REFUSE_20, REFUSE_30],
    start: [REFUSE_20, REFUSE_20, REFUSE_30],
    block: [REFUSE_20, REFUSE_20, REFUSE_30],
    append: byAnyone('in_progress'),
    answer: byAnyone('in_progress'),
    question: byAnyone('in_progress'),
    done: [REFUSE_20, REFUSE_20, REFUSE_30],
    fail: [REFUSE_20, REFUSE_20, REFUSE_30],
    cancel: byAnyone('cancelled'),
    read: byAnyone('in_progress'),
    sweep: byAnyone('pending'),
    prune: byAnyone('in_progress'),
  },
  'blocked, lapsed': {
    claim: byAnyone('claimed'),
    renew: [REFUSE_20, REFUSE_20, REFUSE_30],
    start: [REFUSE_20, REFUSE_20, REFUSE_30],
    block: [REFUSE_20, REFUSE_20, REFUSE_30],
    append: byAnyone('blocked'),
    // The holder asked, so its own message isn't an answer.
    answer: ['blocked', 'in_progress', 'in_progress'],
    question: byAnyone('blocked'),
    done: [REFUSE_20, REFUSE_20, REFUSE_30],
    fail: [REFUSE_20, REFUSE_20, REFUSE_30],
    cancel: byAnyone('cancelled'),
    read: byAnyone('blocked'),
    sweep: byAnyone('pending'),
    prune: byAnyone('blocked'),
  },
  done: finished('done'),
  failed: finished('failed'),
  cancelled: finished('cancelled'),
} satisfies Record<string, Cells>

/** A finished thread never changes, whoever calls. It can be read, and eventually pruned. */
function finished(status: Outcome): Cells {
  return {
    claim: byAnyone(REFUSE_30),
    renew: byAnyone(REFUSE_30),
    start: byAnyone(REFUSE_30),
    block: byAnyone(REFUSE_30),
    append: byAnyone(REFUSE_30),
    answer: byAnyone(REFUSE_30),
    question: byAnyone(REFUSE_30),
    done: byAnyone(REFUSE_30),
    fail: byAnyone(REFUSE_30),
    cancel: byAnyone(REFUSE_30),
    read: byAnyone(status),
    sweep: byAnyone(status),
    prune: byAnyone('gone'),
  }
}

behaves('state/total', async () => {
  const standings = Object.keys(TABLE)
  const held = ['claimed', 'in_progress', 'blocked']
  expect(standings.sort()).toEqual([...STATUSES, ...held.map((one) => `${one}, lapsed`)].sort())
  for (const cells of Object.values(TABLE)) {
    expect(Object.keys(cells).sort()).toEqual(Object.keys(OPERATIONS).sort())
    for (const outcomes of Object.values(cells)) expect(outcomes).toHaveLength(ACTORS.length)
  }
  // Every operation that changes a thread is in the table, under its own name or under these.
  const called: Record<string, Op[]> = {
    update: ['start', 'block'],
    reply: ['answer', 'question'],
    send: ['append'],
  }
  for (const { name, set, takesKey } of await loadAll()) {
    if (set !== 'threads' || !takesKey) continue
    for (const op of called[name] ?? [name]) expect(Object.keys(OPERATIONS)).toContain(op)
  }
})

behaves('state/pending', (world) => proveRow(world, 'pending'))
behaves('state/claimed', (world) => proveRow(world, 'claimed'))
behaves('state/in_progress', (world) => proveRow(world, 'in_progress'))
behaves('state/blocked', (world) => proveRow(world, 'blocked'))
behaves('state/lapsed', async (world) => {
  await proveRow(world, 'claimed, lapsed')
  await proveRow(world, 'in_progress, lapsed')
  await proveRow(world, 'blocked, lapsed')
})
behaves('state/done', (world) => proveRow(world, 'done'))
behaves('state/failed', (world) => proveRow(world, 'failed'))
behaves('state/cancelled', (world) => proveRow(world, 'cancelled'))

async function proveRow(world: World, standing: Standing): Promise<void> {
  const cells: Cells = TABLE[standing]
  const seen: Record<string, Outcome[]> = {}
  for (const op of Object.keys(OPERATIONS) as Op[]) {
    seen[op] = []
    for (const actor of ACTORS) seen[op].push(await outcomeOf(world, standing, op, actor))
  }
  expect(seen).toEqual(cells as unknown as Record<string, Outcome[]>)
  const { findings } = await world.inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
}

async function outcomeOf(world: World, standing: Standing, op: Op, actor: Actor): Promise<Outcome> {
  const thread = await threadIn(world, standing)
  await world.clock.advance(1)
  const before = await world.inbox.show({ thread })
  try {
    await OPERATIONS[op](world, actor, thread)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // A refused call changes nothing.
    expect(await world.inbox.show({ thread })).toEqual(before)
    return error.code
  }
  const [row] = await world.sql('select status from threads where thread_id = ?', thread)
  return (row?.status ?? 'gone') as Outcome
}

/** Returns a thread in this state that was held first by `earlier`, who lost it, and then by `last`. */
async function threadIn(world: World, standing: Standing): Promise<string> {
  const { inbox, clock } = world
  const thread = await task(world, { to: 'last' })
  await inbox.claim({ agent: 'earlier', thread, lease_seconds: 10 })
  await clock.advance(10)
  await inbox.claim({ agent: 'last', thread, lease_seconds: 10 })
  const [status, lapsed] = standing.split(', ')
  const mine = { agent: 'last', thread, summary: 'So' }
  if (status === 'in_progress') await inbox.update({ ...mine, status: 'in_progress' })
  if (status === 'blocked') await inbox.update({ ...mine, status: 'blocked' })
  if (status === 'done') await inbox.done(mine)
  if (status === 'failed') await inbox.fail(mine)
  if (status === 'cancelled') await inbox.cancel({ agent: 'lead', thread })
  if (lapsed || status === 'pending') await clock.advance(10)
  if (status === 'pending') await inbox.sweep({ limit: 1000 })
  expect((await inbox.show({ thread })).thread.status).toBe(status as 'pending')
  return thread
}
