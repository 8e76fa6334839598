import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

type Registering = Parameters<World['inbox']['agentRegister']>[0]

async function agents(world: World, ...all: Registering[]): Promise<void> {
  for (const one of all) await world.inbox.agentRegister({ status: 'idle', ...one })
}

/** The recipients of a message to this address. */
async function to(world: World, address: string, from = 'lead'): Promise<string[]> {
  const { recipients } = await world.inbox.mailSend({ from, to: address, body: 'Hello' })
  return recipients
}

async function deliveries(world: World): Promise<string[]> {
  const rows = await world.sql('select recipient from deliveries order by event_id, recipient')
  return rows.map(({ recipient }) => String(recipient))
}

/** Ignores doctor's finding that the test server doesn't flush. */
const isBad = (one: { ok: boolean; check: string }) => !one.ok && one.check !== 'durability'

behaves('address/agent', async (world) => {
  await agents(world, { agent: 'ann' }, { agent: 'bob' })
  expect(await to(world, 'ann')).toEqual(['ann'])
  expect(await to(world, 'agent:ann')).toEqual(['ann'])
  expect(await to(world, 'ann', 'ann')).toEqual(['ann'])
  expect(await deliveries(world)).toEqual(['ann', 'ann', 'ann'])
})

behaves('address/orchestrator', async (world) => {
  expect(await to(world, 'orchestrator')).toEqual(['role:orchestrator'])
  await agents(world, { agent: 'boss', role: 'orchestrator' })
  expect(await deliveries(world)).toEqual(['boss'])
  expect(await to(world, 'orchestrator')).toEqual(['boss'])
  expect(await to(world, 'role:orchestrator')).toEqual(['boss'])
  const { thread } = await world.inbox.send({ from: 'lead', to: 'orchestrator', subject: 'Plan' })
  expect(thread.assigned_to).toBe('boss')
  const pretender = world.inbox.mailSend({ from: 'orchestrator', to: 'lead', body: 'Hello' })
  expect((await refused(pretender, 'invalid_state')).message).toContain('write as boss')
})

behaves('address/role', async (world) => {
  await agents(
    world,
    { agent: 'ann', role: 'builder' },
    { agent: 'bob', role: 'builder' },
    { agent: 'cid', role: 'builder' },
    { agent: 'dan', role: 'builder', status: 'off' },
    { agent: 'eve', role: 'builder', status: 'dormant' },
    { agent: 'fay', role: 'tester' },
  )
  const turns: string[][] = []
  for (let i = 0; i < 7; i++) turns.push(await to(world, 'role:builder'))
  expect(turns.flat()).toEqual(['ann', 'bob', 'cid', 'ann', 'bob', 'cid', 'ann'])
  expect(await to(world, 'role:builder', 'bob')).toEqual(['cid'])
  expect(await to(world, 'role:builder', 'ann')).toEqual(['bob'])
  expect(await to(world, 'role:tester')).toEqual(['fay'])
  // eve is dormant but can be woken.
  await agents(world, { agent: 'eve', status: 'dormant', wake_command: '["true"]' })
  expect(await to(world, 'role:builder')).toEqual(['cid'])
  expect(await to(world, 'role:builder')).toEqual(['eve'])
})

behaves('address/role-queue', async (world) => {
  expect(await to(world, 'role:builder')).toEqual(['role:builder'])
  await agents(world, { agent: 'ann', role: 'builder', status: 'off' })
  expect(await to(world, 'role:builder')).toEqual(['role:builder'])
  expect(await deliveries(world)).toEqual(['role:builder', 'role:builder'])
  await agents(world, { agent: 'bob', role: 'builder' }, { agent: 'cid', role: 'builder' })
  expect(await deliveries(world)).toEqual(['bob', 'bob'])
  const { messages } = await world.inbox.mailReceipts({ agent: 'lead' })
  expect(messages.map(({ to, receipts }) => [to, receipts.map((one) => one.recipient)])).toEqual([
    ['role:builder', ['bob']],
    ['role:builder', ['bob']],
  ])
  expect((await world.inbox.doctor({})).findings.filter(isBad)).toEqual([])
})

behaves('address/own-role', async (world) => {
  await agents(world, { agent: 'ann', role: 'builder' })
  expect(await to(world, 'role:builder', 'ann')).toEqual(['role:builder'])
  expect((await world.as('ann').mailRead({})).messages).toEqual([])
  await agents(world, { agent: 'ann', role: 'builder' })
  expect(await deliveries(world)).toEqual(['role:builder'])
  await agents(world, { agent: 'bob', role: 'builder' })
  expect(await deliveries(world)).toEqual(['bob'])
})

behaves('address/broadcast', async (world) => {
  expect(await to(world, 'broadcast')).toEqual([])
  await world.inbox.agentStatus({ agent: 'lead', status: 'dormant' })
  await agents(
    world,
    { agent: 'ann', status: 'running' },
    { agent: 'bob', status: 'idle' },
    { agent: 'cid', status: 'dormant', wake_command: '["true"]' },
    { agent: 'dan', status: 'off' },
  )
  expect(await to(world, 'broadcast')).toEqual(['ann', 'bob'])
  expect(await to(world, 'broadcast', 'ann')).toEqual(['bob'])
  expect(await to(world, 'broadcast', 'user')).toEqual(['ann', 'bob'])
  // They haven't been seen for a long time, so they no longer count as running.
  await world.clock.advance(901)
  expect(await to(world, 'broadcast', 'user')).toEqual([])
})

behaves('address/person', async (world) => {
  await agents(
    world,
    { agent: 'boss', role: 'orchestrator' },
    { agent: 'ann' },
    { agent: 'bob', may_write_to_user: true },
  )
  await world.inbox.personAdd({ name: 'user:eve' })
  expect(await to(world, 'user', 'boss')).toEqual(['user'])
  expect(await to(world, 'user', 'bob')).toEqual(['user'])
  expect(await to(world, 'user', 'user:eve')).toEqual(['user'])
  expect(await to(world, 'user:eve', 'boss')).toEqual(['user:eve'])
  const before = await everything(world)
  for (const address of ['user', 'user:eve']) {
    const { message } = await refused(to(world, address, 'ann'), 'forbidden')
    expect(message).toStartWith(
      `ann may not write to ${address}; send it to orchestrator, which answers or passes it on, or show it with `,
    )
  }
  const stranger = await refused(to(world, 'user:nobody', 'boss'), 'not_found')
  expect(stranger.message).toMatch(/add them with .*person.?add/i)
  expect(await everything(world)).toEqual(before)
})

behaves('address/person-work', async (world) => {
  const { inbox } = world
  await agents(
    world,
    { agent: 'boss', role: 'orchestrator' },
    { agent: 'ann' },
    { agent: 'bob', may_write_to_user: true },
  )
  const made = await inbox.send({ from: 'boss', to: 'ann', subject: 'Build it' })
  const thread = made.thread.thread_id
  const before = await everything(world)
  const words = { from: 'ann', to: 'user', summary: 'Look here' }
  for (const call of [
    () => inbox.send(words),
    () => inbox.send({ ...words, thread }),
    () => inbox.reply({ ...words, thread, kind: 'question' }),
  ]) {
    const { message } = await refused(call(), 'forbidden')
    expect(message).toContain('ann may not write to user; send it to orchestrator')
  }
  expect(await everything(world)).toEqual(before)
  for (const from of ['boss', 'bob', 'user:eve']) await inbox.send({ ...words, from })
  await inbox.reply({ ...words, from: 'bob', thread })

  // A person who wrote first can be answered: in threads they started, and in threads they wrote to.
  const theirs = await inbox.send({ from: 'user', to: 'ann', subject: 'Build it' })
  await inbox.reply({ ...words, thread: theirs.thread.thread_id })
  await inbox.reply({ from: 'ann', thread: theirs.thread.thread_id, summary: 'Again' })
  await refused(inbox.reply({ ...words, to: 'user:eve', thread }), 'forbidden')
  await inbox.send({ from: 'user', to: 'ann', thread, summary: 'How far?' })
  await inbox.reply({ ...words, thread })
  await inbox.send({ ...words, thread })
})

behaves('address/instance', async (world) => {
  await agents(
    world,
    { agent: 'ann@nightly' },
    { agent: 'bob@nightly', status: 'dormant' },
    { agent: 'cid@nightly', status: 'off' },
    { agent: 'ann@daily' },
    { agent: 'ann' },
  )
  expect(await to(world, 'ann@nightly')).toEqual(['ann@nightly'])
  expect(await to(world, 'agent:ann@daily')).toEqual(['ann@daily'])
  expect(await to(world, '@nightly')).toEqual(['ann@nightly', 'bob@nightly'])
  expect(await to(world, '@nightly', 'ann@nightly')).toEqual(['bob@nightly'])
  const nobody = await refused(to(world, '@weekly'), 'not_found')
  expect(nobody.message).toContain('no other agent of instance weekly is there')
})

behaves('address/work', async (world) => {
  const { thread } = await world.inbox.send({ from: 'lead', to: 'worker', subject: 'Build' })
  const known = async () =>
    (await world.sql('select agent_id from agents order by agent_id')).map((row) => row.agent_id)
  expect(await known()).toEqual(['lead', 'worker'])
  expect(await to(world, 'worker', 'lead')).toEqual(['worker'])
  const { thread_id } = thread
  await world.inbox.send({ from: 'ann', thread: thread_id, to: 'bob', summary: 'Look' })
  await world.inbox.reply({ from: 'cid', thread: thread_id, to: 'lead', summary: 'Seen' })
  expect(await known()).toEqual(['ann', 'bob', 'cid', 'lead', 'worker'])
  // An agent that is written to keeps its role.
  await agents(world, { agent: 'worker', role: 'builder' })
  await world.inbox.send({ from: 'lead', to: 'worker', subject: 'Build more' })
  const [worker] = await world.sql("select role from agents where agent_id = 'worker'")
  expect(worker).toEqual({ role: 'builder' })
  const events = await world.sql("select * from events where event_type = 'agent_register'")
  expect(events).toHaveLength(6)
})

behaves('address/holder', async (world) => {
  const thread = await task(world)
  // After this much time, a wait records a sighting immediately.
  await world.clock.advance(100)
  const after_event = (await world.inbox.list({ limit: 1 })).next_event_id
  expect(await world.as('idler').claim({})).toMatchObject({ thread: null })
  expect(await world.as('looker').watch({ after_event, timeout_seconds: 1 })).toMatchObject({
    woke: false,
  })
  const { lease } = await world.as('other').claim({ thread })
  const held = { thread, lease_token: lease?.lease_token, summary: 'So' } as const
  // The token proves the lease, no matter who presents it.
  await world.as('helper').update({ ...held, status: 'in_progress' })
  const names = ['helper', 'idler', 'lead', 'looker', 'other', 'worker']
  await until(async () => {
    const { agents } = await world.inbox.agentList({})
    return agents.map(({ agent_id }) => agent_id).join() === names.join()
  }, 'all are known')
  const { agents } = await world.inbox.agentList({})
  expect(agents.find(({ agent_id }) => agent_id === 'other')).toMatchObject({ status: 'running' })
  const sent = { from: 'lead', body: 'Hello' } as const
  const { recipients } = await world.inbox.mailSend({ ...sent, to: 'broadcast' })
  expect(recipients.toSorted()).toEqual(['helper', 'idler', 'looker', 'other'])
  for (const to of recipients) {
    expect(await world.inbox.mailSend({ ...sent, to })).toMatchObject({ recipients: [to] })
  }
  expect(await logAgrees(world)).toBe(true)
  // Fetching and listing don't make an agent known.
  await world.as('guest').fetch({})
  await world.as('guest').list({})
  const rows = await world.sql("select * from agents where agent_id = 'guest'")
  expect(rows).toEqual([])
})

behaves('address/unknown', async (world) => {
  const { inbox } = world
  // With no other known agents, there's nothing to compare a name with.
  const first = await inbox.send({ from: 'lead', to: 'worker', subject: 'Build' })
  expect(first).not.toHaveProperty('warning')
  const told =
    'no agent called wroker has been seen here; the message waits for it; did you mean worker?'
  const sent = await inbox.mailSend({ from: 'lead', to: 'wroker', body: 'Hello' })
  expect(sent).toMatchObject({ recipients: ['wroker'], warning: told })
  expect((await inbox.mailRead({ agent: 'wroker' })).messages).toHaveLength(1)
  const again = await inbox.mailSend({ from: 'lead', to: 'wroker', body: 'Hello' })
  expect(again).not.toHaveProperty('warning')
  const work = await inbox.send({ from: 'lead', to: 'Worker', subject: 'Build' })
  expect(work.thread.assigned_to).toBe('Worker')
  expect(work.warning).toContain('no agent called Worker has been seen here')
  expect(work.warning).toContain('did you mean worker?')
  const far = await inbox.send({ from: 'lead', to: 'somebody-else', subject: 'Build' })
  expect(far.warning).toBe(
    'no agent called somebody-else has been seen here; the message waits for it',
  )
  await inbox.agentRegister({ agent: 'ann', role: 'builder', status: 'idle' })
  const role = 'no agent has the role bulider; the message waits for the first one that has it'
  const letters = [
    await inbox.mailSend({ from: 'lead', to: 'role:bulider', body: 'Hello' }),
    await inbox.send({ from: 'lead', to: 'role:bulider', subject: 'Build' }),
  ]
  for (const { warning } of letters) expect(warning).toBe(`${role}; did you mean builder?`)
  const known = await inbox.mailSend({ from: 'lead', to: 'role:builder', body: 'Hello' })
  expect(known).not.toHaveProperty('warning')
})

behaves('address/invented', async (world) => {
  const { inbox } = world
  await inbox.agentRegister({ agent: 'ann' })
  await world.sql(
    `insert into agents (agent_id, registered_at, updated_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
     select 'invented' || i, '2026-03-01T08:00:00.000Z', '2026-03-01T08:00:00.000Z' from n`,
  )
  const mail = { from: 'ann', to: 'another', body: 'Hello' }
  await refused(inbox.mailSend(mail), 'invalid_state')
  await refused(inbox.send({ from: 'ann', to: 'another', subject: 'Hello' }), 'invalid_state')
  // An agent that has made a call can be written to.
  await inbox.mailRead({ agent: 'another' })
  await inbox.mailSend(mail)
})
