import { expect } from 'bun:test'
import type { Stop } from '../../../src/ops/stop.ts'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { held, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

async function told(world: World): Promise<Stop> {
  await world.as('worker').agentRegister({})
  const words = { from: 'user', to: 'worker', type: 'cancel', subject: 'Enough' } as const
  const { message } = await world.inbox.mailSend(words)
  return {
    id: message?.id as string,
    from: 'user',
    subject: 'Enough',
    thread_id: message?.thread_id as string,
  }
}

async function endOf(world: World): Promise<number> {
  return (await world.as('lead').list({})).next_event_id
}

behaves('stop/heard', async (world) => {
  const { thread } = await held(world)
  const stop = await told(world)
  const worker = world.as('worker')
  const calls = [
    () => worker.list({}),
    () => worker.fetch({}),
    () => worker.update({ thread, status: 'in_progress', summary: 'Working' }),
    () => worker.renew({ thread }),
    () => worker.status({}),
    () => worker.mailRead({}),
    () => worker.mailPeek({}),
    // A caller that gives its name with the call is known as well.
    () => world.inbox.show({ thread, agent: 'worker' }),
    () => world.inbox.send({ from: 'worker', thread, summary: 'Still here' }),
    // An operation of the system is called by somebody all the same. At servers it is not for agents.
    ...(['library', 'cli'].includes(world.door) ? [() => worker.sweep({})] : []),
  ]
  for (const call of calls) expect((await call()).stop).toEqual(stop)
  const rows = await world.sql("select state, presented_by from deliveries where kind = 'control'")
  expect(rows).toEqual([{ state: 'presented', presented_by: world.door }])
  const presenting = "select * from events where event_type = 'delivery_present' and thread_id = ?"
  const { thread_id } = stop
  expect(await world.sql(presenting, thread_id)).toHaveLength(1)
})

behaves('stop/until-read', async (world) => {
  const first = await told(world)
  const second = await told(world)
  const worker = world.as('worker')
  expect((await worker.list({})).stop).toMatchObject({ id: first.id })
  const marked = await worker.mailMarkRead({ messages: [first.id] })
  // The answer of the marking call already takes the mark into account.
  expect(marked.stop).toMatchObject({ id: second.id })
  await worker.show({ thread: second.thread_id, mark_read: true })
  expect(await worker.list({})).not.toHaveProperty('stop')
})

behaves('stop/refused', async (world) => {
  const stop = await told(world)
  const no = await refused(world.as('worker').show({ thread: 'thr_none' }), 'not_found')
  expect(no.details).toEqual({ thread_id: 'thr_none', stop })
  expect(no.message).toContain('STOP: user says "Enough"')
  const before = await refused(world.as('other').show({ thread: 'thr_none' }), 'not_found')
  expect(before.details).toEqual({ thread_id: 'thr_none' })
})

behaves('stop/only-its-own', async (world) => {
  await told(world)
  await task(world)
  for (const agent of ['lead', 'user', 'stranger']) {
    expect(await world.as(agent).list({})).not.toHaveProperty('stop')
  }
  expect(await world.inbox.list({})).not.toHaveProperty('stop')
  const about = await world.as('lead').agentRegister({ agent: 'worker', source: 'script' })
  if (world.door === 'library') expect(about).not.toHaveProperty('stop')
  expect(await world.as('worker').list({})).toHaveProperty('stop')
})

behaves('stop/work', async (world) => {
  const { thread } = await held(world)
  await world.inbox.cancel({ agent: 'lead', thread, reason: 'Not needed' })
  const { stop } = await world.as('worker').fetch({})
  expect(stop).toMatchObject({ from: 'lead', subject: 'Not needed', thread_id: thread })
  await world.as('worker').show({ thread, mark_read: true })
  expect(await world.as('worker').fetch({})).not.toHaveProperty('stop')
})

behaves('stop/waits', async (world) => {
  const { thread } = await held(world)
  const worker = world.as('worker')
  const isWaiting = async () => {
    const [row] = await world.sql(
      "select waiting_until from sightings where agent_id = 'worker' and waiting_until > ''",
    )
    return row !== undefined
  }
  // Longer than any test may take: who comes back was told to.
  const long = { timeout_seconds: 900 } as const
  const waits = [
    () => worker.watch({ ...long, status: ['failed'] }),
    () => worker.waitReply({ ...long, thread, kinds: ['answer'] }),
    async () => worker.mailRead({ ...long, since: String(await endOf(world)) }),
    () =>
      worker.mailSend({
        ...{ to: 'lead', body: 'Read this', wait: 'read', ...long },
        ...{ from: 'worker' },
      }),
  ]
  for (const [at, wait] of waits.entries()) {
    // After this time the wait notes itself at once.
    await world.clock.advance(100)
    const waiting = wait()
    await until(isWaiting, `wait ${at} has begun`)
    const stop = await told(world)
    const answer = await waiting
    expect(answer.stop).toEqual(stop)
    if (at !== 2) expect(world.exitOf(answer)).toBe(10)
    expect(answer).not.toHaveProperty('interrupted')
    // Nor does it begin another wait before it has read it.
    if (at === 0) expect(await worker.watch({ ...long, status: ['failed'] })).toHaveProperty('stop')
    await worker.mailMarkRead({ messages: [stop.id] })
    await until(async () => !(await isWaiting()), `wait ${at} is over`)
  }
})

behaves('stop/shell', async (world) => {
  const { thread_id } = await told(world)
  const { address, folder } = world
  const run = await runProgram(['list', `--db=${address}`], { folder, agent: 'worker' })
  expect(run).toMatchObject({ exit: 0, stdout: 'no threads\n' })
  expect(run.stderr).toMatch(/^inbox: STOP, user says: Enough \([^\n]+\)\n$/)
  expect(run.stderr).toContain(thread_id)
  const json = await runProgram(['list', '--json', `--db=${address}`], { folder, agent: 'worker' })
  expect(json.stderr).toBe('')
})
