// Tests that a message from a file is marked as such, and that it doesn't trigger anything.

import { expect } from 'bun:test'
import type { RunningInbox } from '../../faults/inbox.ts'
import { behaves } from '../../worlds/behaves.ts'
import { withWakes } from '../../worlds/wakes.ts'
import { until, type World } from '../../worlds/world.ts'

const AT = '2026-01-10T14:00:00.000Z'

function mailbox(...lines: object[]): string {
  return lines
    .map((line) => `${JSON.stringify({ read: false, createdAt: AT, ...line })}\n`)
    .join('')
}

const OLD = mailbox(
  { id: 'old_1', type: 'question', from: 'user', to: 'agent:ann', body: 'Still there?' },
  { id: 'old_2', type: 'cancel', from: 'user', to: 'agent:ann', body: 'Stop everything' },
)
const ENTRY = {
  id: 'entry_1',
  ts: Date.parse(AT),
  workspaceId: 'ws_x',
  workspaceLabel: 'X',
  docs: [],
  comments: 'Look',
  agent: 'ann',
}

/** Returns who imported a message, according to each of the operations that show it. */
async function views(world: World, id: string, threadId: string) {
  const { messages: receipts } = await world.as('user').mailReceipts({ message: id })
  const { messages: history } = await world.as('user').mailHistory({})
  const { messages: peeked } = await world.as('ann').mailPeek({ all: true })
  const { messages: shown } = await world.as('ann').show({ thread: threadId })
  const of = <M extends { id: string }>(all: M[]) => all.find((one) => one.id === id)
  return [
    of(receipts)?.imported_by,
    of(history)?.imported_by,
    of(peeked)?.imported_by,
    shown[0]?.imported_by,
  ]
}

behaves('import/says-so', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  await world.importLog(OLD, { as: 'mailbox' })
  await world.importLog(JSON.stringify(ENTRY), { as: 'entries' })
  const { messages } = await world.as('ann').mailPeek({})
  const threadId = messages.find(({ id }) => id === 'old_1')?.thread_id as string
  expect(await views(world, 'old_1', threadId)).toEqual(['user', 'user', 'user', 'user'])
  const { entry } = await world.as('user').pushShow({ entry: 'entry_1' })
  expect(entry.imported_by).toBe('user')
  const { entries } = await world.as('user').pushHistory({})
  expect(entries.map(({ imported_by }) => imported_by)).toEqual(['user'])
  // A message sent here is not from the file, even if it answers one that is.
  const own = { from: 'ann', in_reply_to: 'old_1', body: 'Yes', to: 'user' } as const
  await world.inbox.agentRegister({ agent: 'ann', may_write_to_user: true })
  const { message } = await world.as('ann').mailSend(own)
  expect(message).not.toHaveProperty('imported_by')
  // The log records who imported them. But once a log is imported, all of its messages count as imported.
  const log = await world.exportLog()
  const copy = await world.another('empty')
  await copy.importLog(log)
  expect(await views(copy, 'old_1', threadId)).toEqual(['user', 'user', 'user', 'user'])
  const said = (await copy.as('user').mailHistory({})).messages
  expect(said.find(({ id }) => id === message?.id)?.imported_by).toBe('user')
  expect(await copy.exportLog()).toBe(log)
})

behaves('import/sets-nothing-off', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works')
    await world.importLog(OLD, { as: 'mailbox' })
    const heard = await world.as('ann').mailPeek({})
    expect(heard).not.toHaveProperty('stop')
    expect(heard.messages.map(({ id }) => id)).toEqual(['old_1', 'old_2'])
    const client = { client: 'claude', agent: 'ann' } as const
    expect((await world.as('ann').hook({ ...client, event: 'stop' })).output).toEqual({})
    await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
    const explained = await world.inbox.wakeExplain({ agent: 'ann' })
    expect(explained).toMatchObject({
      wakes: false,
      why: expect.stringContaining('imported mail wakes no one'),
    })
    wakes.broker()
    // A message sent here wakes the agent, which then gets the imported mail as well.
    const id = await wakes.send('ann', { type: 'question' })
    const [wake] = await wakes.settled(1)
    expect(wake).toMatchObject({ state: 'ended' })
    expect(wakes.turns()).toMatchObject([{ mail: ['old_1', 'old_2', id] }])
  }),
)

/** The agents that a broker reported as not started. */
function heldBy({ child }: RunningInbox): () => string[] {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const lines = () => said.split('\n').filter((line) => line.includes('"held"'))
  return () => lines().map((line) => (JSON.parse(line) as { agent_id: string }).agent_id)
}

behaves('import/log-sets-nothing-off', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works')
    await wakes.agent('bob', 'works', { wake_every_seconds: 1 })
    await wakes.send('ann', { type: 'question' })
    await world.inbox.mailSend({ from: 'user', to: 'ann', type: 'cancel', body: 'Stop' })
    const log = await world.exportLog()
    const copy = await world.another('empty')
    await withWakes(copy, async (there) => {
      // One broker is already running, and one starts later.
      const running = heldBy(there.broker())
      await copy.importLog(log)
      const later = heldBy(there.broker())
      for (const held of [running, later]) {
        await until(async () => held().length === 2, 'both are held')
        expect(held().sort()).toEqual(['ann', 'bob'])
      }
      expect(await there.wakes()).toEqual([])
    })
    expect(await copy.as('ann').mailPeek({})).not.toHaveProperty('stop')
    await copy.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
    expect(await copy.inbox.wakeExplain({ agent: 'ann' })).toMatchObject({ wakes: false })
  }),
)
