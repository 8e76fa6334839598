import { expect } from 'bun:test'
import type { MailType } from '../../../src/core/vocabulary.ts'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

type Filter = Parameters<World['inbox']['mailCount']>[0]

async function write(world: World, type: MailType, subject: string, to = 'bob') {
  const sent = await world.inbox.mailSend({ from: 'ann', to, type, subject })
  return sent.next_event_id
}

async function letters(world: World): Promise<number[]> {
  for (const agent of ['ann', 'bob', 'cy']) await world.as(agent).agentRegister({})
  return [
    await write(world, 'question', 'Which grammar?'),
    await write(world, 'question', 'Which parser?', 'cy'),
    await write(world, 'status', 'Half of the grammar'),
    await write(world, 'custom', 'By the way'),
  ]
}

async function counts(world: World, filter: Filter, agent?: string) {
  const inbox = agent === undefined ? world.inbox : world.as(agent)
  const answer = await inbox.mailCount(filter)
  return [answer.total, ...answer.counts.map(({ type, count }) => `${type} ${count}`)]
}

behaves('count/types', async (world) => {
  const empty = await world.inbox.mailCount({})
  expect(empty).toMatchObject({ counts: [], total: 0, cut: false, next_before: null })
  await letters(world)
  expect(await counts(world, {})).toEqual([4, 'question 2', 'status 1', 'custom 1'])
  expect(await counts(world, { text: 'GRAMMAR' })).toEqual([2, 'question 1', 'status 1'])
  expect(await counts(world, { with: 'cy' })).toEqual([1, 'question 1'])
  expect(await counts(world, { until: '2001-01-01T00:00:00Z' })).toEqual([0])
  expect(await counts(world, { since: '2001-01-01T00:00:00Z' })).toHaveLength(4)
  expect(await counts(world, {}, 'cy')).toEqual([1, 'question 1'])
  expect(await counts(world, { direction: 'out' }, 'ann')).toHaveLength(4)
  expect(await counts(world, {}, 'stranger')).toEqual([0])
  // The list and the count agree.
  const { messages } = await world.as('bob').mailHistory({ text: 'a' })
  const { total } = await world.as('bob').mailCount({ text: 'a' })
  expect(total).toBe(messages.length)
})

behaves('count/goes-on', async (world) => {
  const [, second] = await letters(world)
  const older = await counts(world, { before: second })
  const newer = await counts(world, { since: String(Number(second) - 1) })
  expect(older).toEqual([1, 'question 1'])
  expect(newer).toEqual([3, 'question 1', 'status 1', 'custom 1'])
})

behaves('count/bad-input', async (world) => {
  for (const bad of [{ since: 'yesterday' }, { until: '7' }, { with: '@team' }, { before: 0 }]) {
    await refused(world.as('ann').mailCount(bad), 'invalid_input')
  }
})
