import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held, take, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

async function standing(world: World, agent: string): Promise<[string, string]> {
  const { status, evidence } = (await world.inbox.agentStatus({ agent })).agent
  return [status, evidence.by]
}

async function unread(world: World, agent: string): Promise<number> {
  return (await world.inbox.agentStatus({ agent })).agent.unread
}

async function ailments(world: World) {
  const { findings } = await world.inbox.doctor({})
  return findings.filter(({ ok, check }) => !ok && check !== 'durability')
}

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
  // Without a role in the words the role stays as it is.
  const again = await inbox.agentRegister({ agent: 'orchestrator' })
  expect(again.agent.role).toBe('retired')
  const waits = await inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'Who is there?' })
  expect(waits.recipients).toEqual(['role:orchestrator'])
  expect((await inbox.agentRegister(boss)).agent.role).toBe('orchestrator')
  const { messages } = await inbox.mailRead({ agent: 'boss' })
  expect(messages.map(({ body }) => body)).toEqual(['Who is there?'])
  const sent = await inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'To the new one' })
  expect(sent.recipients).toEqual(['boss'])
  // The name alone sees nothing of others any more.
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
  // Nor by putting the whole chain under somebody.
  await world.inbox.agentRegister({ agent: 'above' })
  await refused(world.inbox.agentRegister({ agent: 'a1', parent: 'above' }), 'invalid_state')
})

behaves('agent/wake-settings', async (world) => {
  const { agent } = await world.inbox.agentRegister({
    agent: 'ann',
    wake_command: '["run-ann"]',
    wake_cwd: '/srv/project',
    wake_types: ['review-result', 'question', 'answer', 'cancel'],
    wake_every_seconds: 600,
    wake_quiet: '22-7',
    wake_budget_per_hour: 5,
    wake_hop_limit: 3,
    wake_timeout_seconds: 120,
    wake_after_seconds: 30,
  })
  expect(agent.wake).toMatchObject({
    command: ['run-ann'],
    cwd: '/srv/project',
    types: ['review-result', 'question', 'answer', 'cancel'],
    every_seconds: 600,
    quiet: [22, 7],
    budget_per_hour: 5,
    hop_limit: 3,
    timeout_seconds: 120,
    after_seconds: 30,
  })
  const changed = await world.inbox.agentRegister({ agent: 'ann', wake_cron: '*/30 9-17 * * 1-5' })
  expect(changed.agent.wake).toMatchObject({ cron: '*/30 9-17 * * 1-5', hop_limit: 3 })
  expect(changed.agent.wake.every_seconds).toBeUndefined()
  const without = await world.inbox.agentRegister({ agent: 'ann', wake_command: '[]' })
  expect(without.agent.wake.command).toBeUndefined()
  const copy = await world.another('empty')
  const log = await world.exportLog()
  expect(await copy.importLog(log)).toMatchObject({ rejected: [] })
  expect(await copy.exportLog()).toBe(log)
  const before = await everything(world)
  const wrong = [
    { wake_command: 'run-ann' },
    { wake_command: '"run-ann"' },
    { wake_command: '[1]' },
    { wake_command: '[""]' },
    { wake_cwd: 'project' },
    { wake_quiet: '22' },
    { wake_quiet: '25-7' },
    { wake_quiet: '7-7' },
    { wake_cron: 'often' },
    { wake_cron: '* * * * *', wake_every_seconds: 60 },
    { wake_types: ['question' as const, 'status' as const] },
    { wake_types: ['progress' as const] },
  ]
  for (const input of wrong) {
    await refused(world.inbox.agentRegister({ agent: 'ann', ...input }), 'invalid_input')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('agent/wake-taken-back', async (world) => {
  const settings = {
    wake_command: '["run-ann"]',
    wake_cwd: '/srv/project',
    wake_types: ['question', 'result'],
    wake_cron: '*/30 9-17 * * 1-5',
    wake_quiet: '22-7',
    wake_budget_per_hour: 5,
    wake_hop_limit: 3,
    wake_timeout_seconds: 120,
    wake_after_seconds: 30,
  } as const
  const { agent } = await world.inbox.agentRegister({
    ...settings,
    agent: 'ann',
    wake_types: [...settings.wake_types],
  })
  expect(agent.wake.types).toEqual(['question', 'task-done', 'review-result'])
  let left: object = agent.wake
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    const { wake } = (await world.inbox.agentRegister({ agent: 'ann', [name]: null })).agent
    expect(Object.keys(left)).toContain(name.slice('wake_'.length))
    expect(Object.keys(wake)).not.toContain(name.slice('wake_'.length))
    expect(left).toMatchObject(wake)
    left = wake
  }
  expect(left).toEqual({})
  const every = await world.inbox.agentRegister({ agent: 'ann', wake_every_seconds: 60 })
  expect(every.agent.wake.every_seconds).toBe(60)
  const ended = await world.inbox.agentRegister({ agent: 'ann', wake_every_seconds: null })
  expect(ended.agent.wake).toEqual({})
})

behaves('agent/evidence', async (world) => {
  const thread = await task(world)
  expect(await standing(world, 'worker')).toEqual(['dormant', 'nothing'])
  await take(world, thread, 'worker', 60)
  expect(await standing(world, 'worker')).toEqual(['running', 'lease'])
  await world.clock.advance(60)
  expect((await standing(world, 'worker'))[0]).not.toBe('running')
  await world.inbox.agentStatus({ agent: 'worker', status: 'running' })
  expect(await standing(world, 'worker')).toEqual(['running', 'declared'])
  await world.clock.advance(900)
  expect((await standing(world, 'worker'))[0]).toBe('dormant')
  await world.as('ann').agentRegister({})
  expect(await standing(world, 'ann')).toEqual(['idle', 'seen'])
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  expect(await standing(world, 'ann')).toEqual(['dormant', 'declared'])
  await world.clock.advance(1)
  await world.inbox.mailSend({ from: 'ann', to: 'worker', body: 'I am here' })
  expect(await standing(world, 'ann')).toEqual(['idle', 'seen'])
})

behaves('agent/work-is-life', async (world) => {
  const { inbox } = world
  const seenAt = async (agent: string) =>
    (await inbox.agentStatus({ agent })).agent.evidence.seen_at
  const sent = await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })
  expect(await seenAt('lead')).toBe(world.clock.now())
  expect(await seenAt('worker')).toBeNull()
  const { thread_id: thread } = sent.thread
  const calls = [
    () => inbox.claim({ agent: 'worker', thread, lease_seconds: 900 }),
    () => inbox.renew({ agent: 'worker', thread }),
    () => inbox.update({ agent: 'worker', thread, status: 'in_progress', summary: 'Half' }),
    () => inbox.reply({ from: 'worker', thread, to: 'lead', kind: 'progress', summary: 'More' }),
    () => inbox.done({ agent: 'worker', thread, summary: 'Built' }),
  ]
  for (const call of calls) {
    const at = await world.clock.advance(61)
    await call()
    expect(await seenAt('worker')).toBe(at)
  }
  // Once a minute is enough.
  const before = world.clock.now()
  await world.clock.advance(10)
  await inbox.send({ from: 'worker', to: 'lead', subject: 'Look at it' })
  expect(await seenAt('worker')).toBe(before)
  const other = await inbox.send({ from: 'lead', to: 'worker', subject: 'Break it' })
  await inbox.claim({ agent: 'worker', thread: other.thread.thread_id })
  const at = await world.clock.advance(61)
  await inbox.fail({ agent: 'worker', thread: other.thread.thread_id, summary: 'It holds' })
  expect(await seenAt('worker')).toBe(at)
  // An agent that asks for work and finds none was seen; one that another speaks for was not.
  const later = await world.clock.advance(61)
  expect((await inbox.claim({ agent: 'worker' })).thread).toBeNull()
  expect(await seenAt('worker')).toBe(later)
  await world.clock.advance(61)
  await world.as('lead').mailSend({ from: 'worker', to: 'lead', body: 'It says' })
  expect(await seenAt('worker')).toBe(later)
})

behaves('agent/waits-at-work', async (world) => {
  const thread = await task(world)
  await world.inbox.agentRegister({ agent: 'ann', status: 'dormant' })
  for (const wait of ['watch', 'waitReply'] as const) {
    const ending = new AbortController()
    const extras = { signal: ending.signal }
    const waits =
      wait === 'watch'
        ? world.inbox.watch({ agent: 'ann', timeout_seconds: 240 }, extras)
        : world.inbox.waitReply({ agent: 'ann', thread, timeout_seconds: 240 }, extras)
    const isWaiting = async () => (await standing(world, 'ann'))[1] === 'waiting'
    await until(isWaiting, `ann is seen in ${wait}`)
    ending.abort()
    await waits.catch(() => {})
    await until(async () => !(await isWaiting()), `ann no longer waits in ${wait}`)
  }
})

behaves('agent/off', async (world) => {
  await held(world)
  await world.inbox.agentStatus({ agent: 'worker', status: 'off' })
  expect(await standing(world, 'worker')).toEqual(['off', 'declared'])
  await world.inbox.agentStatus({ agent: 'worker', status: 'idle' })
  expect(await standing(world, 'worker')).toEqual(['running', 'lease'])
})

behaves('agent/waiting', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', status: 'dormant' })
  const ending = new AbortController()
  const waits = world.inbox.mailRead(
    { agent: 'ann', timeout_seconds: 240 },
    { signal: ending.signal },
  )
  const running = async () => (await standing(world, 'ann'))[0] === 'running'
  await until(running, 'ann is seen waiting')
  expect(await standing(world, 'ann')).toEqual(['running', 'waiting'])
  ending.abort()
  await waits.catch(() => {})
})

behaves('agent/by-another', async (world) => {
  const lead = world.as('lead')
  await lead.agentRegister({})
  const { agent } = await lead.agentRegister({ agent: 'ann' })
  expect([agent.status, agent.evidence.by]).toEqual(['dormant', 'nothing'])
  expect(await standing(world, 'lead')).toEqual(['idle', 'seen'])
  // Nor is that of nobody.
  await world.inbox.agentRegister({ agent: 'bob' })
  expect(await standing(world, 'bob')).toEqual(['dormant', 'nothing'])
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

behaves('agent/takes', async (world) => {
  await world.inbox.agentRegister({ agent: 'lead' })
  const send = () => world.inbox.mailSend({ from: 'lead', to: 'role:builder', body: 'Build it' })
  await send()
  const came = await world.as('ann').agentRegister({ role: 'builder' })
  expect([came.taken, came.agent.unread]).toEqual([1, 1])
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  expect((await send()).recipients).toEqual(['role:builder'])
  expect(await unread(world, 'ann')).toBe(1)
  const back = await world.inbox.agentStatus({ agent: 'ann', status: 'idle' })
  expect([back.taken, back.agent.unread]).toEqual([1, 2])
  expect((await send()).recipients).toEqual(['ann'])
  expect(await ailments(world)).toEqual([])
})

behaves('agent/orchestrator-takes', async (world) => {
  const queued = async ({ inbox }: World) => {
    await inbox.agentRegister({ agent: 'ann' })
    return inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'Who leads?' })
  }
  expect((await queued(world)).recipients).toEqual(['role:orchestrator'])
  await world.inbox.mailSend({ from: 'orchestrator', to: 'ann', body: 'Hello' })
  expect(await unread(world, 'orchestrator')).toBe(1)
  expect(await ailments(world)).toEqual([])

  const assigned = await world.another('empty')
  await queued(assigned)
  // To be written to makes nobody the orchestrator, by whatever form of the address.
  for (const to of ['orchestrator', 'agent:orchestrator', 'role:orchestrator']) {
    const { thread } = await assigned.inbox.send({ from: 'ann', to, subject: 'Plan it' })
    expect(thread.assigned_to).toBe('role:orchestrator')
  }
  expect((await assigned.inbox.agentList({ role: 'orchestrator' })).agents).toEqual([])
  await assigned.inbox.agentRegister({ agent: 'boss', role: 'orchestrator', status: 'idle' })
  expect(await unread(assigned, 'boss')).toBe(4)
  expect((await assigned.inbox.fetch({ agent: 'boss' })).threads).toHaveLength(3)
  expect((await assigned.inbox.claim({ agent: 'boss' })).thread).toMatchObject({
    assigned_to: 'boss',
  })

  // By its first read: it gets each once, and what the log says can be said again.
  const reading = await world.another('empty')
  await queued(reading)
  const got = await reading.inbox.mailRead({ agent: 'orchestrator' })
  expect(got.messages.map(({ body }) => body)).toEqual(['Who leads?'])
  expect(await unread(reading, 'orchestrator')).toBe(1)
  expect(await ailments(reading)).toEqual([])
  const copy = await world.another('empty')
  await copy.importLog(await reading.exportLog())
  expect(await unread(copy, 'orchestrator')).toBe(1)

  // By an answer to what is queued itself: then its first read takes it.
  const answering = await world.another('empty')
  const { message } = await queued(answering)
  const answer = { from: 'orchestrator', in_reply_to: message?.id, body: 'I do' }
  await answering.inbox.mailSend(answer)
  const { messages } = await answering.inbox.mailRead({ agent: 'orchestrator' })
  expect(messages.map(({ body }) => body)).toEqual(['Who leads?'])
  expect(await ailments(answering)).toEqual([])
})

behaves('agent/off-work', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', status: 'off' })
  const before = await everything(world)
  const no = await refused(
    world.inbox.send({ from: 'lead', to: 'ann', subject: 'Build it' }),
    'invalid_state',
  )
  expect(no.message).toContain('ann is off; write to its role or to orchestrator, or turn it on')
  expect(await everything(world)).toEqual(before)
  await world.inbox.agentStatus({ agent: 'ann', status: 'idle' })
  const sent = await world.inbox.send({ from: 'lead', to: 'ann', subject: 'Build it' })
  expect(sent.thread.assigned_to).toBe('ann')
  // A remedy that works: there is no other orchestrator, and no other role for that name.
  await world.inbox.agentRegister({ agent: 'orchestrator', status: 'off' })
  const mail = world.inbox.mailSend({ from: 'ann', to: 'orchestrator', body: 'Hello' })
  expect((await refused(mail, 'invalid_state')).message).toStartWith(
    'orchestrator is off; turn it on with',
  )
  const second = world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  expect((await refused(second, 'invalid_state')).message).toContain('give it another role first')
})

behaves('agent/off-bounces', async (world) => {
  await world.inbox.agentRegister({ agent: 'lead' })
  await world.inbox.agentRegister({ agent: 'ann' })
  const { message } = await world.inbox.mailSend({ from: 'lead', to: 'ann', body: 'Build it' })
  const off = await world.inbox.agentStatus({ agent: 'ann', status: 'off' })
  expect([off.bounced, off.agent.unread]).toEqual([1, 0])
  const rows = await world.sql(
    'select recipient, state, reason from deliveries where message_id = ?',
    message?.id ?? '',
  )
  expect(rows).toEqual([{ recipient: 'ann', state: 'bounced', reason: 'ann is off' }])
  expect(await unread(world, 'lead')).toBe(1)
  await refused(world.inbox.mailSend({ from: 'lead', to: 'ann', body: 'Again' }), 'invalid_state')
  expect(await ailments(world)).toEqual([])
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
