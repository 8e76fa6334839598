import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

async function all(world: World): Promise<string[]> {
  const { requirements } = await world.inbox.agentPolicies({})
  return requirements.map(({ applies_to, requires }) => `${applies_to} ${requires}`)
}

behaves('policy/require', async (world) => {
  const rm = 'tool:Bash(rm -r, *)'
  const set = await world.inbox.agentPolicy({ applies_to: 'ann', requires: [rm, 'config_change'] })
  expect(set).toMatchObject({ applies_to: 'ann', requires: ['config_change', rm] })
  await world.inbox.agentPolicy({ applies_to: 'role:builder', requires: ['tool:*'] })
  // Adding a requirement twice has no effect, and without flags the policy is only shown.
  const more = { applies_to: 'ann', requires: ['config_change', 'hire_agent'] }
  expect((await world.inbox.agentPolicy(more)).requires).toHaveLength(3)
  expect((await world.inbox.agentPolicy({ applies_to: 'ann' })).requires).toHaveLength(3)
  expect(await all(world)).toEqual([
    'ann config_change',
    'ann hire_agent',
    `ann ${rm}`,
    'role:builder tool:*',
  ])
  const [first] = (await world.inbox.agentPolicies({})).requirements
  expect(first).toMatchObject({ added_by: 'user', added_at: world.clock.now() })
  const changed = { applies_to: 'ann', releases: [rm, 'hire_agent'], requires: ['question'] }
  expect((await world.inbox.agentPolicy(changed)).requires).toEqual(['config_change', 'question'])
  await world.inbox.agentPolicy({ applies_to: 'ann', releases: ['question'] })
  await world.inbox.agentPolicy({ applies_to: 'ann', requires: ['question'] })
  expect(await all(world)).toEqual(['ann config_change', 'ann question', 'role:builder tool:*'])
  expect(await ailments(world)).toEqual([])
})

behaves('policy/bad-input', async (world) => {
  const set = (input: object) => world.inbox.agentPolicy({ applies_to: 'ann', ...input })
  for (const applies_to of ['user', 'user:eve', 'broadcast', '@shop']) {
    await refused(set({ applies_to, requires: ['question'] }), 'invalid_input')
  }
  for (const odd of ['tool:', 'tool:Bash(', 'two words', 'tool: Bash']) {
    await refused(set({ requires: ['question', odd] }), 'invalid_input')
  }
  await refused(set({ requires: ['question'], releases: ['question'] }), 'invalid_input')
  await refused(set({ releases: ['question'] }), 'not_found')
  for (let page = 0; page < 2; page += 1) {
    await set({ requires: Array.from({ length: 20 }, (_, at) => `type_${page}_${at}`) })
  }
  await refused(
    set({ requires: Array.from({ length: 20 }, (_, at) => `t_${at}`) }),
    'invalid_input',
  )
  expect(await all(world)).toHaveLength(40)
})

behaves('policy/people', async (world) => {
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  for (const agent of ['ann', 'boss']) {
    const set = world.inbox.agentPolicy({ agent, applies_to: 'ann', requires: ['question'] })
    await refused(set, 'forbidden')
  }
  expect(await all(world)).toEqual([])
})

behaves('policy/told', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder' })
  const set = (applies_to: string, requires: string) =>
    world.inbox.agentPolicy({ applies_to, requires: [requires] })
  await set('ann', 'config_change')
  await set('ann', 'tool:Bash')
  await set('role:builder', 'tool:Bash')
  await set('role:builder', 'hire_agent')
  await set('bob', 'question')
  const told = async (agent: string) => (await world.inbox.requestTypes({ agent })).required.sort()
  expect(await told('ann')).toEqual(['config_change', 'hire_agent', 'tool:Bash'])
  // A second session of an agent has no role, but is bound by the role of the first.
  expect(await told('ann-2')).toEqual(['config_change', 'hire_agent', 'tool:Bash'])
  expect(await told('bob@shop')).toEqual(['question'])
  expect(await told('eve')).toEqual([])
  await world.inbox.agentPolicy({ applies_to: 'bob', releases: ['question'] })
  expect(await told('bob')).toEqual([])
})

behaves('policy/key', async (world) => {
  const want = { applies_to: 'ann', requires: ['question'], idempotency_key: 'try-1' }
  await once(world, () => world.inbox.agentPolicy(want))
  expect(await all(world)).toEqual(['ann question'])
})

behaves('policy/replay', async (world) => {
  await world.inbox.agentPolicy({ applies_to: 'ann', requires: ['tool:Bash(rm *)', 'question'] })
  await world.inbox.agentPolicy({ applies_to: 'ann', releases: ['question'] })
  await world.inbox.agentPolicy({ applies_to: 'ann', requires: ['question'] })
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  expect(await all(other)).toEqual(['ann question', 'ann tool:Bash(rm *)'])
})
