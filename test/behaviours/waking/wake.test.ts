// A broker and the agents that it starts for their mail.
import { expect } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAIL_TYPES } from '../../../src/core/vocabulary.ts'
import { behaves } from '../../worlds/behaves.ts'
import { PROGRAM } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { commandOf, withWakes } from '../../worlds/wakes.ts'
import { until, type World } from '../../worlds/world.ts'

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
        from: 'ann',
        to: 'orchestrator',
        type,
        body: 'x',
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
    // An agent isn't woken by its own messages or by mail that it already got.
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
    // For two minutes, ann is assumed to be working on the mail it received.
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
    // cid was just seen.
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
        wakes: false,
        cause: 'mail',
        waking: 1,
        again: until,
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
    // Even if the agent makes a call during a turn, the next turn can begin as soon as that one ends.
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

behaves('wake/no-shell', (world) =>
  withWakes(world, async (wakes) => {
    const file = join(world.folder, 'a b; $HOME')
    await wakes.agent('ann', ['tee', file])
    wakes.broker()
    const id = await wakes.send('ann')
    await until(async () => (await wakes.wakes())[0]?.state === 'ended', 'a turn')
    expect(existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      id,
      type: 'question',
      from: 'user',
      to: 'agent:ann',
      body: 'what now?',
      subject: 'what now?',
      read: false,
      state: 'queued',
    })
  }),
)

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

behaves('wake/bad-variables', async (world) => {
  for (const wake_env of [['A', 'B=C'], ['*'], ['1A']]) {
    const { message } = await refused(commandsOf(world).wakeRun({ wake_env }), 'invalid_input')
    expect(message).toContain('is not the name of a variable')
  }
})

behaves('wake/library', async (world) => {
  const { message } = await refused(commandsOf(world).wakeRun({}), 'not_found')
  expect(message).toContain("'inbox wake run'")
})

behaves('wake/internal', async (world) => {
  const { message } = await refused(commandsOf(world).wakeExec({ wake: 'wak_1' }), 'invalid_input')
  expect(message).toContain("use 'inbox wake run'")
})

/** Commands that only the shell has, so the library has no types for them. */
function commandsOf({ inbox }: World) {
  type Command = (input: object) => Promise<object>
  return inbox as unknown as { wakeRun: Command; wakeExec: Command }
}
