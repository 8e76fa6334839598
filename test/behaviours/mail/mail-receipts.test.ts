import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import { team } from '../../worlds/team.ts'
import type { World } from '../../worlds/world.ts'

async function send(world: World, from: string, to: string, body = 'Hello'): Promise<string> {
  const { message } = await world.inbox.mailSend({ from, to, body })
  return message?.id as string
}

async function receipts(world: World, agent: string, message?: string) {
  const { messages } = await world.inbox.mailReceipts({ agent, message })
  return messages.flatMap((one) => one.receipts)
}

behaves('receipts/steps', async (world) => {
  await team(world)
  const id = await send(world, 'orchestrator', 'broadcast')
  const at = (seconds: number) => new Date(Date.parse(DAWN) + seconds * 1000).toISOString()
  const untouched = {
    recipient: 'bob',
    state: 'queued',
    queued_at: DAWN,
    presented_at: null,
    presented_by: null,
    read_at: null,
    read_by: null,
    acted_at: null,
    acted_by: null,
    ended_at: null,
    reason: null,
    expires_at: null,
  } as const
  const presented = { state: 'presented', presented_at: at(10), presented_by: world.door } as const
  const read = { ...presented, state: 'read', read_at: at(20), read_by: 'mark' } as const
  const acted = { ...read, state: 'acted', acted_at: at(30), acted_by: 'mail_append' } as const

  await world.clock.advance(10)
  await world.inbox.mailPeek({ agent: 'ann' })
  expect((await receipts(world, 'orchestrator', id))[0]?.state).toBe('queued')
  await world.inbox.mailRead({ agent: 'ann' })
  const ann = { ...untouched, recipient: 'ann' }
  expect(await receipts(world, 'orchestrator', id)).toEqual([{ ...ann, ...presented }, untouched])

  await world.clock.advance(10)
  await world.inbox.mailMarkRead({ agent: 'ann', messages: [id] })
  expect(await receipts(world, 'orchestrator', id)).toEqual([{ ...ann, ...read }, untouched])

  await world.clock.advance(10)
  await world.inbox.mailSend({ from: 'ann', in_reply_to: id, body: 'Yes' })
  expect(await receipts(world, 'orchestrator', id)).toEqual([{ ...ann, ...acted }, untouched])
})

behaves('receipts/choice', async (world) => {
  await team(world)
  const first = await send(world, 'ann', 'bob', 'one')
  await world.clock.advance(1)
  const second = await send(world, 'ann', 'orchestrator', 'two')
  await world.clock.advance(1)
  const { message: answer } = await world.inbox.mailSend({
    from: 'ann',
    to: 'bob',
    in_reply_to: first,
    body: 'three',
  })
  const third = answer?.id as string
  await world.clock.advance(1)
  const work = await task(world, { from: 'ann', to: 'bob' })
  const ids = async (input: Parameters<World['inbox']['mailReceipts']>[0]) =>
    (await world.inbox.mailReceipts(input)).messages.map(({ id }) => id)
  const own = await ids({ agent: 'ann' })
  expect(own.slice(0, 3)).toEqual([first, second, third])
  expect(own).toHaveLength(4)
  expect(await ids({ agent: 'ann', limit: 2 })).toEqual(own.slice(2))
  expect(await ids({ agent: 'ann', message: second })).toEqual([second])
  expect(await ids({ agent: 'ann', thread: answer?.thread_id })).toEqual([first, third])
  expect(await ids({ agent: 'ann', thread: work })).toEqual(own.slice(3))
  const both = world.inbox.mailReceipts({ agent: 'ann', message: first, thread: work })
  await refused(both, 'invalid_input')
})

behaves('receipts/rights', async (world) => {
  await team(world)
  const id = await send(world, 'ann', 'bob')
  for (const agent of ['ann', 'orchestrator', 'user', 'user:eve']) {
    expect(await receipts(world, agent, id)).toMatchObject([{ recipient: 'bob' }])
  }
  // Another agent's message is refused just like one that doesn't exist.
  for (const other of [id, 'msg_none']) {
    const { message } = await refused(receipts(world, 'bob', other), 'not_found')
    expect(message).toStartWith(`there is no message ${other} from bob`)
  }
  await refused(world.inbox.mailReceipts({ agent: 'ann', thread: 'thr_none' }), 'not_found')
})

behaves('receipts/nothing', async (world) => {
  await team(world)
  await send(world, 'ann', 'bob')
  const none = await world.inbox.mailReceipts({ agent: 'bob' })
  expect(none.messages).toEqual([])
  expect(world.exitOf(none)).toBe(0)
})

behaves('receipts/bounced', async (world) => {
  await team(world)
  const read = await send(world, 'ann', 'bob', 'read in time')
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  const first = await send(world, 'ann', 'bob', 'one')
  const second = await send(world, 'user', 'bob', 'two')
  const work = await task(world, { from: 'orchestrator', to: 'bob' })
  await world.clock.advance(5)
  await world.inbox.agentStatus({ agent: 'bob', status: 'off' })
  const ended = { state: 'bounced', reason: 'bob is off', ended_at: world.clock.now() }
  expect(await receipts(world, 'ann', read)).toMatchObject([{ state: 'read' }])
  expect(await receipts(world, 'ann', first)).toMatchObject([ended])
  expect(await receipts(world, 'user', second)).toMatchObject([ended])
  const told = async (agent: string) => (await world.inbox.mailPeek({ agent })).messages
  expect(await told('ann')).toMatchObject([
    {
      type: 'status',
      from: 'system',
      subject: 'Not delivered to bob: bob is off',
      in_reply_to: first,
      metadata: { bounced: [first], recipient: 'bob', reason: 'bob is off' },
    },
  ])
  expect(await told('user')).toMatchObject([{ from: 'system', in_reply_to: second }])
  expect(await told('orchestrator')).toMatchObject([
    { from: 'system', subject: 'Not delivered to bob: bob is off' },
  ])
  // The work itself waits, because bob may return.
  expect((await world.inbox.show({ thread: work })).thread.status).toBe('pending')
  expect((await told('bob')).length).toBe(0)
  const findings = (await world.inbox.doctor({})).findings.filter(
    ({ ok, check }) => !ok && check !== 'durability',
  )
  expect(findings).toEqual([])
})

behaves('receipts/bounced-late', async (world) => {
  await team(world)
  const thread = await task(world, { from: 'ann', to: 'bob' })
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  await world.inbox.agentStatus({ agent: 'bob', status: 'off' })
  const { message } = await world.inbox.send({ from: 'ann', thread, to: 'bob', summary: 'And?' })
  const own = () => receipts(world, 'ann', message.message_id)
  expect(await own()).toMatchObject([{ recipient: 'bob', state: 'queued' }])
  expect((await world.inbox.sweep({})).bounced).toBe(1)
  expect(await own()).toMatchObject([{ state: 'bounced', reason: 'bob is off' }])
  expect((await world.inbox.mailPeek({ agent: 'ann' })).messages).toMatchObject([
    { from: 'system', type: 'status', subject: 'Not delivered to bob: bob is off' },
  ])
  expect((await world.inbox.sweep({})).bounced).toBe(0)
})

behaves('receipts/expired', async (world) => {
  await team(world)
  const { message } = await world.inbox.mailSend({
    from: 'ann',
    to: 'broadcast',
    body: 'Lunch?',
    expires_seconds: 60,
  })
  const id = message?.id as string
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  await world.clock.advance(59)
  expect((await world.inbox.sweep({})).expired).toEqual([])
  await world.clock.advance(1)
  expect((await world.inbox.sweep({})).expired).toEqual([
    { message_id: id, recipient: 'orchestrator' },
  ])
  expect((await world.inbox.sweep({})).expired).toEqual([])
  expect(await receipts(world, 'ann', id)).toMatchObject([
    { recipient: 'bob', state: 'read' },
    {
      recipient: 'orchestrator',
      state: 'expired',
      reason: 'it was not read in time',
      ended_at: world.clock.now(),
    },
  ])
  expect((await world.inbox.mailPeek({ agent: 'orchestrator' })).messages).toEqual([])
})
