// Agent runs in the log: an import restores them, and rejects events that are impossible.

import { expect } from 'bun:test'
import { review, runOf } from '../../worlds/agent-runs.ts'
import { behaves } from '../../worlds/behaves.ts'
import { event, facts, type Poison, poisoned } from '../../worlds/poisons.ts'
import { ailments } from '../../worlds/pushes.ts'
import type { World } from '../../worlds/world.ts'

/** Makes agent runs that go through every possible change. */
async function makeRuns(world: World): Promise<void> {
  await world.inbox.agentRegister({ agent: 'ann', paired_person: 'eve' })
  const approved = await review(world)
  await world.inbox.approve({ request: approved.request_id, revision: 1 })
  const later = await review(world, { review: 'r2' })
  await world.inbox.requestRevision({ request: later.request_id, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request: later.request_id, revision: 1, title: 'L' })
  await review(world, { review: 'r3' })
  const rejected = await review(world, { agent: 'bob' })
  await world.inbox.reject({ request: rejected.request_id, revision: 1 })
  const ended = await review(world, { agent: 'eli' })
  await world.inbox.agentEndRun({ agent_run: ended.agent_run_id })
  const taken = await review(world, { agent: 'kim' })
  await world.inbox.cancelRequest({ agent: 'kim', request: taken.request_id })
}

behaves('agent-run/replay', async (world) => {
  await makeRuns(world)
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  const { agent_runs } = await world.inbox.agentRuns({})
  const statuses = agent_runs.map(({ status }) => status).sort()
  expect(statuses).toEqual(['cancelled', 'ended', 'paused', 'running'])
  expect((await other.inbox.agentRuns({})).agent_runs).toEqual(agent_runs)
})

behaves('agent-run/pruned', async (world) => {
  const made = await review(world)
  await world.inbox.approve({ request: made.request_id, revision: 1, notes: 'Go' })
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  await world.clock.advance(3 * 86_400)
  await world.inbox.prune({ requests_days: 2 })
  expect((await world.inbox.requestList({ tab: 'all' })).requests).toEqual([])
  expect(await runOf(world, made)).toMatchObject({ status: 'running', review_status: 'approved' })
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  for (const one of [world, other]) {
    expect((await one.inbox.requestBackfill({})).requests).toEqual([])
    const later = await review(one, { review: 'r2', agent_run: made.agent_run_id })
    expect(later.agent_run_id).toBe(made.agent_run_id)
    expect((await runOf(one, made))?.status).toBe('paused')
    expect(await ailments(one)).toEqual([])
  }
})

const POISONS: [string, Poison][] = [
  ['review_requested', facts({ agent_id: 'bob' })],
  ['review_requested', facts({ agent_run_id: 'agr_other' })],
  ['review_requested', facts({ routing: 'nowhere' })],
  ['review_requested', facts({ review_id: '' })],
  ['review_requested', facts({ session: 'x'.repeat(200) })],
  ['review_requested', event('thread_id', 'thr_1')],
  ['agent_run_resume', facts({ agent_run_id: 'agr_none' })],
  ['agent_run_resume', facts({ agent_id: 'bob' })],
  ['agent_run_resume', facts({ review_status: 'sure' })],
  ['agent_run_resume', facts({ review_status: 'rejected' })],
  ['agent_run_resume', facts({ response_message: 'msg_other' })],
  // A rejected review can't resume its run.
  ['agent_run_cancel', event('event_type', 'agent_run_resume')],
  ['agent_run_cancel', facts({ response_message: '' })],
  ['agent_run_end', facts({ review_status: 'approved' })],
  ['agent_run_end', facts({ agent_run_id: 'agr_none' })],
]

behaves('agent-run/bad-lines', async (world) => {
  await makeRuns(world)
  const text = await world.exportLog()
  const { mixed, bad } = poisoned(text, POISONS)
  const copy = await world.another('empty')
  const imported = await copy.importLog(mixed)
  expect(imported.aside).toEqual(bad)
  expect(await copy.exportLog()).toBe(text)
  expect(await ailments(copy)).toEqual([])
})

const TAMPERINGS = [
  `update agent_runs set status = 'running' where status = 'cancelled'`,
  `update agent_runs set review_status = 'approved' where review_status = 'rejected'`,
  `update agent_runs set request_id = '' where status = 'paused'`,
  `update agent_runs set routing = 'person' where routing = 'no_parent'`,
  `update agent_runs set response_message = 'msg_other' where status = 'running'`,
  `update agent_runs set folder = '/elsewhere'`,
  `update requests set review_id = 'other' where review_id = 'r3'`,
  `delete from agent_runs where status = 'ended'`,
]

behaves('agent-run/tampered', async (world) => {
  await makeRuns(world)
  const text = await world.exportLog()
  for (const tampering of TAMPERINGS) {
    const copy = await world.another('empty')
    await copy.importLog(text)
    await copy.sql(tampering)
    const log = (await copy.inbox.doctor({})).findings.find(({ check }) => check === 'log')
    expect({ tampering, ok: log?.ok }).toEqual({ tampering, ok: false })
    await copy.giveBack()
  }
})
