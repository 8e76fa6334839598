// Workflows and single agents that run in the background.
import { expect } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isAlive } from '../../faults/processes.ts'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, HELLO, running, scripts } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

behaves('workflow-start/background', async (world) => {
  const flow = await flowIn(world)
  flow.file('team.yaml', scripts({ ann: HELLO, bob: HELLO }))
  const started = await flow.ask<{ pid: number; log: string; url: string }>(
    'workflow',
    'start',
    'team.yaml',
    '--background',
  )
  expect(started).toMatchObject({ ok: true, instance: 'default', background: true })
  expect(isAlive(started.pid)).toBe(true)
  const words = execFileSync('ps', ['-o', 'args=', '-p', String(started.pid)], { encoding: 'utf8' })
  expect(words).toContain('workflow keep --wish')
  const health = await fetch(started.url.replace(/\/mcp$/, '/healthz'))
  expect(health.ok).toBe(true)
  const said = readFileSync(started.log, 'utf8')
  const second = await flow.run('workflow', 'start', 'team.yaml', '--background')
  expect(second.exit).toBe(20)
  expect(second.stderr).toBe(
    `inbox: the instance default is running (process ${started.pid}); stop it with 'inbox workflow stop @default', or name another instance\n`,
  )
  expect(readFileSync(started.log, 'utf8')).toBe(said)
  // A different plan for the instance is refused, and the run continues with its own plan.
  flow.file('other.yaml', scripts({ ann: 'exit 1' }, 'kickoff: "@ann"\n'))
  expect(await flow.run('workflow', 'run', 'other.yaml')).toMatchObject({ exit: 20 })
  const sent = await flow.run('workflow', 'send', 'hello there', '--to', 'ann@default')
  expect(sent).toMatchObject({ exit: 0 })
  await until(async () => flow.notes().length > 0, 'its turn')
  expect(JSON.parse(flow.notes()[0] ?? '')).toMatchObject({ from: 'user', body: 'hello there' })
  expect(await flow.run('workflow', 'stop')).toMatchObject({ exit: 0 })
  await until(async () => !isAlive(started.pid), 'the end of its runner')
  expect(readFileSync(started.log, 'utf8')).toContain('default was stopped')
})

behaves('workflow-start/begun', async (world) => {
  const flow = await flowIn(world)
  const wait = 'while [ ! -e go ]; do sleep 0.05; done'
  const more = (end: string) => `setup:\n  - shell: ${wait}; ${end}\nkickoff: "@ann"\n`
  flow.file('team.yaml', scripts({ ann: HELLO }, more('echo "no key" >&2; exit 3')))
  const start = () => flow.start('workflow', 'start', 'team.yaml', '--background')
  const failing = start()
  await until(async () => (await running(world)).length > 0, 'its setup')
  expect(failing.stdout()).toBe('')
  flow.file('go', '')
  const { exit, stdout } = await failing.ended
  expect(exit).toBe(1)
  expect(stdout).toContain('default failed before its agents were called')
  expect(stdout).toMatch(/ended with exit code 3:\n.*no key/)
  expect(stdout).toMatch(/^log: .*runner\.log$/m)
  expect(await running(world)).toEqual([])
  flow.file('team.yaml', scripts({ ann: HELLO }, more('true')))
  const well = start()
  expect(await well.ended).toMatchObject({ exit: 0 })
  const said = await world.sql("select body from messages where body like '%@ann%'")
  expect(said).toEqual([{ body: '@ann' }])
  expect(await flow.run('workflow', 'stop')).toMatchObject({ exit: 0 })
})

behaves('workflow-new/alone', async (world) => {
  const flow = await flowIn(world)
  const command = JSON.stringify(['sh', '-c', HELLO])
  const made = await flow.ask<{ pid: number }>(
    'workflow',
    'new',
    'helper',
    '--backend',
    'command',
    '--command',
    command,
  )
  expect(made).toMatchObject({ ok: true, agent: 'helper', instance: 'helper' })
  expect((await flow.run('workflow', 'list')).stdout).toContain('(standalone)')
  expect(await flow.run('workflow', 'send', 'are you there?')).toMatchObject({ exit: 0 })
  await until(async () => flow.notes().length > 0, 'its turn')
  expect(JSON.parse(flow.notes()[0] ?? '')).toMatchObject({
    to: 'agent:helper',
    body: 'are you there?',
  })
  expect(await flow.run('workflow', 'stop', 'helper')).toMatchObject({ exit: 0 })
  await until(async () => !isAlive(made.pid), 'the end of its runner')
})

behaves('workflow-new/refused', async (world) => {
  const flow = await flowIn(world)
  const reserved = await flow.run('workflow', 'new', 'user', '--backend', 'command')
  expect(reserved).toMatchObject({ exit: 30 })
  expect(reserved.stderr).toContain('"user" cannot be a name here')
  const without = await flow.run('workflow', 'new', 'helper', '--backend', 'command')
  expect(without).toMatchObject({ exit: 30 })
  expect(without.stderr).toContain('--command is missing')
  const model = await flow.run('workflow', 'new', 'helper', '--context')
  expect(model.stderr).toContain('--model is missing: the backend sdk needs one')
  const tools = ['--tools', 'mailbox, Bash(a,b), nonsense']
  const unknown = await flow.run('workflow', 'new', 'helper', '--backend', 'claude', ...tools)
  expect(unknown.stderr).toContain('"nonsense" is not a tool')
  expect(unknown.stderr).not.toContain('Bash(a')
})
