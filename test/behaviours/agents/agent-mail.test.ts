// Mail that an agent takes over when it appears, and mail that bounces when it is off.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

async function unread(world: World, agent: string): Promise<number> {
  return (await world.inbox.agentStatus({ agent })).agent.unread
}

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
  // Mail to the orchestrator, whatever form of the address it uses, doesn't make an agent the orchestrator.
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

  // An orchestrator's first read takes over the queued mail once, and the log survives an import.
  const reading = await world.another('empty')
  await queued(reading)
  const got = await reading.inbox.mailRead({ agent: 'orchestrator' })
  expect(got.messages.map(({ body }) => body)).toEqual(['Who leads?'])
  expect(await unread(reading, 'orchestrator')).toBe(1)
  expect(await ailments(reading)).toEqual([])
  const copy = await world.another('empty')
  await copy.importLog(await reading.exportLog())
  expect(await unread(copy, 'orchestrator')).toBe(1)

  // If it answers the queued message first, its next read takes the mail over.
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
  // Only a remedy that works is suggested: there is no other orchestrator, and no other role for that name.
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
