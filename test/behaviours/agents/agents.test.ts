// Known agents, including the orchestrator, and people.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

behaves('agent/register', async (world) => {
  await world.inbox.agentRegister({ agent: 'lead' })
  const at = world.clock.now()
  const first = await world.inbox.agentRegister({
    agent: 'ann',
    role: 'builder',
    parent: 'lead',
    paired_person: 'user:eve',
    source: 'codex',
    may_write_to_user: true,
    wake_command: '["run-ann","--resume"]',
  })
  expect(world.exitOf(first)).toBe(0)
  expect(first.agent).toMatchObject({
    agent_id: 'ann',
    role: 'builder',
    instance: '',
    parent_agent_id: 'lead',
    paired_person: 'user:eve',
    source: 'codex',
    may_write_to_user: true,
    wake: { command: ['run-ann', '--resume'] },
    registered_at: at,
    unread: 0,
    said: null,
  })
  expect(await world.sql('select person_id from people')).toEqual([{ person_id: 'user:eve' }])
  const later = await world.clock.advance(60)
  const { agent } = await world.inbox.agentRegister({ agent: 'ann', role: 'tester' })
  const { updated_at, evidence: _, ...kept } = first.agent
  expect(agent).toMatchObject({ ...kept, role: 'tester', updated_at: later })
  const { agent: barred } = await world.inbox.agentRegister({
    agent: 'ann',
    may_not_write_to_user: true,
  })
  expect(barred.may_write_to_user).toBe(false)
  expect(await ailments(world)).toEqual([])
})

behaves('agent/instance', async (world) => {
  const { agent } = await world.inbox.agentRegister({ agent: 'ann@review' })
  expect(agent).toMatchObject({ agent_id: 'ann@review', instance: 'review' })
})

behaves('agent/one-orchestrator', async (world) => {
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  const before = await everything(world)
  const second = world.inbox.agentRegister({ agent: 'ann', role: 'orchestrator' })
  expect((await refused(second, 'invalid_state')).details).toEqual({ orchestrator: 'boss' })
  await refused(world.inbox.agentRegister({ agent: 'orchestrator' }), 'invalid_state')
  expect(await everything(world)).toEqual(before)
  await world.inbox.agentRegister({ agent: 'boss', role: 'builder' })
  const { agent } = await world.inbox.agentRegister({ agent: 'orchestrator' })
  expect(agent.role).toBe('orchestrator')
})

behaves('agent/orchestrator-retires', async (world) => {
  const { inbox } = world
  await inbox.agentRegister({ agent: 'ann' })
  await inbox.agentRegister({ agent: 'orchestrator' })
  await inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'Unread' })
  const boss = { agent: 'boss', role: 'orchestrator' }
  const early = await refused(inbox.agentRegister(boss), 'invalid_state')
  expect(early.message).toMatch(/give it another role first with .*orchestrator.*NAME/)
  const left = { agent: 'orchestrator', role: 'retired', status: 'off' } as const
  expect(await inbox.agentRegister(left)).toMatchObject({ agent: { role: 'retired' }, bounced: 1 })
  // Registering without a role keeps the role.
  const again = await inbox.agentRegister({ agent: 'orchestrator' })
  expect(again.agent.role).toBe('retired')
  const waits = await inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'Who is there?' })
  expect(waits.recipients).toEqual(['role:orchestrator'])
  expect((await inbox.agentRegister(boss)).agent.role).toBe('orchestrator')
  const { messages } = await inbox.mailRead({ agent: 'boss' })
  expect(messages.map(({ body }) => body)).toEqual(['Who is there?'])
  const sent = await inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'To the new one' })
  expect(sent.recipients).toEqual(['boss'])
  // The name alone no longer gives access to other agents' mail.
  await refused(inbox.mailPeek({ agent: 'orchestrator', to: 'ann' }), 'forbidden')
  expect((await inbox.mailPeek({ agent: 'boss', to: 'ann' })).unread).toBe(1)
})

behaves('agent/one-at-once', async (world) => {
  const names = Array.from({ length: 8 }, (_, i) => `boss${i}`)
  const calls = names.map((agent) => world.inbox.agentRegister({ agent, role: 'orchestrator' }))
  const done = await Promise.allSettled(calls)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await world.inbox.agentList({ role: 'orchestrator' })).agents).toHaveLength(1)
})

behaves('agent/names', async (world) => {
  const before = await everything(world)
  const words = ['user', 'user:eve', 'system', 'broadcast', 'Orchestrator', 'User']
  for (const agent of [...words, 'user@home', 'system@x', 'orchestrator@x', 'a b']) {
    await refused(world.inbox.agentRegister({ agent }), 'invalid_input')
  }
  await refused(world.inbox.agentRegister({ agent: 'ann', role: 'two words' }), 'invalid_input')
  await refused(
    world.inbox.agentRegister({ agent: 'ann', paired_person: 'broadcast' }),
    'invalid_input',
  )
  await refused(world.inbox.agentStatus({ agent: 'nobody' }), 'not_found')
  await refused(world.inbox.agentStatus({ agent: 'nobody', status: 'idle' }), 'not_found')
  expect(await everything(world)).toEqual(before)
})

behaves('agent/parents', async (world) => {
  const register = (agent: string, parent?: string) =>
    world.inbox.agentRegister(parent === undefined ? { agent } : { agent, parent })
  await refused(register('ann', 'nobody'), 'not_found')
  await register('a1')
  for (let i = 2; i <= 4; i++) await register(`a${i}`, `a${i - 1}`)
  await refused(register('a1', 'a4'), 'invalid_state')
  await refused(register('a1', 'a1'), 'invalid_state')
  await register('a4', 'a1')
  expect(await ailments(world)).toEqual([])
})

behaves('agent/depth', async (world) => {
  await world.inbox.agentRegister({ agent: 'a1' })
  for (let i = 2; i <= 64; i++)
    await world.inbox.agentRegister({ agent: `a${i}`, parent: `a${i - 1}` })
  await refused(world.inbox.agentRegister({ agent: 'a65', parent: 'a64' }), 'invalid_state')
  // Putting the whole chain under another agent doesn't get around the limit either.
  await world.inbox.agentRegister({ agent: 'above' })
  await refused(world.inbox.agentRegister({ agent: 'a1', parent: 'above' }), 'invalid_state')
})

behaves('agent/list', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder', status: 'idle' })
  await world.inbox.agentRegister({ agent: 'bob', role: 'builder', status: 'off' })
  await world.inbox.agentRegister({ agent: 'cid', role: 'tester', status: 'running' })
  await world.inbox.mailSend({ from: 'cid', to: 'ann', body: 'One' })
  await world.inbox.mailSend({ from: 'cid', to: 'ann', body: 'Two' })
  const listed = async (input: Parameters<World['inbox']['agentList']>[0]) =>
    (await world.inbox.agentList(input)).agents.map(({ agent_id, status, unread }) => [
      agent_id,
      status,
      unread,
    ])
  expect(await listed({})).toEqual([
    ['ann', 'idle', 2],
    ['bob', 'off', 0],
    ['cid', 'running', 0],
  ])
  expect(await listed({ role: 'builder' })).toEqual([
    ['ann', 'idle', 2],
    ['bob', 'off', 0],
  ])
  expect(await listed({ status: ['running', 'off'] })).toEqual([
    ['bob', 'off', 0],
    ['cid', 'running', 0],
  ])
})

behaves('agent/self', async (world) => {
  const ann = world.as('ann')
  const { agent } = await ann.agentRegister({ role: 'builder', status: 'idle' })
  expect(agent).toMatchObject({ agent_id: 'ann', role: 'builder', status: 'idle' })
  await refused(ann.agentRegister({ role: 'two words' }), 'invalid_input')
  const { agent: same } = await world.inbox.agentStatus({ agent: 'ann' })
  expect(same.role).toBe('builder')
})

behaves('agent/others', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder' })
  await world.inbox.agentRegister({ agent: 'bob', role: 'tester' })
  const ann = world.as('ann')
  const { agents } = await ann.agentList({ role: 'tester' })
  expect(agents.map(({ agent_id }) => agent_id)).toEqual(['bob'])
  const none = await ann.agentList({ role: 'critic' })
  expect(none.agents).toEqual([])
  expect(world.exitOf(none)).toBe(0)
  const status = ['nonsense'] as unknown as ['idle']
  await refused(ann.agentList({ status }), 'invalid_input')
})

behaves('agent/said', async (world) => {
  const status = (body: string, to = 'broadcast') =>
    world.inbox.mailSend({ from: 'ann', to, type: 'status', body })
  await status('Reading the code')
  await world.clock.advance(1)
  await status('Running tests')
  await world.clock.advance(1)
  await world.inbox.mailSend({ from: 'ann', to: 'broadcast', type: 'custom', body: 'Hello' })
  const { agent } = await world.inbox.agentStatus({ agent: 'ann' })
  expect(agent.said).toMatchObject({ body: 'Running tests', summary: 'Running tests' })
  const [listed] = (await world.inbox.agentList({})).agents
  expect(listed?.said).toEqual(agent.said)
})

behaves('person/add', async (world) => {
  const added = await world.inbox.personAdd({ name: 'eve' })
  expect(added).toMatchObject({ person: 'user:eve' })
  const before = await everything(world)
  expect((await world.inbox.personAdd({ name: 'user:eve' })).person).toBe('user:eve')
  expect((await world.inbox.personAdd({ name: 'user' })).person).toBe('user')
  await refused(world.inbox.personAdd({ name: 'orchestrator' }), 'invalid_input')
  await refused(world.inbox.personAdd({ name: 'a b' }), 'invalid_input')
  expect((await everything(world)).people).toEqual(before.people as [])
  expect((await everything(world)).events).toEqual(before.events as [])
})
