// Agents started by a timer, and how often an agent may be started.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { withWakes } from '../../worlds/wakes.ts'

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
    // The broker checks only after an hour. It starts the agent once, and the next timer is a minute later.
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

behaves('wake/bad-cron', async (world) => {
  for (const wake_cron of ['61 * * * *', '0 0 30 2 *', 'soon']) {
    await refused(world.inbox.agentRegister({ agent: 'ann', wake_cron }), 'invalid_input')
  }
  expect((await world.inbox.agentList({})).agents).toEqual([])
})

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
