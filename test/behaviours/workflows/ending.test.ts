// Mentions that can't be delivered, channels that end, and other ways to write to the agents of a workflow.
import { expect } from 'bun:test'
import { endInstance } from '../../../src/workflows/instance-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { beginIn, besideDoor } from '../../worlds/instances.ts'
import type { World } from '../../worlds/world.ts'

const CODER = 'coder@pr-1'
const REVIEWER = 'reviewer@pr-1'

function say(world: World, agent: string, message: string) {
  return world.as(agent).workflowContextSend({ agent, message })
}

async function lastWords(world: World) {
  const { entries } = await world.inbox.workflowContextPeek({
    agent: 'user',
    instance: 'pr-1',
    limit: 1,
  })
  return entries[0]
}

async function states(world: World) {
  const rows = await world.sql(
    'select recipient, state from deliveries order by event_id, recipient',
  )
  return rows.map(({ recipient, state }) => `${recipient} ${state}`)
}

behaves('channel/bounce', async (world) => {
  await beginIn(world)
  await say(world, REVIEWER, '@coder fix it')
  const { id } = await say(world, REVIEWER, '@coder and soon')
  await world.inbox.agentStatus({ agent: CODER, status: 'off' })
  expect(await lastWords(world)).toMatchObject({
    from: 'system',
    message: '2 messages did not reach coder: coder@pr-1 is off',
    mentions: ['reviewer'],
    reply_to: id,
  })
  const told = [`${CODER} bounced`, `${CODER} bounced`, `${REVIEWER} queued`]
  expect(await states(world)).toEqual(told)
  // A message to everyone can't be refused, so a mention of the agent bounces at the next sweep.
  await say(world, REVIEWER, '@coder are you there? @user')
  await world.inbox.sweep({})
  expect(await lastWords(world)).toMatchObject({ from: 'system', seq: 6 })
  expect(await states(world)).toEqual([
    ...told,
    `${CODER} bounced`,
    'user queued',
    `${REVIEWER} queued`,
  ])
  // A notice that bounces causes no further notice, so two agents that are off don't notify each other forever.
  await world.inbox.agentStatus({ agent: REVIEWER, status: 'off' })
  expect(await lastWords(world)).toMatchObject({ from: 'system', seq: 7, mentions: [] })
})

behaves('channel/new-run', async (world) => {
  const first = await beginIn(world)
  await say(world, REVIEWER, '@coder fix it')
  await say(world, REVIEWER, '@user look')
  const { token } = first
  await besideDoor(world, ({ store }) => endInstance(store, { instance: 'pr-1', token }, 'idle'))
  const late = say(world, REVIEWER, '@coder one more thing')
  await expect(late).rejects.toMatchObject({ code: 'invalid_state' })
  const next = await beginIn(world)
  expect(await states(world)).toEqual([`${CODER} expired`, 'user queued'])
  const { messages } = await world.as(CODER).workflowContextInbox({ agent: CODER })
  expect(messages).toEqual([])
  const { entries, run } = await world.inbox.workflowContextRead({ agent: CODER })
  expect([run, entries.length]).toEqual([2, 1])
  const { thread } = await world.inbox.show({ agent: CODER, thread: first.instance.thread_id })
  expect(thread).toMatchObject({ status: 'ended', kind: 'channel' })
  expect(next.instance.thread_id).not.toBe(first.instance.thread_id)
})

behaves('channel/prune', async (world) => {
  const DAY = 86_400
  const ended = async (instance: string, message?: string) => {
    const { token, instance: begun } = await beginIn(world, teamOf(instance))
    const agent = `coder@${instance}`
    if (message !== undefined) await world.as(agent).workflowContextSend({ agent, message })
    await besideDoor(world, ({ store }) => endInstance(store, { instance, token }, 'idle'))
    return begun.thread_id
  }
  const old = await ended('old', '@reviewer never read')
  const read = await ended('read', '@user look')
  const { instance: runs } = await beginIn(world, teamOf('runs'))
  await world.clock.advance(20 * DAY)
  const young = await ended('young')
  await world.clock.advance(11 * DAY)
  const kept = async () => {
    const rows = await world.sql("select thread_id from threads where kind = 'channel'")
    return rows.map(({ thread_id }) => String(thread_id)).toSorted()
  }
  const { removed } = await world.inbox.prune({})
  expect(removed.kinds.channel).toEqual({ threads: 1, messages: 2 })
  expect(await kept()).toEqual([read, runs.thread_id, young].toSorted())
  // The next prune removes the instance, and the person's channel once it has been read.
  await world.inbox.deskMark({ agent: 'user', threads: [read], as: 'read' })
  const again = await world.inbox.prune({})
  expect(again.removed).toMatchObject({ instances: 1, kinds: { channel: { threads: 1 } } })
  expect(await kept()).toEqual([runs.thread_id, young].toSorted())
  const names = await world.sql('select instance from instances order by instance')
  expect(names.map(({ instance }) => instance)).toEqual(['read', 'runs', 'young'])
  await expect(beginIn(world, { ...teamOf('read'), resume: true })).rejects.toThrow('no run')
  expect(old).not.toBe(read)
  const { findings } = await world.inbox.doctor({})
  expect(findings.filter(({ check, ok }) => check === 'log' && !ok)).toEqual([])
})

function teamOf(instance: string) {
  const members = ['reviewer', 'coder'].map((name) => ({
    name,
    agent_id: `${name}@${instance}`,
    backend: 'command',
    model: '',
  }))
  return { instance, members }
}

behaves('channel/mail', async (world) => {
  await beginIn(world)
  // An agent that is named like a member but isn't in the workflow gets nothing.
  await world.inbox.agentRegister({ agent: 'helper@pr-1' })
  const sent = await world.inbox.mailSend({ from: 'user', to: '@pr-1', body: 'Good morning' })
  expect(await states(world)).toEqual([`${CODER} queued`, `${REVIEWER} queued`])
  expect(sent.recipients?.toSorted()).toEqual([CODER, REVIEWER])
  await world.inbox.mailSend({ from: REVIEWER, to: CODER, body: 'By mail' })
  const typo = world.inbox.mailSend({ from: 'user', to: 'codr@pr-1', body: 'hello' })
  await expect(typo).rejects.toMatchObject({ code: 'not_found' })
  await expect(typo).rejects.toThrow(`${REVIEWER}, ${CODER}`)
  const alone = {
    standalone: true,
    members: [{ name: 'solo', agent_id: 'solo', backend: 'sdk', model: '' }],
  }
  await beginIn(world, { instance: 'solo', ...alone })
  await world.inbox.mailSend({ from: 'user', to: '@solo', body: 'And you' })
  expect((await world.inbox.workflowContextInboxPeek({ agent: 'solo' })).messages).toHaveLength(1)
})

behaves('channel/answer', async (world) => {
  const { thread_id } = (await beginIn(world)).instance
  const { id } = await say(world, REVIEWER, '@coder fix it')
  const letter = world.as(CODER).mailSend({ from: CODER, in_reply_to: id, body: 'Done' })
  await expect(letter).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(letter).rejects.toThrow(/context.?send|channel_send/i)
  const reply = world.inbox.reply({ from: CODER, thread: thread_id, body: 'Done' })
  await expect(reply).rejects.toMatchObject({ code: 'invalid_state' })
  const claim = world.inbox.claim({ agent: CODER, thread: thread_id })
  await expect(claim).rejects.toMatchObject({ code: 'invalid_state' })
  const cancel = world.inbox.cancel({ agent: 'user', thread: thread_id })
  await expect(cancel).rejects.toMatchObject({ code: 'invalid_state' })
  expect(await states(world)).toEqual([`${CODER} queued`])
})
