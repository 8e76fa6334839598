// The settings for waking an agent.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'

behaves('agent/wake-settings', async (world) => {
  const { agent } = await world.inbox.agentRegister({
    agent: 'ann',
    wake_command: '["run-ann"]',
    wake_cwd: '/srv/project',
    wake_types: ['review-result', 'question', 'answer', 'cancel'],
    wake_every_seconds: 600,
    wake_quiet: '22-7',
    wake_budget_per_hour: 5,
    wake_hop_limit: 3,
    wake_timeout_seconds: 120,
    wake_after_seconds: 30,
  })
  expect(agent.wake).toMatchObject({
    command: ['run-ann'],
    cwd: '/srv/project',
    types: ['review-result', 'question', 'answer', 'cancel'],
    every_seconds: 600,
    quiet: [22, 7],
    budget_per_hour: 5,
    hop_limit: 3,
    timeout_seconds: 120,
    after_seconds: 30,
  })
  const changed = await world.inbox.agentRegister({ agent: 'ann', wake_cron: '*/30 9-17 * * 1-5' })
  expect(changed.agent.wake).toMatchObject({ cron: '*/30 9-17 * * 1-5', hop_limit: 3 })
  expect(changed.agent.wake.every_seconds).toBeUndefined()
  const without = await world.inbox.agentRegister({ agent: 'ann', wake_command: '[]' })
  expect(without.agent.wake.command).toBeUndefined()
  const copy = await world.another('empty')
  const log = await world.exportLog()
  expect(await copy.importLog(log)).toMatchObject({ rejected: [] })
  expect(await copy.exportLog()).toBe(log)
  const before = await everything(world)
  const wrong = [
    { wake_command: 'run-ann' },
    { wake_command: '"run-ann"' },
    { wake_command: '[1]' },
    { wake_command: '[""]' },
    { wake_cwd: 'project' },
    { wake_quiet: '22' },
    { wake_quiet: '25-7' },
    { wake_quiet: '7-7' },
    { wake_cron: 'often' },
    { wake_cron: '* * * * *', wake_every_seconds: 60 },
    { wake_types: ['question' as const, 'status' as const] },
    { wake_types: ['progress' as const] },
  ]
  for (const input of wrong) {
    await refused(world.inbox.agentRegister({ agent: 'ann', ...input }), 'invalid_input')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('agent/wake-taken-back', async (world) => {
  const settings = {
    wake_command: '["run-ann"]',
    wake_cwd: '/srv/project',
    wake_types: ['question', 'result'],
    wake_cron: '*/30 9-17 * * 1-5',
    wake_quiet: '22-7',
    wake_budget_per_hour: 5,
    wake_hop_limit: 3,
    wake_timeout_seconds: 120,
    wake_after_seconds: 30,
  } as const
  const { agent } = await world.inbox.agentRegister({
    ...settings,
    agent: 'ann',
    wake_types: [...settings.wake_types],
  })
  expect(agent.wake.types).toEqual(['question', 'task-done', 'review-result'])
  let left: object = agent.wake
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    const { wake } = (await world.inbox.agentRegister({ agent: 'ann', [name]: null })).agent
    expect(Object.keys(left)).toContain(name.slice('wake_'.length))
    expect(Object.keys(wake)).not.toContain(name.slice('wake_'.length))
    expect(left).toMatchObject(wake)
    left = wake
  }
  expect(left).toEqual({})
  const every = await world.inbox.agentRegister({ agent: 'ann', wake_every_seconds: 60 })
  expect(every.agent.wake.every_seconds).toBe(60)
  const ended = await world.inbox.agentRegister({ agent: 'ann', wake_every_seconds: null })
  expect(ended.agent.wake).toEqual({})
})
