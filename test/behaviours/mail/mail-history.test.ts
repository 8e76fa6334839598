import { expect } from 'bun:test'
import { connect } from '../../../src/index.ts'
import { behaves } from '../../worlds/behaves.ts'
import { desk, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

type Filter = Parameters<World['inbox']['mailHistory']>[0]

const subjects = async (world: World, filter: Filter = {}, agent?: string) => {
  const inbox = agent === undefined ? world.inbox : world.as(agent)
  return (await inbox.mailHistory(filter)).messages.map(({ subject }) => subject)
}

/** Work and mail, a second apart. */
async function exchangeMail(
  world: World,
): Promise<{ work: string; mail: string; times: string[] }> {
  const times: string[] = []
  const tick = async () => void times.push(await world.clock.advance(1))
  await world.as('ann').agentRegister({})
  await world.as('bob').agentRegister({ role: 'builder' })
  await tick()
  const { thread: work } = await held(world)
  await tick()
  const asked = await world.inbox.mailSend({
    from: 'ann',
    to: 'bob',
    type: 'question',
    subject: 'Which grammar?',
    body: 'Left or Right',
  })
  await tick()
  await world.inbox.mailSend({
    from: 'bob',
    to: 'ann',
    type: 'answer',
    subject: 'PEG',
    in_reply_to: asked.message?.id,
  })
  await tick()
  await world.inbox.mailSend({ from: 'user', to: 'role:builder', subject: '100% sure_ly' })
  await tick()
  await world.inbox.done({ agent: 'worker', thread: work, summary: 'Built' })
  return { work, mail: asked.message?.thread_id as string, times }
}

const EVERYTHING = ['Built', '100% sure_ly', 'PEG', 'Which grammar?', 'Build the parser']

behaves('history/all', async (world) => {
  await exchangeMail(world)
  const answer = await world.inbox.mailHistory({})
  expect(answer.messages.map(({ subject }) => subject)).toEqual(EVERYTHING)
  expect(answer.messages.map(({ type }) => type)).toEqual([
    'task-done',
    'custom',
    'answer',
    'question',
    'task-assigned',
  ])
  expect(answer).toMatchObject({ has_more: false, next_before: null })
  const order = answer.messages.map(({ event_id }) => event_id)
  expect(order).toEqual([...order].sort((a, b) => b - a))
  const empty = await world.inbox.mailHistory({ text: 'nowhere' })
  expect(empty.messages).toEqual([])
  expect(world.exitOf(empty)).toBe(0)
})

behaves('history/filters', async (world) => {
  const { work, mail, times } = await exchangeMail(world)
  expect(await subjects(world, { type: ['question', 'answer'] })).toEqual(['PEG', 'Which grammar?'])
  // Both vocabularies for types work.
  expect(await subjects(world, { type: ['task-done'] })).toEqual(['Built'])
  expect(await subjects(world, { type: ['result'] })).toEqual(['Built'])
  expect(await subjects(world, { type: ['event'] })).toEqual([])
  expect(await subjects(world, { with: 'worker' })).toEqual(['Built', 'Build the parser'])
  expect(await subjects(world, { with: 'agent:bob' })).toEqual([
    '100% sure_ly',
    'PEG',
    'Which grammar?',
  ])
  expect(await subjects(world, { with: 'user' })).toEqual(['100% sure_ly'])
  expect(await subjects(world, { thread: work })).toEqual(['Built', 'Build the parser'])
  expect(await subjects(world, { thread: mail })).toEqual(['PEG', 'Which grammar?'])
  expect(await subjects(world, { thread: 'thr_none' })).toEqual([])
  expect(await subjects(world, { since: times[2], until: times[3] })).toEqual([
    '100% sure_ly',
    'PEG',
  ])
  expect(await subjects(world, { since: times[4] })).toEqual(['Built'])
  expect(await subjects(world, { until: times[0] })).toEqual(['Build the parser'])
  expect(await subjects(world, { type: ['question'], with: 'ann', thread: mail })).toEqual([
    'Which grammar?',
  ])
  const { messages } = await world.inbox.mailHistory({ type: ['question'] })
  const since = String(messages[0]?.event_id)
  expect(await subjects(world, { since })).toEqual(EVERYTHING.slice(0, 3))
})

behaves('history/sides', async (world) => {
  await exchangeMail(world)
  expect(await subjects(world, { direction: 'out' }, 'ann')).toEqual(['Which grammar?'])
  expect(await subjects(world, { direction: 'in' }, 'ann')).toEqual(['PEG'])
  // A role's members received the messages to the role.
  expect(await subjects(world, { direction: 'in' }, 'bob')).toEqual([
    '100% sure_ly',
    'Which grammar?',
  ])
  expect(await subjects(world, { direction: 'out' }, 'user')).toEqual(['100% sure_ly'])
  expect(await subjects(world, { direction: 'in' }, 'user')).toEqual([])
  const sideways = { direction: 'up' as 'in' }
  await refused(world.as('ann').mailHistory(sideways), 'invalid_input')
  if (world.door === 'library')
    await refused(world.inbox.mailHistory({ direction: 'in' }), 'invalid_input')
})

behaves('history/workspace', async (world) => {
  const thesis = await desk(world)
  const trip = await desk(world, 'trip')
  const rates = await pushed(world, { workspace: thesis.workspace, comments: 'Rates' })
  await pushed(world, { workspace: trip.workspace, comments: 'Trains' })
  await world.inbox.pushReply({ entry: rates, comments: 'Which year?' })
  await exchangeMail(world)
  const { workspace } = thesis
  expect(await subjects(world, { workspace })).toEqual(['Which year?', 'Rates'])
  expect(await subjects(world, { workspace, text: 'rates' })).toEqual(['Rates'])
  expect(await subjects(world, { workspace: 'ws_none' })).toEqual([])
})

behaves('history/message', async (world) => {
  await exchangeMail(world)
  const { messages } = await world.inbox.mailHistory({})
  const oldest = messages.at(-1)
  const found = await world.inbox.mailHistory({ message: oldest?.id })
  expect(found).toMatchObject({ messages: [oldest], has_more: false, cut: false })
  expect(await subjects(world, { message: oldest?.id, type: ['answer'] })).toEqual([])
  expect(await subjects(world, { message: oldest?.id, before: oldest?.event_id })).toEqual([])
  expect(await subjects(world, { message: 'msg_none' })).toEqual([])
  // An agent can't use an id to find messages it may not see.
  expect(await subjects(world, { message: oldest?.id }, 'ann')).toEqual([])
})

behaves('history/text', async (world) => {
  await exchangeMail(world)
  expect(await subjects(world, { text: 'GRAMMAR' })).toEqual(['Which grammar?'])
  expect(await subjects(world, { text: 'left or right' })).toEqual(['Which grammar?'])
  expect(await subjects(world, { text: '0% s' })).toEqual(['100% sure_ly'])
  expect(await subjects(world, { text: 'sure_l' })).toEqual(['100% sure_ly'])
  for (const text of ['1%y', 'sure_y', '~', '_grammar']) {
    expect(await subjects(world, { text })).toEqual([])
  }
})

behaves('history/pages', async (world) => {
  await exchangeMail(world)
  const seen: string[] = []
  let before: number | undefined
  for (let pages = 0; pages < 10; pages++) {
    const page = await world.inbox.mailHistory({ limit: 2, before })
    seen.push(...page.messages.map(({ subject }) => subject))
    expect(page.has_more).toBe(page.next_before !== null)
    if (page.next_before === null) break
    before = page.next_before
  }
  expect(seen).toEqual(EVERYTHING)
})

behaves('history/cut', async (world) => {
  const long = 'x'.repeat(262_144)
  const inbox = await connect(world.address)
  const send = (subject: string, body: string) =>
    inbox.mailSend({ from: 'ann', to: 'bob', subject, body })
  await inbox.agentRegister({ agent: 'bob' })
  await send('Needle', 'short')
  const sent: number[] = []
  // One at a time: on a busy machine, a hundred sends waiting for one lock can time out.
  for (let i = 0; i < 120; i++) sent.unshift((await send('Hay', long)).next_event_id)
  await inbox.close()
  const first = await world.as('bob').mailHistory({ text: 'nEEdle' })
  if (world.door === 'cli') {
    expect(first.messages.map(({ subject }) => subject)).toEqual(['Needle'])
    expect(first).toMatchObject({ cut: false, has_more: false, next_before: null })
    return
  }
  // Each of these messages fills one batch, and a call reads at most a hundred batches.
  const next_before = sent[99]
  expect(first).toMatchObject({ messages: [], cut: true, has_more: true, next_before })
  const rest = await world.as('bob').mailHistory({ text: 'nEEdle', before: next_before })
  expect(rest.messages.map(({ subject }) => subject)).toEqual(['Needle'])
  expect(rest).toMatchObject({ cut: false, has_more: false, next_before: null })
  const other = await world.as('bob').mailHistory({ text: 'nEEdle', before: sent[10] })
  expect(other).toMatchObject({ messages: [], cut: true, next_before: sent[110] })
})

behaves('history/visible', async (world) => {
  await exchangeMail(world)
  await world.as('boss').agentRegister({ role: 'orchestrator' })
  for (const who of ['boss', 'orchestrator', 'user', 'user:ann']) {
    expect(await subjects(world, {}, who)).toEqual(EVERYTHING)
  }
  expect(await subjects(world, {}, 'ann')).toEqual(['PEG', 'Which grammar?'])
  expect(await subjects(world, {}, 'bob')).toEqual(['100% sure_ly', 'PEG', 'Which grammar?'])
  expect(await subjects(world, { with: 'worker' }, 'ann')).toEqual([])
  expect(await subjects(world, { with: 'bob' }, 'ann')).toEqual(['PEG', 'Which grammar?'])
  expect(await subjects(world, {}, 'stranger')).toEqual([])
})

behaves('history/changes-nothing', async (world) => {
  await exchangeMail(world)
  const before = await everything(world)
  await subjects(world, {}, 'ann')
  await subjects(world, { text: 'a' }, 'user')
  await subjects(world, {}, 'stranger')
  await world.inbox.list({})
  expect(await everything(world)).toEqual(before)
})

behaves('history/bad-input', async (world) => {
  await exchangeMail(world)
  const bad = [
    { type: ['gossip' as 'answer'] },
    { since: 'yesterday' },
    { until: 'now' },
    { until: '7' },
    { with: '@team' },
    { with: 'a b' },
    { before: 0 },
    { limit: 501 },
  ]
  for (const filter of bad) await refused(world.inbox.mailHistory(filter), 'invalid_input')
  await refused(world.as('ann').mailHistory({ since: 'yesterday' }), 'invalid_input')
})
