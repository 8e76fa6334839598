// Mail that asks an agent, and all agents that it started, to stop.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import { mail } from '../../worlds/team.ts'
import type { World } from '../../worlds/world.ts'

/** lead started ann, who started bob and cid; bob started dan. eve is on her own. */
async function registerFamily(world: World): Promise<void> {
  const parents = {
    lead: undefined,
    ann: 'lead',
    bob: 'ann',
    cid: 'ann',
    dan: 'bob',
    eve: undefined,
  }
  for (const [agent, parent] of Object.entries(parents)) {
    await world.inbox.agentRegister({ agent, parent, status: 'running' })
  }
}

behaves('mail-send/cancel', async (world) => {
  await registerFamily(world)
  const cancel = async (to: string) =>
    (await mail(world, { from: 'user', to, type: 'cancel' })).recipients
  expect(await cancel('ann')).toEqual(['dan', 'bob', 'cid', 'ann'])
  expect(await cancel('dan')).toEqual(['dan'])
  // An agent that is off has nothing to stop, but agents it started may still be running.
  await world.inbox.agentStatus({ agent: 'bob', status: 'off' })
  expect(await cancel('ann')).toEqual(['dan', 'cid', 'ann'])
  expect(await cancel('bob')).toEqual(['dan'])
  const { messages } = await world.inbox.mailPeek({ agent: 'dan' })
  expect(messages.map(({ type }) => type)).toEqual(['cancel', 'cancel', 'cancel', 'cancel'])
  await world.inbox.agentStatus({ agent: 'dan', status: 'off' })
  await refused(mail(world, { from: 'user', to: 'bob', type: 'cancel' }), 'invalid_state')
  expect((await world.inbox.mailPeek({ agent: 'eve' })).messages).toEqual([])
})

behaves('mail-send/cancel-rights', async (world) => {
  await registerFamily(world)
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator', status: 'running' })
  const cancel = (from: string, to: string) => mail(world, { from, to, type: 'cancel' })
  expect((await cancel('user:eve', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('boss', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('lead', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('ann', 'dan')).recipients).toEqual(['dan'])
  const before = await everything(world)
  for (const [from, to] of [
    ['eve', 'bob'],
    ['cid', 'bob'],
    ['dan', 'ann'],
    ['eve', 'eve'],
    ['newcomer', 'dan'],
  ] as const) {
    const { message } = await refused(cancel(from, to), 'forbidden')
    expect(message).toContain('ask orchestrator to do it')
  }
  // Only people can stop the orchestrator, alone or among others.
  for (const to of ['boss', 'orchestrator', 'broadcast']) {
    const { message } = await refused(cancel('ann', to), 'forbidden')
    expect(message).toContain('boss, which is the orchestrator; a person may')
  }
  expect(await everything(world)).toEqual(before)
})
