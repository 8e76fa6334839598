import { expect, test } from 'bun:test'
import { type ReviewRoute, ROUTINGS, routeWarning, stepUp } from './review-route.ts'

type Link = {
  agent_id: string
  parent_agent_id: string | null
  paired_person: string | null
  source: string
}

function agent(agent_id: string, parent_agent_id: string | null, more: Partial<Link> = {}): Link {
  return { agent_id, parent_agent_id, paired_person: null, source: 'agent', ...more }
}

/** Walks up from the first of these agents. */
function walk(...agents: Link[]): ReviewRoute {
  const first = agents[0]?.agent_id ?? ''
  const chain: Link[] = []
  for (;;) {
    const step = stepUp(first, chain)
    if (!('ask' in step)) return step
    const next = agents.find(({ agent_id }) => agent_id === step.ask)
    if (next === undefined) {
      return { routing: 'missing_parent', person: '', ended_at: chain.at(-1)?.agent_id ?? '' }
    }
    chain.push(next)
  }
}

/** Returns a chain of agents: a0 below a1 and so on. The top one, a`above`, gets the extra fields. */
function below(above: number, more: Partial<Link>): Link[] {
  return Array.from({ length: above + 1 }, (_, i) =>
    i === above ? agent(`a${i}`, null, more) : agent(`a${i}`, `a${i + 1}`),
  )
}

test('the walk ends at the first paired person or platform agent', () => {
  const paired = { paired_person: 'user:eve' }
  const system = { source: 'system' }
  expect(walk(agent('a', null, paired))).toEqual({
    routing: 'person',
    person: 'user:eve',
    ended_at: 'a',
  })
  expect(walk(agent('a', 'b'), agent('b', null, paired)).person).toBe('user:eve')
  expect(walk(agent('a', null, system))).toMatchObject({ routing: 'system', person: '' })
  expect(walk(agent('a', 'b', system), agent('b', null, paired)).routing).toBe('system')
  expect(walk(agent('a', 'b', paired), agent('b', null, system)).routing).toBe('person')
  // A person is responsible for a platform agent that is paired with them.
  expect(walk(agent('a', null, { ...paired, ...system })).routing).toBe('person')
})

test('looks at eight agents above, but not a ninth', () => {
  expect(walk(...below(8, { paired_person: 'user' })).routing).toBe('person')
  expect(walk(...below(9, { paired_person: 'user' }))).toMatchObject({
    routing: 'too_deep',
    ended_at: 'a8',
    person: '',
  })
  expect(walk(...below(8, { source: 'system' })).routing).toBe('system')
})

test('finds no route for an agent without a parent, with an unknown one or in a cycle', () => {
  expect(walk(agent('a', null)).routing).toBe('no_parent')
  expect(walk(agent('a', 'b'), agent('b', null)).routing).toBe('no_parent')
  expect(walk(agent('a', 'b')).routing).toBe('missing_parent')
  expect(walk(agent('a', 'a')).routing).toBe('cycle')
  expect(walk(agent('a', 'b'), agent('b', 'c'), agent('c', 'b')).routing).toBe('cycle')
})

test('warns the decider about every result except two', () => {
  const warned = ROUTINGS.filter((routing) => routeWarning('ann', routing) !== '')
  expect(warned).toEqual(['no_parent', 'missing_parent', 'cycle', 'too_deep'])
})
