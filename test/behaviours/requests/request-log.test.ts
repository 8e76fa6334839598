// Requests in the log: an import restores them, and rejects events that are impossible.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { event, facts, message, type Poison, poisoned } from '../../worlds/poisons.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

/** Creates requests that go through every possible change. Returns their ids. */
async function makeRequests(world: World): Promise<[string, string]> {
  await world.inbox.personAdd({ name: 'eve' })
  const one = await asked(world, { deciders: ['user:eve'], policy: 'named', risk: 'high' })
  const two = await asked(world, { to: 'user', editable: true })
  await world.inbox.comment({ request: one, body: 'Why?' })
  await world.inbox.requestRevision({ request: two, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request: two, revision: 1, title: 'Less' })
  await world.inbox.approve({ agent: 'user:eve', request: one, revision: 1 })
  await world.inbox.reject({ request: two, revision: 2 })
  await world.inbox.cancelRequest({ agent: 'ann', request: await asked(world) })
  for (const thread of [one, two]) await world.inbox.requestLink({ request: one, thread })
  await world.inbox.requestUnlink({ request: one, thread: one })
  return [one, two]
}

behaves('request/replay', async (world) => {
  const [one, two] = await makeRequests(world)
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  for (const request of [one, two]) {
    const here = await world.inbox.requestGet({ request })
    // A warrant belongs to the store in which the decision was made.
    if (here.decision !== null) delete here.decision.warrant
    expect(await other.inbox.requestGet({ request })).toEqual(here)
  }
})

/** Events that no request could have, each in place of a real one. */
const POISONS: [string, Poison][] = [
  ['request_create', facts({ policy: 'anybody' })],
  ['request_create', facts({ deciders: ['ann'] })],
  ['request_create', facts({ payload_sha256: 'none' })],
  ['request_create', facts({ payload_sha256: 'a'.repeat(64) })],
  ['request_create', message('payload_json', '{"consequence":"","payload":{"target":"db"}}')],
  ['request_create', message('payload_json', '{}')],
  ['request_resubmit', facts({ payload_sha256: 'a'.repeat(64) })],
  ['request_approve', facts({ payload_sha256: 'a'.repeat(64) })],
  ['request_approve', message('payload_json', '{"decision":"approve","payload":{}}')],
  ['request_approve', event('agent', 'ann')],
  ['request_approve', event('agent', 'boss')],
  ['request_approve', facts({ revision: 2 })],
  ['request_reject', event('agent', 'ann')],
  ['request_reject', facts({ revision: 1 })],
  ['request_revise', event('agent', 'ann')],
  ['request_resubmit', facts({ revision: 3 })],
  ['request_resubmit', event('event_type', 'request_create')],
  ['request_link', facts({ linked: 'req_other' })],
  ['request_link', facts({ links: [] })],
  ['request_unlink', facts({ links: ['req_other'] })],
]

behaves('request/bad-lines', async (world) => {
  await makeRequests(world)
  const text = await world.exportLog()
  const { mixed, bad } = poisoned(text, POISONS)
  const copy = await world.another('empty')
  const imported = await copy.importLog(mixed)
  expect(imported.aside).toEqual(bad)
  expect(await copy.exportLog()).toBe(text)
  expect(await ailments(copy)).toEqual([])
})

const TAMPERINGS = [
  `update messages set payload_json = replace(payload_json, '"limit":2', '"limit":9')`,
  `update messages set payload_json = '{}' where kind = 'question'`,
  `update messages set payload_json = 'null' where kind = 'question'`,
  `update requests set payload_sha256 = '${'a'.repeat(64)}'`,
  `update requests set decided_by = 'user:eve' where decided_by = 'user'`,
  `update requests set status = 'approved' where status = 'rejected'`,
  `update requests set links = ''`,
]

behaves('request/tampered', async (world) => {
  await makeRequests(world)
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

behaves('request/largest', async (world) => {
  const room = 1_048_576
  const whole = (text: string) => JSON.stringify({ text })
  const large = whole('"'.repeat((room - whole('').length) / 2))
  const deep = `{"a":${'['.repeat(99)}${']'.repeat(99)}}`
  for (const payload of [large, deep]) {
    const request = await asked(world, { type: 'chore', payload, editable: true })
    await world.inbox.approve({ request, revision: 1, payload, notes: 'x'.repeat(room) })
  }
  const words = { agent: 'ann', title: 'Large', review: `a\n"${'é'.repeat(190)}` }
  const body = '\n'.repeat(500_000)
  const { request_id: request } = await world.inbox.requestReview({ ...words, body })
  const notes = '\u0001'.repeat(room)
  await world.inbox.requestRevision({ request, revision: 1, notes })
  await refused(world.inbox.requestReview({ ...words, review: 'r2', body: notes }), 'invalid_input')
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect((await other.importLog(log)).rejected).toEqual([])
  expect((await other.exportLog()) === log).toBe(true)
  expect(await ailments(other)).toEqual([])
})
