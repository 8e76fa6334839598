// An agent's standing, based on its declarations and on sightings.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { held, take, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

async function standingOf(world: World, agent: string): Promise<[string, string]> {
  const { status, evidence } = (await world.inbox.agentStatus({ agent })).agent
  return [status, evidence.by]
}

behaves('agent/evidence', async (world) => {
  const thread = await task(world)
  expect(await standingOf(world, 'worker')).toEqual(['dormant', 'nothing'])
  await take(world, thread, 'worker', 60)
  expect(await standingOf(world, 'worker')).toEqual(['running', 'lease'])
  await world.clock.advance(60)
  expect((await standingOf(world, 'worker'))[0]).not.toBe('running')
  await world.inbox.agentStatus({ agent: 'worker', status: 'running' })
  expect(await standingOf(world, 'worker')).toEqual(['running', 'declared'])
  await world.clock.advance(900)
  expect((await standingOf(world, 'worker'))[0]).toBe('dormant')
  await world.as('ann').agentRegister({})
  expect(await standingOf(world, 'ann')).toEqual(['idle', 'seen'])
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  expect(await standingOf(world, 'ann')).toEqual(['dormant', 'declared'])
  await world.clock.advance(1)
  await world.inbox.mailSend({ from: 'ann', to: 'worker', body: 'I am here' })
  expect(await standingOf(world, 'ann')).toEqual(['idle', 'seen'])
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
  // A sighting is recorded at most once a minute.
  const before = world.clock.now()
  await world.clock.advance(10)
  await inbox.send({ from: 'worker', to: 'lead', subject: 'Look at it' })
  expect(await seenAt('worker')).toBe(before)
  const other = await inbox.send({ from: 'lead', to: 'worker', subject: 'Break it' })
  await inbox.claim({ agent: 'worker', thread: other.thread.thread_id })
  const at = await world.clock.advance(61)
  await inbox.fail({ agent: 'worker', thread: other.thread.thread_id, summary: 'It holds' })
  expect(await seenAt('worker')).toBe(at)
  // An agent that asks for work and finds none counts as seen. One that another agent speaks for doesn't.
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
    const isWaiting = async () => (await standingOf(world, 'ann'))[1] === 'waiting'
    await until(isWaiting, `ann is seen in ${wait}`)
    ending.abort()
    await waits.catch(() => {})
    await until(async () => !(await isWaiting()), `ann no longer waits in ${wait}`)
  }
})

behaves('agent/off', async (world) => {
  await held(world)
  await world.inbox.agentStatus({ agent: 'worker', status: 'off' })
  expect(await standingOf(world, 'worker')).toEqual(['off', 'declared'])
  await world.inbox.agentStatus({ agent: 'worker', status: 'idle' })
  expect(await standingOf(world, 'worker')).toEqual(['running', 'lease'])
})

behaves('agent/waiting', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', status: 'dormant' })
  const ending = new AbortController()
  const waits = world.inbox.mailRead(
    { agent: 'ann', timeout_seconds: 240 },
    { signal: ending.signal },
  )
  const running = async () => (await standingOf(world, 'ann'))[0] === 'running'
  await until(running, 'ann is seen waiting')
  expect(await standingOf(world, 'ann')).toEqual(['running', 'waiting'])
  ending.abort()
  await waits.catch(() => {})
})

behaves('agent/by-another', async (world) => {
  const lead = world.as('lead')
  await lead.agentRegister({})
  const { agent } = await lead.agentRegister({ agent: 'ann' })
  expect([agent.status, agent.evidence.by]).toEqual(['dormant', 'nothing'])
  expect(await standingOf(world, 'lead')).toEqual(['idle', 'seen'])
  // A registration by an anonymous caller isn't a sighting either.
  await world.inbox.agentRegister({ agent: 'bob' })
  expect(await standingOf(world, 'bob')).toEqual(['dormant', 'nothing'])
})
