import { expect } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../../src/bin/compose.ts'
import { MAIL_TYPES } from '../../../src/core/vocabulary.ts'
import { beginWake, endWake } from '../../../src/wake/start.ts'
import { behaves } from '../../worlds/behaves.ts'
import { PROGRAM } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { commandOf, withWakes } from '../../worlds/wakes.ts'
import { until, type World } from '../../worlds/world.ts'

const COMMAND = JSON.stringify(['true'])

behaves('wake/starts', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works', { wake_cwd: world.folder })
    const ids = [
      await wakes.send('ann', { type: 'status' }),
      await wakes.send('ann', { type: 'task-assigned', metadata: '{"context":"x"}' }),
    ]
    wakes.broker()
    const [wake] = await wakes.settled(1)
    expect(wake).toMatchObject({ agent_id: 'ann', state: 'ended', cause: 'mail', exit_code: 0 })
    const [turn] = wakes.turns()
    expect(turn).toMatchObject({ agent: 'ann', wake: wake?.wake_id, mail: ids, leaked: [] })
    expect(turn?.cwd).toBe(world.folder)
    const receipts = await world.as('user').mailReceipts({ message: ids[0] as string })
    expect(JSON.stringify(receipts)).toContain('"presented_by":"wake"')
    const { agent } = await world.inbox.agentStatus({ agent: 'ann' })
    expect(agent.status).toBe('dormant')
  }),
)

behaves('wake/orchestrator', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('lead', 'works', { role: 'orchestrator' })
    await wakes.agent('ann', 'works', { role: 'builder' })
    wakes.broker()
    const metadata: Record<string, object> = {
      'task-assigned': { context: 'x' },
      'task-done': { files_changed: [], tests: 'none' },
      'review-request': { files: [], criteria: 'x' },
      'review-result': { verdict: 'approved', comments: '' },
    }
    let turns = 0
    for (const type of MAIL_TYPES.filter((one) => one !== 'cancel')) {
      await wakes.user.mailSend({
        ...{ from: 'ann', to: 'orchestrator', type, body: 'x' },
        metadata: JSON.stringify(metadata[type] ?? {}),
      })
      if (['task-done', 'review-result', 'question'].includes(type)) turns += 1
      await wakes.settled(turns, 'lead')
    }
    // The last message is handled after all others, so its turn shows that they were handled.
    await wakes.send('ann')
    await wakes.settled(1, 'ann')
    expect(wakes.turns('lead')).toHaveLength(3)
  }),
)

behaves('wake/batch', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works')
    wakes.broker()
    const first = await Promise.all(Array.from({ length: 20 }, () => wakes.send('ann')))
    await wakes.settled(1)
    expect(wakes.turns()[0]?.mail.toSorted()).toEqual(first.toSorted())
    // An agent's own words do not wake it, and neither does mail that it was given already.
    await wakes.user.mailSend({ from: 'ann', to: 'ann', type: 'question', body: 'to myself' })
    await wakes.send('ann', { type: 'status' })
    await wakes.agent('bob', 'works')
    await wakes.send('bob')
    await wakes.settled(1, 'bob')
    expect(wakes.turns('ann')).toHaveLength(1)
  }),
)

behaves('wake/in-hands', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works')
    await wakes.agent('bob', 'works')
    wakes.broker()
    const reading = world.as('ann').mailRead({ timeout_seconds: 240 })
    const waits = async () =>
      (await wakes.user.agentStatus({ agent: 'ann' })).agent.evidence.by === 'waiting'
    await until(waits, 'ann waits')
    const first = await wakes.send('ann')
    expect((await reading).messages.map(({ id }) => id)).toEqual([first])
    await until(async () => !(await waits()), 'ann has its mail')
    const second = await wakes.send('ann')
    // The last message is handled after all others, so its turn shows that they were handled.
    await wakes.send('bob')
    await wakes.settled(1, 'bob')
    expect(wakes.turns('ann')).toEqual([])
    const { why } = await wakes.user.wakeExplain({ agent: 'ann' })
    expect(why).toContain('ann is idle, last seen at')
    await world.as('ann').mailMarkRead({ messages: [first] })
    // For two minutes it is thought to be at what it took.
    await wakes.advance(119)
    await wakes.send('bob')
    await wakes.settled(2, 'bob')
    expect(wakes.turns('ann')).toEqual([])
    await wakes.advance(1)
    await wakes.settled(1, 'ann')
    expect(wakes.turns('ann')[0]?.mail).toEqual([second])
  }),
)

behaves('wake/idle', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('bob', 'works')
    await wakes.agent('ann', 'works', { status: 'idle' })
    await wakes.agent('cid', 'works')
    // Seen just now.
    await world.clock.advance(1)
    await world.as('cid').claim({})
    wakes.broker()
    const ids = [await wakes.send('ann'), await wakes.send('cid')]
    // The last message is handled after all others, so its turn shows that they were handled.
    await wakes.send('bob')
    await wakes.settled(1, 'bob')
    expect(wakes.turns().map(({ agent }) => agent)).toEqual(['bob'])
    const [dawn, seen] = ['2026-03-01T08:00:00.000Z', '2026-03-01T08:00:01.000Z']
    const then = (until: string) =>
      `it is thought to be there until ${until}, unless it is declared dormant`
    for (const [agent, until, last] of [
      ['ann', '2026-03-01T08:15:00.000Z', `declared at ${dawn}`],
      ['cid', '2026-03-01T08:01:01.000Z', `last seen at ${seen}`],
    ] as const) {
      expect(await wakes.user.wakeExplain({ agent })).toMatchObject({
        ...{ wakes: false, cause: 'mail', waking: 1, again: until },
        why: `${agent} is idle, ${last}; ${then(until)}`,
      })
    }
    await wakes.user.agentStatus({ agent: 'cid', status: 'dormant' })
    await wakes.settled(1, 'cid')
    expect(wakes.turns('ann')).toEqual([])
    await wakes.advance(899)
    await wakes.settled(1, 'ann')
    expect(wakes.turns().slice(1)).toMatchObject([
      { agent: 'cid', mail: [ids[1]] },
      { agent: 'ann', mail: [ids[0]] },
    ])
  }),
)

behaves('wake/leaves', (world) =>
  withWakes(world, async (wakes) => {
    const command = JSON.stringify(commandOf('works', world.folder))
    await world.as('ann').agentRegister({ wake_command: command, status: 'dormant' })
    wakes.broker()
    await wakes.send('ann')
    await wakes.settled(1, 'ann')
    // A turn in which it calls is over at its end, and the next begins at once.
    await wakes.user.agentRegister({
      agent: 'ann',
      wake_command: JSON.stringify(['sh', '-c', `cat > /dev/null; '${PROGRAM}' claim; exit 0`]),
    })
    for (const starts of [2, 3]) {
      await wakes.send('ann')
      const isOver = async () => {
        const log = await wakes.wakes('ann')
        return log.length === starts && log[0]?.state === 'ended'
      }
      await until(isOver, `${starts} starts`)
    }
  }),
)

behaves('wake/role', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works', { role: 'builder' })
    await wakes.agent('bob', 'works', { role: 'builder' })
    wakes.broker()
    for (const turns of [1, 2, 3]) {
      await wakes.send('role:builder')
      await wakes.settled(turns)
    }
    expect(wakes.turns().map(({ agent }) => agent)).toEqual(['ann', 'bob', 'ann'])
  }),
)

behaves('wake/timer', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works', { wake_every_seconds: 60 })
    wakes.broker()
    await wakes.advance(59)
    expect(await wakes.user.wakeExplain({ agent: 'ann' })).toMatchObject({
      wakes: false,
      next_timer: '2026-03-01T08:01:00.000Z',
    })
    await wakes.advance(1)
    const [wake] = await wakes.settled(1)
    expect(wake).toMatchObject({ cause: 'timer', state: 'ended' })
    // An hour without anybody there: one start, and the next a minute after it.
    await wakes.advance(3600)
    await wakes.settled(2)
    const { next_timer } = await wakes.user.wakeExplain({ agent: 'ann' })
    expect(next_timer).toBe('2026-03-01T09:02:00.000Z')
    expect(wakes.turns().map(({ mail }) => mail)).toEqual([[], []])
  }),
)

behaves('wake/timer-fails', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'crashes', { wake_every_seconds: 86_400 })
    wakes.broker()
    await wakes.advance(86_400)
    expect(await wakes.settled(1)).toMatchObject([{ cause: 'timer', state: 'failed' }])
    await wakes.agent('ann', 'works')
    await wakes.advance(10)
    expect(await wakes.settled(2)).toMatchObject([
      { cause: 'timer', state: 'ended', attempt: 2 },
      { cause: 'timer', state: 'failed', attempt: 1 },
    ])
    await wakes.advance(3600)
    const { next_timer, wakes: isNext } = await wakes.user.wakeExplain({ agent: 'ann' })
    expect({ next_timer, isNext }).toEqual({
      next_timer: '2026-03-03T08:00:10.000Z',
      isNext: false,
    })
  }),
)

behaves('wake/cron', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works', { wake_cron: '*/10 * * * *' })
    wakes.broker()
    const { next_timer } = await wakes.user.wakeExplain({ agent: 'ann' })
    expect(next_timer).toBe('2026-03-01T08:10:00.000Z')
    await wakes.advance(600)
    expect(await wakes.settled(1)).toMatchObject([{ cause: 'timer' }])
  }),
)

behaves('wake/budget', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works', { wake_budget_per_hour: 2 })
    wakes.broker()
    for (const turns of [1, 2]) {
      await wakes.send('ann')
      await wakes.settled(turns)
    }
    const third = await wakes.send('ann')
    await wakes.agent('bob', 'works')
    await wakes.send('bob')
    await wakes.settled(1, 'bob')
    expect(wakes.turns('ann')).toHaveLength(2)
    await wakes.advance(3600)
    await wakes.settled(3, 'ann')
    expect(wakes.turns('ann')[2]?.mail).toContain(third)
  }),
)

behaves('wake/no-shell', (world) =>
  withWakes(world, async (wakes) => {
    const file = join(world.folder, 'a b; $HOME')
    await wakes.agent('ann', ['tee', file])
    wakes.broker()
    const id = await wakes.send('ann')
    await until(async () => (await wakes.wakes())[0]?.state === 'ended', 'a turn')
    expect(existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      ...{ id, type: 'question', from: 'user', to: 'agent:ann', body: 'what now?' },
      ...{ subject: 'what now?', read: false, state: 'queued' },
    })
  }),
)

async function explained({ inbox }: World, agent = 'ann') {
  return inbox.wakeExplain({ agent })
}

behaves('wake/explain', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'ann' })
  expect(await explained(world)).toMatchObject({
    ...{ agent: 'ann', wakes: false, cause: null, waking: 0, budget_left: 30 },
    ...{ next_timer: null, again: null, wakes_before: [] },
    types: ['task-assigned', 'review-request', 'question', 'answer'],
  })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  expect((await explained(world)).why).toBe('ann has no wake command')
  // At the shell whoever is named has called, and was seen: who leaves says so.
  await user.agentRegister({ agent: 'ann', wake_command: COMMAND, status: 'dormant' })
  expect(await explained(world)).toMatchObject({
    ...{ wakes: true, cause: 'mail', waking: 1 },
    why: 'ann is dormant, and question wakes ann',
  })
  await user.agentStatus({ agent: 'ann', status: 'running' })
  expect(await explained(world)).toMatchObject({
    ...{ wakes: false, why: 'ann is running' },
    again: '2026-03-01T08:00:30.000Z',
  })
  await user.agentRegister({ agent: 'bob', wake_command: COMMAND, status: 'dormant' })
  await world.inbox.mailSend({ from: 'ann', to: 'bob', body: 'just so' })
  expect((await explained(world, 'bob')).why).toContain('custom from ann does not wake bob')
  await world.inbox.mailSend({ from: 'user', to: 'bob', type: 'status', body: 'fine' })
  expect((await explained(world, 'bob')).wakes).toBe(false)
  await world.inbox.mailSend({ from: 'user', to: 'bob', body: 'from a person' })
  expect(await explained(world, 'bob')).toMatchObject({ wakes: true, waking: 1 })
})

behaves('wake/call', async (world) => {
  const user = world.as('user')
  const leader = { agent: 'orchestrator', wake_command: COMMAND, status: 'dormant' } as const
  await user.agentRegister(leader)
  const { agent: worker } = await world.inbox.agentRegister({ agent: 'b1' })
  const asked = async () => {
    await world.clock.advance(1)
    await world.inbox.send({ from: 'orchestrator', to: worker.agent_id, subject: 'Begin' })
    const done = { from: 'b1', to: 'orchestrator', type: 'task-done', body: 'Done' } as const
    await world.inbox.mailSend(done)
    return explained(world, 'orchestrator')
  }
  expect(await asked()).toMatchObject({ wakes: false, again: '2026-03-01T08:01:01.000Z' })
  await world.clock.advance(60)
  expect((await explained(world, 'orchestrator')).wakes).toBe(true)
  // How long may be set, and taken back.
  await user.agentRegister({ agent: 'orchestrator', wake_after_seconds: 300 })
  expect((await asked()).wakes).toBe(false)
  await world.clock.advance(299)
  expect((await explained(world, 'orchestrator')).wakes).toBe(false)
  await world.clock.advance(1)
  expect((await explained(world, 'orchestrator')).wakes).toBe(true)
  await user.agentRegister({ agent: 'orchestrator', wake_after_seconds: 0 })
  expect((await asked()).wakes).toBe(true)
  // An agent that nobody can start is believed for longer: a second one could not be.
  const { agent } = await user.agentStatus({ agent: 'b1' })
  expect(agent.status).toBe('idle')
})

behaves('wake/turn', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'ann', wake_command: COMMAND })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  const turn = "insert into turns values ('ann', 'ses_1', 'claude', '', ?)"
  await world.sql(turn, world.clock.now())
  const status = async () => {
    const { agent } = await user.agentStatus({ agent: 'ann' })
    return `${agent.status} by ${agent.evidence.by}`
  }
  expect(await status()).toBe('running by turn')
  await world.clock.advance(899)
  expect(await explained(world)).toMatchObject({ wakes: false, why: 'ann is running' })
  await world.clock.advance(1)
  expect((await explained(world)).wakes).toBe(true)
  await world.inbox.claim({ agent: 'ann' })
  await world.clock.advance(300)
  expect(await status()).toBe('running by turn')
  await world.sql('delete from turns')
  expect(await status()).toBe('dormant by seen')
})

behaves('wake/explain-all', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'orchestrator', wake_command: COMMAND })
  expect(await explained(world, 'orchestrator')).toMatchObject({
    types: ['task-done', 'review-result', 'question'],
    types_from_people: MAIL_TYPES.filter((type) => type !== 'status'),
  })
  await user.agentRegister({ agent: 'orchestrator', wake_types: ['answer'] })
  expect(await explained(world, 'orchestrator')).toMatchObject({
    types: ['answer'],
    types_from_people: ['answer'],
  })
})

behaves('wake/explain-limits', async (world) => {
  const user = world.as('user')
  const local = new Date(world.clock.now())
  const hour = local.getHours()
  const settings = { wake_command: COMMAND, wake_budget_per_hour: 1, status: 'dormant' } as const
  await user.agentRegister({ agent: 'ann', ...settings, wake_quiet: `${hour}-${hour + 1}` })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  local.setHours(hour + 1, 0, 0, 0)
  const end = local.toISOString()
  expect(await explained(world)).toMatchObject({
    ...{ wakes: false, why: `it has quiet hours until ${end}` },
    again: end,
  })
  await world.clock.set(end)
  expect((await explained(world)).wakes).toBe(true)
  const again = new Date(Date.parse(end) + 3_600_000).toISOString()
  await turnOf(world, 'ann')
  await user.mailSend({ to: 'ann', type: 'question', body: 'and now?' })
  expect(await explained(world)).toMatchObject({
    ...{ wakes: false, again, budget_left: 0, waking: 1 },
    why: `its budget of 1 starts in an hour is used up until ${again}`,
  })
  const bob = { agent: 'bob', wake_command: COMMAND, wake_hop_limit: 1 }
  await user.agentRegister({ ...bob, status: 'dormant' })
  // Written in a turn: one wake lies between a person's words and it.
  await world.clock.advance(3600)
  await turnOf(world, 'ann', () =>
    world.inbox.mailSend({ from: 'ann', to: 'bob', type: 'question', body: 'pass it on' }),
  )
  expect((await explained(world, 'bob')).why).toContain('the limit is 1')
  // Work is no way round it.
  await world.clock.advance(3600)
  await user.mailSend({ to: 'ann', type: 'question', body: 'once more' })
  await turnOf(world, 'ann', async () => {
    await world.inbox.send({ from: 'ann', to: 'bob', subject: 'do it' })
    const { thread } = await world.inbox.send({ from: 'user', to: 'ann', subject: 'yours' })
    const which = { thread: thread.thread_id, from: 'ann', to: 'bob', summary: 'well?' } as const
    await world.inbox.reply({ ...which, kind: 'question' })
    await world.inbox.claim({ agent: 'ann', thread: thread.thread_id })
    const agent = { agent: 'ann', thread: thread.thread_id, summary: 'which?' }
    await world.inbox.update({ ...agent, status: 'blocked' })
    await world.inbox.done(agent)
  })
  const said = "select hops from messages where from_agent = 'ann' and kind <> 'event'"
  expect((await world.sql(said)).map(({ hops }) => hops)).toEqual([1, 1, 1, 1, 1])
  expect((await explained(world, 'bob')).wakes).toBe(false)
})

behaves('wake/dry-run', async (world) => {
  const user = world.as('user')
  const words = { to: 'ann', type: 'question', body: 'well?' } as const
  const same = async (wakes: boolean, part: string) => {
    const { would } = await user.mailSend({ ...words, dry_run: true })
    const { why } = await explained(world)
    expect(would).toEqual([{ recipient: 'ann', wakes, why }])
    expect(why).toContain(part)
  }
  const hour = new Date(world.clock.now()).getHours()
  const asleep = { agent: 'ann', status: 'dormant' } as const
  const settings = { ...asleep, wake_command: COMMAND, wake_budget_per_hour: 1 }
  await user.agentRegister({ ...settings, wake_quiet: `${hour}-${hour + 1}` })
  await user.mailSend(words)
  await same(false, 'quiet hours')
  await user.agentRegister({ ...asleep, wake_quiet: 'none' })
  await same(true, 'question wakes ann')
  await user.agentStatus({ agent: 'ann', status: 'idle' })
  await same(false, 'it is thought to be there until')
  await user.agentStatus({ agent: 'ann', status: 'running' })
  await same(false, 'is running')
  await user.agentStatus({ agent: 'ann', status: 'dormant' })
  await turnOf(world, 'ann', () => same(false, 'is starting'), 'failed')
  await user.agentRegister({ ...asleep, wake_budget_per_hour: 9 })
  await same(false, 'it is tried again at')
  await world.clock.advance(60)
  await turnOf(world, 'ann')
  await user.mailSend(words)
  await user.agentRegister({ ...asleep, wake_budget_per_hour: 2 })
  await same(false, 'its budget of 2 starts')
  await user.agentStatus({ agent: 'ann', status: 'off' })
  const refusal = await refused(user.mailSend({ ...words, dry_run: true }), 'invalid_state')
  expect(refusal.message).toContain('off')
})

/** A turn of an agent as the broker makes it, without a program. */
async function turnOf(
  { address }: World,
  agent: string,
  during: () => Promise<unknown> = async () => {},
  state: 'ended' | 'failed' = 'ended',
) {
  const { store, makeId, close } = await openMailroom(address)
  const begun = await beginWake(store, agent, { makeId, offsetMinutes: () => 0 })
  if (begun === null) throw new Error('it may not be begun')
  await during()
  const end = { state, exit_code: 0, reason: '', stderr: 'bye\n' } as const
  await endWake(store, begun, () => true, end)
  await close()
  return begun
}

behaves('wake/explain-unknown', async (world) => {
  await refused(world.inbox.wakeExplain({ agent: 'nobody' }), 'not_found')
})

behaves('wake/log', async (world) => {
  const none = await world.inbox.wakeLog({})
  expect(none).toEqual({ wakes: [], has_more: false })
  expect(world.exitOf(none)).toBe(0)
  const user = world.as('user')
  for (const agent of ['ann', 'bob']) {
    await user.agentRegister({ agent, wake_command: COMMAND, status: 'dormant' })
    await user.mailSend({ to: agent, type: 'question', body: 'well?' })
  }
  const first = await turnOf(world, 'ann')
  await world.clock.advance(1)
  const second = await turnOf(world, 'bob')
  const all = await world.inbox.wakeLog({})
  expect(all.wakes.map(({ wake_id }) => wake_id)).toEqual([second.wake_id, first.wake_id])
  expect((await world.inbox.wakeLog({ limit: 1 })).wakes).toHaveLength(1)
  const { wakes } = await world.inbox.wakeLog({ agent: 'ann' })
  expect(wakes).toMatchObject([
    {
      ...{ wake_id: first.wake_id, agent_id: 'ann', state: 'ended', cause: 'mail', attempt: 1 },
      ...{
        hops: 0,
        exit_code: 0,
        reason: '',
        stderr: 'bye\n',
        ended_at: '2026-03-01T08:00:00.000Z',
      },
    },
  ])
  expect(JSON.stringify(all)).not.toContain(first.token)
})

behaves('wake/library', async (world) => {
  const { message } = await refused(commandsOf(world).wakeRun({}), 'not_found')
  expect(message).toContain("'inbox wake run'")
})

behaves('wake/internal', async (world) => {
  const { message } = await refused(commandsOf(world).wakeExec({ wake: 'wak_1' }), 'invalid_input')
  expect(message).toContain("use 'inbox wake run'")
})

behaves('wake/bad-variables', async (world) => {
  for (const wake_env of [['A', 'B=C'], ['*'], ['1A']]) {
    const { message } = await refused(commandsOf(world).wakeRun({ wake_env }), 'invalid_input')
    expect(message).toContain('is not the name of a variable')
  }
})

behaves('wake/bad-cron', async (world) => {
  for (const wake_cron of ['61 * * * *', '0 0 30 2 *', 'soon']) {
    await refused(world.inbox.agentRegister({ agent: 'ann', wake_cron }), 'invalid_input')
  }
  expect((await world.inbox.agentList({})).agents).toEqual([])
})

/** Commands that only the shell has, so no type of the library describes them. */
function commandsOf({ inbox }: World) {
  type Command = (input: object) => Promise<object>
  return inbox as unknown as { wakeRun: Command; wakeExec: Command }
}

behaves('wake/variables', (world) =>
  withWakes(world, async (wakes) => {
    const noted = join(world.folder, 'noted')
    await wakes.agent('ann', ['/bin/sh', '-c', 'cat > /dev/null; env > "$1"', 'sh', noted])
    const variables = { API_KEY: 'a', AWS_ONE: '1', OTHER: 'o', LC_TIME: 'C' }
    const given = async (args: string[]) => {
      const before = (await wakes.wakes()).length
      const broker = wakes.broker(variables, args)
      await wakes.send('ann')
      await until(async () => (await wakes.wakes()).length > before, 'it was started')
      await wakes.settled(0)
      broker.child.kill('SIGTERM')
      await broker.ended
      const names = readFileSync(noted, 'utf8').split('\n')
      return names.map((line) => line.split('=')[0]).filter((name) => (name ?? '') in variables)
    }
    expect((await given([])).sort()).toEqual(Object.keys(variables).sort())
    const named = await given(['--wake-env=API_KEY,AWS_*'])
    expect(named.sort()).toEqual(['API_KEY', 'AWS_ONE', 'LC_TIME'])
  }),
)
