// The setup of a workflow, before its agents are called.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, HELLO, type Report, running, scripts } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

behaves('workflow-run/setup', async (world) => {
  const flow = await flowIn(world)
  const more = `setup:\n  - shell: echo "@bob, look"\n    as: said\nkickoff: "\${{ said }} @ann"\n`
  flow.file('setup.yaml', scripts({ ann: HELLO, bob: HELLO }, more))
  const report = await flow.ask<Report>('workflow', 'run', 'setup.yaml')
  expect(report.agents).toMatchObject([
    { name: 'ann', turns: 1 },
    { name: 'bob', turns: 0 },
  ])
  expect(JSON.parse(flow.notes()[0] ?? '')).toMatchObject({ body: '@bob, look @ann' })
})

behaves('workflow-run/setup-fails', async (world) => {
  const flow = await flowIn(world)
  const more = 'setup:\n  - shell: echo no >&2; exit 3\nkickoff: "@ann"\n'
  flow.file('setup.yaml', scripts({ ann: HELLO }, more))
  const { exit, stdout } = await flow.run('workflow', 'run', 'setup.yaml', '--json')
  expect(exit).toBe(1)
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report
  expect(report).toMatchObject({ ended: 'failed', turns: 0 })
  expect(report.why).toContain('ended with exit code 3')
  expect(flow.notes()).toEqual([])
})

behaves('workflow-run/setup-hangs', async (world) => {
  const flow = await flowIn(world)
  flow.file('slow.yaml', scripts({ ann: HELLO }, 'setup:\n  - shell: sleep 600\nkickoff: "@ann"\n'))
  const late = await flow.run('workflow', 'run', 'slow.yaml', '--timeout-seconds', '1', '--json')
  expect(late.exit).toBe(10)
  expect(JSON.parse(late.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ok: false,
    ended: 'timeout',
    error: { code: 'timeout', message: expect.stringMatching(/^default ran out of time: .* 1 s/) },
    why: expect.stringContaining('the run took longer than 1 s'),
  })
  const started = flow.start('workflow', 'start', 'slow.yaml', '--background')
  await until(async () => (await running(world)).length > 0, 'its runner')
  expect(await flow.run('workflow', 'stop')).toMatchObject({ exit: 0 })
  const { exit, stdout } = await started.ended
  expect(exit).toBe(1)
  expect(stdout).toContain('default was stopped before its agents were called')
  expect(flow.notes()).toEqual([])
})
