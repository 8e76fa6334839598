import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { blocked, held, logAgrees, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

/** The state of each delivery to a recipient, in log order. */
async function states(world: World, recipient: string): Promise<unknown[]> {
  // Make another call, because it starts only after the previous one has finished its deferred work.
  await world.inbox.list({})
  const rows = await world.sql(
    'select state from deliveries where recipient = ? order by event_id',
    recipient,
  )
  return rows.map(({ state }) => state)
}

async function team({ inbox }: World): Promise<void> {
  await inbox.agentRegister({ agent: 'lead', role: 'orchestrator' })
  await inbox.agentRegister({ agent: 'worker' })
}

async function ask(world: World, words: object): Promise<string> {
  const question = { from: 'lead', to: 'worker', type: 'question', body: 'Which?' } as const
  const { message } = await world.inbox.mailSend({ ...question, ...words })
  return message?.id as string
}

/** Has the worker look at its mail, and waits until that is recorded. */
async function showMail(world: World): Promise<void> {
  const worker = world.as('worker')
  await worker.mailRead({})
  await worker.list({})
}

async function subjects(world: World, agent: string): Promise<string[]> {
  return (await world.inbox.mailPeek({ agent })).messages.map(({ subject }) => subject)
}

behaves('acted/answer', async (world) => {
  await team(world)
  const first = await ask(world, {})
  await showMail(world)
  const second = await ask(world, { in_reply_to: first, body: 'And which of them?' })
  const third = await ask(world, { in_reply_to: first, body: 'By when?' })
  await world.inbox.mailSend({ from: 'worker', in_reply_to: first, body: 'This' })
  expect(await states(world, 'worker')).toEqual(['acted', 'queued', 'queued'])
  // An agent that answers a message by id must have seen it somehow.
  await world.inbox.mailSend({ from: 'worker', in_reply_to: third, body: 'Today' })
  expect(await states(world, 'worker')).toEqual(['acted', 'queued', 'acted'])
  const reader = world.as('worker')
  expect((await reader.mailRead({})).messages).toMatchObject([{ id: second }])
  // By now, the second message counts as shown.
  await reader.list({})
  await world.inbox.mailSend({ from: 'worker', in_reply_to: third, body: 'Or tomorrow' })
  expect(await states(world, 'worker')).toEqual(['acted', 'acted', 'acted'])
  expect(await logAgrees(world)).toBe(true)
})

behaves('acted/stop', async (world) => {
  await team(world)
  const first = await ask(world, {})
  await showMail(world)
  const stop = await ask(world, { in_reply_to: first, type: 'cancel', body: 'Stop' })
  const answer = { from: 'worker', in_reply_to: first, body: 'This' }
  const { stop: told } = (await world.inbox.mailSend(answer)) as { stop?: { id: string } }
  expect(told).toMatchObject({ id: stop })
  expect(await states(world, 'worker')).toEqual(['acted', 'presented'])
  expect(await world.as('worker').mailPeek({})).toMatchObject({ stop: { id: stop } })
})

behaves('acted/claim', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'In blue' })
  const { message } = await world.inbox.claim({ agent: 'worker', thread })
  expect(message).toMatchObject({ summary: 'Build the parser' })
  expect(await states(world, 'worker')).toEqual(['acted', 'queued'])
  expect(await subjects(world, 'worker')).toEqual(['In blue'])
  expect(await logAgrees(world)).toBe(true)
})

behaves('acted/take-over', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'In blue' })
  await world.inbox.send({ from: 'other', to: 'worker', thread, summary: 'From me' })
  const said = { from: 'lead', thread, to: 'worker', kind: 'control', summary: 'Faster' } as const
  await world.inbox.reply(said)
  await world.inbox.claim({ agent: 'other', thread })
  expect(await subjects(world, 'worker')).toEqual([])
  expect(await subjects(world, 'other')).toEqual(['In blue', 'Faster'])
  expect(await states(world, 'worker')).toEqual(['expired', 'expired'])
  // An agent that has read the thread does not get its messages again.
  const read = await task(world)
  await world.inbox.send({ from: 'lead', thread: read, summary: 'In red' })
  await world.inbox.show({ agent: 'other', thread: read, mark_read: true })
  await world.inbox.claim({ agent: 'other', thread: read })
  expect(await subjects(world, 'other')).toEqual(['In blue', 'Faster'])
  expect(await logAgrees(world)).toBe(true)
  const log = await world.exportLog()
  const copy = await world.another('empty')
  expect(await copy.importLog(log)).toMatchObject({ rejected: [] })
  expect(await copy.exportLog()).toBe(log)
  expect(await logAgrees(copy)).toBe(true)
})

behaves('acted/take-over-role', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder', status: 'dormant' })
  await world.clock.advance(1000)
  const thread = await task(world, { to: 'role:builder' })
  await world.inbox.send({ from: 'lead', thread, summary: 'In blue' })
  await world.inbox.claim({ agent: 'ann' })
  expect(await subjects(world, 'ann')).toEqual(['In blue'])
  expect(await states(world, 'role:builder')).toEqual(['expired'])
  expect(await logAgrees(world)).toBe(true)
})

behaves('acted/renew', async (world) => {
  const { thread } = await held(world)
  await world.inbox.reply({ from: 'lead', thread, kind: 'control', summary: 'Faster' })
  await world.inbox.mailRead({ agent: 'worker' })
  await world.inbox.send({ from: 'lead', thread, summary: 'In blue' })
  await world.inbox.renew({ agent: 'worker', thread })
  expect(await states(world, 'worker')).toEqual(['acted', 'presented', 'queued'])
  const progress = { agent: 'worker', thread, status: 'in_progress', summary: 'So far' } as const
  await world.inbox.update(progress)
  expect(await states(world, 'worker')).toEqual(['acted', 'acted', 'queued'])
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  expect(await subjects(world, 'worker')).toEqual(['In blue'])
  expect(await logAgrees(world)).toBe(true)
})

behaves('acted/awaited', async (world) => {
  await team(world)
  const first = await ask(world, {})
  const more = { from: 'lead', to: 'worker', in_reply_to: first, body: 'And?' }
  const waiting = world.inbox.mailSend({ ...more, wait: 'presented', timeout_seconds: 2 })
  const sent = 'select * from messages where seq = 2'
  await until(async () => (await world.sql(sent)).length === 1, 'it was sent')
  await world.inbox.mailSend({ from: 'worker', in_reply_to: first, body: 'This' })
  expect(await waiting).toMatchObject({ reached: false, receipts: [{ state: 'queued' }] })
})

behaves('acted/question', async (world) => {
  const { thread } = await blocked(world)
  const worker = { agent: 'worker', thread } as const
  await world.inbox.update({ ...worker, status: 'in_progress', summary: 'Meanwhile' })
  // A message that isn't an answer leaves the question open.
  await world.inbox.reply({ from: 'lead', thread, kind: 'progress', summary: 'Looking' })
  expect(await states(world, 'lead')).toEqual(['queued', 'queued'])
  await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
  expect(await states(world, 'lead')).toEqual(['acted', 'queued'])
  await world.inbox.update({ ...worker, status: 'blocked', summary: 'Which version?' })
  const lead = world.as('lead')
  await lead.mailRead({})
  await lead.list({})
  await world.inbox.update({ ...worker, status: 'blocked', summary: 'And for whom?' })
  // The answer counts as an answer to the question that was shown.
  await world.inbox.reply({ from: 'lead', thread, summary: 'The second' })
  expect(await subjects(world, 'lead')).toEqual(['And for whom?'])
  await world.inbox.reply({ from: 'lead', thread, summary: 'All' })
  expect(await subjects(world, 'lead')).toEqual([])
  expect(await logAgrees(world)).toBe(true)
})

behaves('acted/old-log', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'In blue' })
  await world.inbox.claim({ agent: 'worker', thread })
  const log = await world.exportLog()
  const without = log.replace(/,\\"handed\\":\[\\"\w+\\"\]|,"handed":\["\w+"\]/, '')
  expect(without).not.toBe(log)
  const copy = await world.another('empty')
  expect(await copy.importLog(without)).toMatchObject({ rejected: [] })
  expect(await states(copy, 'worker')).toEqual(['acted', 'queued'])
  expect(await logAgrees(copy)).toBe(true)
})
