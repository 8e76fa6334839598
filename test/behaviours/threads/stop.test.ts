import { expect } from 'bun:test'
import type { Stop } from '../../../src/ops/answer-notes.ts'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { held, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

async function tellWorkerToStop(world: World): Promise<Stop> {
  await world.as('worker').agentRegister({})
  return tellToStop(world)
}

async function tellToStop(world: World): Promise<Stop> {
  const words = { from: 'user', to: 'worker', type: 'cancel', subject: 'Enough' } as const
  const { message } = await world.inbox.mailSend(words)
  const id = message?.id as string
  return {
    id,
    from: 'user',
    subject: 'Enough',
    thread_id: message?.thread_id as string,
    about: 'agent',
    until: `${id} is marked as read: mail mark-read, or the tool mark_read`,
  }
}

/** Longer than any test can run, so a wait that returns didn't time out. */
const LONG = { timeout_seconds: 900 } as const

/** Waits until the stop counts as presented, shortly after the caller gets its response. */
async function untilPresented(world: World, { id }: Pick<Stop, 'id'>): Promise<void> {
  await until(async () => {
    const [row] = await world.sql('select state from deliveries where message_id = ?', id)
    return row?.state === 'presented'
  }, 'the word has gone out')
}

async function isWaiting(world: World): Promise<boolean> {
  const [row] = await world.sql(
    "select waiting_until from sightings where agent_id = 'worker' and waiting_until > ''",
  )
  return row !== undefined
}

async function endOf(world: World): Promise<number> {
  return (await world.as('lead').list({})).next_event_id
}

behaves('stop/heard', async (world) => {
  const { thread } = await held(world)
  const stop = await tellWorkerToStop(world)
  const worker = world.as('worker')
  const calls = [
    () => worker.list({}),
    () => worker.fetch({}),
    () => worker.update({ thread, status: 'in_progress', summary: 'Working' }),
    () => worker.renew({ thread }),
    () => worker.status({}),
    () => worker.mailRead({}),
    () => worker.mailPeek({}),
    // A caller that names itself in the call is recognized as well.
    () => world.inbox.show({ thread, agent: 'worker' }),
    () => world.inbox.send({ from: 'worker', thread, summary: 'Still here' }),
    // System operations have a caller too. Through a server, agents aren't allowed to call them.
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
  const first = await tellWorkerToStop(world)
  const second = await tellToStop(world)
  const worker = world.as('worker')
  // Responses include each stop until it has been presented. After that, they include the earlier one until it's read.
  for (const stop of [first, second]) {
    expect((await worker.list({})).stop).toEqual(stop)
    await untilPresented(world, stop)
  }
  expect((await worker.list({})).stop).toMatchObject({ id: first.id })
  const marked = await worker.mailMarkRead({ messages: [first.id] })
  // The response to the marking call itself already reflects the mark.
  expect(marked.stop).toMatchObject({ id: second.id })
  await worker.show({ thread: second.thread_id, mark_read: true })
  expect(await worker.list({})).not.toHaveProperty('stop')
})

behaves('stop/refused', async (world) => {
  const stop = await tellWorkerToStop(world)
  const no = await refused(world.as('worker').show({ thread: 'thr_none' }), 'not_found')
  expect(no.details).toEqual({ thread_id: 'thr_none', stop })
  expect(no.message).toContain('STOP: user says "Enough"')
  const before = await refused(world.as('other').show({ thread: 'thr_none' }), 'not_found')
  expect(before.details).toEqual({ thread_id: 'thr_none' })
})

behaves('stop/only-its-own', async (world) => {
  await tellWorkerToStop(world)
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
  const { thread, token } = await held(world)
  const other = await task(world)
  await world.inbox.cancel({ agent: 'lead', thread, reason: 'Not needed' })
  const worker = world.as('worker')
  // Other work continues, and its answers don't mention the stop.
  expect(await worker.claim({ thread: other })).not.toHaveProperty('stop')
  expect(await worker.fetch({})).not.toHaveProperty('stop')
  const about = { from: 'lead', subject: 'Not needed', thread_id: thread, about: 'thread' }
  const late = worker.done({ thread, lease_token: token, summary: 'Built' })
  const no = await refused(late, 'invalid_state')
  expect(no.details).toMatchObject({ stop: about })
  expect(no.message).toContain('STOP: lead says "Not needed"')
  const { stop } = await worker.show({ thread })
  expect(stop).toMatchObject(about)
  expect(stop?.until).toContain(stop?.id as string)
  // Other agents aren't told to stop there.
  expect(await world.as('lead').show({ thread })).not.toHaveProperty('stop')
  await worker.mailMarkRead({ messages: [stop?.id as string] })
  expect(await worker.show({ thread })).not.toHaveProperty('stop')
})

behaves('stop/work-waits', async (world) => {
  const gone = await held(world)
  const { thread } = await held(world)
  const worker = world.as('worker')
  const waiting = worker.waitReply({ ...LONG, thread: gone.thread })
  const { message } = await world.inbox.cancel({ agent: 'lead', thread: gone.thread })
  // A wait on that thread returns, even if it's waiting for something else.
  expect(await waiting).toMatchObject({ woke: true, message: { kind: 'control' } })
  const vain = worker.waitReply({ ...LONG, thread: gone.thread, kinds: ['answer'] })
  expect((await refused(vain, 'invalid_state')).message).toContain('is cancelled')
  const cancelled = await held(world)
  await world.inbox.cancel({ agent: 'lead', thread: cancelled.thread })
  // The worker's other waits end only when they get what they're waiting for.
  const { next_event_id } = await worker.mailRead({})
  const elsewhere = [
    () => worker.waitReply({ ...LONG, thread }),
    async () => worker.watch({ ...LONG, after_event: await endOf(world) }),
    () => worker.mailRead({ ...LONG, since: String(next_event_id) }),
  ]
  for (const [at, wait] of elsewhere.entries()) {
    await world.clock.advance(100)
    const waiting = wait()
    await until(() => isWaiting(world), `wait ${at} has begun`)
    const summary = `Answer ${at}`
    await world.inbox.reply({ from: 'lead', thread, summary })
    const answer = await waiting
    expect(JSON.stringify(answer)).toContain(summary)
    expect(answer).not.toHaveProperty('stop')
    await until(async () => !(await isWaiting(world)), `wait ${at} is over`)
    await worker.show({ thread, mark_read: true })
  }
  expect(message.kind).toBe('control')
})

behaves('stop/up', async (world) => {
  const leaders = ['lead', 'user'] as const
  for (const from of leaders) {
    const thread = await task(world, { from })
    const claimed = await world.inbox.claim({ agent: 'worker', thread })
    await world.inbox.reply({ from: 'worker', thread, kind: 'control', summary: 'Slower' })
    await world.inbox.cancel({ agent: 'worker', thread, reason: 'I cannot' })
    for (const call of [
      () => world.as(from).list({}),
      () => world.inbox.show({ thread, agent: from }),
      () => world.inbox.mailRead({ agent: from }),
    ]) {
      expect(await call()).not.toHaveProperty('stop')
    }
    expect(claimed.thread?.status).toBe('claimed')
  }
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator', parent: 'worker' })
  await world.inbox.agentRegister({ agent: 'worker', parent: 'lead' })
  const cancel = { from: 'worker', type: 'cancel', body: 'Stop' } as const
  for (const to of ['lead', 'boss', 'orchestrator']) {
    await refused(world.inbox.mailSend({ ...cancel, to }), 'forbidden')
  }
  await refused(world.inbox.mailSend({ ...cancel, from: 'boss', to: 'user' }), 'invalid_input')
  // Canceling an agent doesn't reach an orchestrator below it either.
  const { recipients } = await world.inbox.mailSend({ ...cancel, from: 'lead', to: 'worker' })
  expect(recipients).toEqual(['worker'])
})

behaves('stop/control', async (world) => {
  const { thread } = await held(world)
  const said = { from: 'lead', kind: 'control', summary: 'Tests first' } as const
  await world.inbox.reply({ ...said, thread })
  await world.inbox.send({ ...said, thread })
  const { thread: begun } = await world.inbox.send({ ...said, to: 'worker' })
  const worker = world.as('worker')
  for (const one of [thread, begun.thread_id]) {
    expect(await worker.show({ thread: one })).not.toHaveProperty('stop')
  }
  expect(await worker.list({})).not.toHaveProperty('stop')
  const waited = await worker.waitReply({ ...LONG, thread })
  expect(waited).toMatchObject({ woke: true, message: { kind: 'control', summary: 'Tests first' } })
  expect(waited).not.toHaveProperty('stop')
  expect(await worker.renew({ thread })).not.toHaveProperty('stop')
})

behaves('stop/nameless', async (world) => {
  const { thread } = await held(world)
  const stop = await tellToStop(world)
  expect(await world.inbox.waitReply({ ...LONG, thread })).toMatchObject({ woke: false, stop })
  await untilPresented(world, stop)
  // The stop has ended one wait. The next one lasts until there is an answer.
  const waiting = world.inbox.waitReply({ ...LONG, thread })
  await world.inbox.reply({ from: 'lead', thread, summary: 'Go on' })
  expect(await waiting).toMatchObject({ woke: true, message: { summary: 'Go on' } })
})

behaves('stop/shown-type', async (world) => {
  const { thread } = await held(world)
  const said = { from: 'lead', summary: 'Tests first' } as const
  await world.inbox.reply({ ...said, thread, kind: 'control' })
  // A message of kind cancel counts as control unless it stops someone.
  await world.inbox.reply({ ...said, thread, kind: 'cancel' })
  await world.inbox.send({ ...said, thread, kind: 'cancel' })
  const worker = world.as('worker')
  const types = async () => (await worker.mailPeek({})).messages.map(({ type }) => type)
  expect((await types()).slice(-3)).toEqual(['custom', 'custom', 'custom'])
  const { messages } = await world.inbox.show({ thread })
  expect(messages.slice(-3).map(({ kind }) => kind)).toEqual(['control', 'control', 'control'])
  const found = async (type: 'cancel' | 'control') =>
    (await world.inbox.mailHistory({ thread, type: [type] })).messages.length
  expect([await found('cancel'), await found('control')]).toEqual([0, 3])
  await world.inbox.cancel({ agent: 'lead', thread, reason: 'Dropped' })
  expect((await types()).at(-1)).toBe('cancel')
  expect([await found('cancel'), await found('control')]).toEqual([1, 4])
  // For a role's unclaimed work, the message waits with the work, like any other message.
  const { thread: ofRole } = await world.inbox.send({
    from: 'lead',
    to: 'role:tester',
    subject: 'Go',
  })
  await world.inbox.reply({ ...said, thread: ofRole.thread_id, kind: 'control' })
  await world.inbox.agentRegister({ agent: 'tess', role: 'tester' })
  const { messages: waiting } = await world.as('tess').mailRead({})
  expect(waiting.map(({ type }) => type)).toEqual(['task-assigned', 'custom'])
})

behaves('stop/waits', async (world) => {
  const { thread } = await held(world)
  const worker = world.as('worker')
  const waits = [
    () => worker.watch({ ...LONG, status: ['failed'] }),
    () => worker.waitReply({ ...LONG, thread, kinds: ['answer'] }),
    async () => worker.mailRead({ ...LONG, since: String(await endOf(world)) }),
    () =>
      worker.mailSend({
        to: 'lead',
        body: 'Read this',
        wait: 'read',
        ...LONG,
        from: 'worker',
      }),
  ]
  for (const [at, wait] of waits.entries()) {
    // After this, a wait records a sighting immediately.
    await world.clock.advance(100)
    const waiting = wait()
    await until(() => isWaiting(world), `wait ${at} has begun`)
    const stop = await tellWorkerToStop(world)
    const answer = await waiting
    expect(answer.stop).toEqual(stop)
    if (at !== 2) expect(world.exitOf(answer)).toBe(10)
    expect(answer).not.toHaveProperty('interrupted')
    await worker.mailMarkRead({ messages: [stop.id] })
    await until(async () => !(await isWaiting(world)), `wait ${at} is over`)
  }
})

behaves('stop/once', async (world) => {
  const { thread } = await held(world)
  const worker = world.as('worker')
  const waits = [
    (after_event: number) => worker.watch({ ...LONG, after_event }),
    (after_event: number) => worker.waitReply({ ...LONG, thread, after_event }),
    (since: number) => worker.mailRead({ ...LONG, since: String(since) }),
  ]
  for (const [at, wait] of waits.entries()) {
    const stop = await tellWorkerToStop(world)
    let cursor = await endOf(world)
    const seen: object[] = []
    const summary = `Answer ${at}`
    // The agent starts waiting again after every response until it gets what it's waiting for.
    const loop = (async () => {
      for (;;) {
        const answer = await wait(cursor)
        seen.push(answer)
        if (JSON.stringify(answer).includes(summary)) return
        cursor = answer.next_event_id
        await untilPresented(world, stop)
      }
    })()
    await until(async () => seen.length > 0, `wait ${at} ended`)
    await world.clock.advance(100)
    await until(() => isWaiting(world), `wait ${at} has begun again`)
    await world.inbox.reply({ from: 'lead', thread, summary })
    await loop
    expect(seen).toMatchObject([{ stop }, { stop }])
    await worker.show({ thread, mark_read: true })
    await worker.mailMarkRead({ messages: [stop.id] })
    await until(async () => !(await isWaiting(world)), `wait ${at} is over`)
  }
})

behaves('stop/both', async (world) => {
  const worker = world.as('worker')
  const first = await tellWorkerToStop(world)
  expect(await worker.list({})).toMatchObject({ stop: { id: first.id } })
  await untilPresented(world, first)
  const second = await tellToStop(world)
  // A stop that was already presented doesn't block a newer one.
  const answer = await worker.watch({ ...LONG, after_event: await endOf(world) })
  expect(answer).toMatchObject({ woke: false, stop: { id: second.id } })
})

behaves('stop/shell', async (world) => {
  const { thread_id } = await tellWorkerToStop(world)
  const { address, folder } = world
  const run = await runProgram(['list', `--db=${address}`], { folder, agent: 'worker' })
  expect(run).toMatchObject({ exit: 0, stdout: 'no threads\n' })
  expect(run.stderr).toMatch(/^inbox: STOP, user says: Enough \([^\n]+\)\n$/)
  expect(run.stderr).toContain(thread_id)
  const json = await runProgram(['list', '--json', `--db=${address}`], { folder, agent: 'worker' })
  expect(json.stderr).toBe('')
})
