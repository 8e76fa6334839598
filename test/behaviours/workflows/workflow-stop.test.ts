// Runs that were stopped or killed, and how a later run continues them.
import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../faults/processes.ts'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, HELLO, type Report, scripts } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

behaves('workflow-run/stop', async (world) => {
  const flow = await flowIn(world)
  // The second program has left the process group.
  const stray =
    "setsid sh -c 'echo $$ > stray; exec sleep 600' & until [ -s stray ]; do sleep 0.02; done"
  const hangs = `${stray}; echo $$ > pid; cat >/dev/null; sleep 600 & sleep 600`
  flow.file('hangs.yaml', scripts({ ann: hangs }, 'kickoff: "@ann"\n'))
  for (const way of ['SIGINT', 'SIGHUP', 'stop'] as const) {
    const running = flow.start('workflow', 'run', 'hangs.yaml')
    await until(async () => flow.notes('pid').length > 0, 'its program')
    const pid = Number(flow.notes('pid')[0])
    if (way !== 'stop') running.child.kill(way)
    else expect(await flow.run('workflow', 'stop', '@default')).toMatchObject({ exit: 0 })
    const { exit, stdout } = await running.ended
    expect(exit).toBe({ SIGINT: 130, SIGHUP: 129, stop: 0 }[way])
    expect(stdout).toContain('default was stopped')
    expect(isAlive(pid)).toBe(false)
    expect(isAlive(-pid)).toBe(false)
    const left = Number(flow.notes('stray')[0])
    await until(async () => !isAlive(left), 'the end of what left the group')
    const ended = await world.sql('select state, ended from instances')
    expect(ended).toEqual([{ state: 'ended', ended: 'stopped' }])
    flow.file('pid', '')
    flow.file('stray', '')
  }
})

behaves('workflow-stop/killed', async (world) => {
  const flow = await flowIn(world)
  flow.file('held.yaml', scripts({ ann: HELLO }))
  const runner = flow.start('workflow', 'start', 'held.yaml')
  const listed = () => flow.ask<{ agents: unknown[] }>('workflow', 'list')
  await until(async () => (await listed()).agents.length > 0, 'its runner')
  runner.child.kill('SIGKILL')
  await runner.ended
  const at = performance.now()
  const stopped = await flow.ask('workflow', 'stop', '@default')
  expect(performance.now() - at).toBeLessThan(12_000)
  expect(stopped).toMatchObject({ stopped: [{ name: 'ann@default', ended: 'lost' }], still: [] })
})

behaves('workflow-run/killed', async (world) => {
  const flow = await flowIn(world)
  const held = 'echo $$ > pid; cat >> "$NOTES"; [ -e go ] && exit 0; sleep 600'
  flow.file('held.yaml', scripts({ ann: held }, 'kickoff: "@ann"\n'))
  const first = flow.start('workflow', 'run', 'held.yaml')
  await until(async () => flow.notes('pid').length > 0, 'its program')
  first.child.kill('SIGKILL')
  const at = performance.now()
  const pid = Number(flow.notes('pid')[0])
  expect(isAlive(pid)).toBe(true)
  await until(async () => !isAlive(pid), 'the end of its program')
  expect(performance.now() - at).toBeLessThan(40_000)
  flow.file('go', '')
  const again = await flow.ask<Report>('workflow', 'run', 'held.yaml', '--resume')
  expect(again).toMatchObject({ ended: 'idle', run: 1, agents: [{ unread: 0, turns: 1 }] })
  const bodies = flow.notes().map((line) => (JSON.parse(line) as { id: string }).id)
  expect(new Set(bodies).size).toBe(1)
})

behaves('workflow-run/taken-over', async (world) => {
  const flow = await flowIn(world)
  const held = 'cat >/dev/null; [ -e go ] && exit 0; echo $$ > pid; sleep 600'
  flow.file('held.yaml', scripts({ ann: held }, 'kickoff: "@ann"\n'))
  const first = flow.start('workflow', 'run', 'held.yaml')
  await until(async () => flow.notes('pid').length > 0, 'its program')
  first.child.kill('SIGKILL')
  await first.ended
  flow.file('go', '')
  const pid = Number(flow.notes('pid')[0])
  const again = await flow.ask<Report>('workflow', 'run', 'held.yaml', '--resume')
  expect(again).toMatchObject({ ended: 'idle', run: 1, agents: [{ unread: 0, turns: 1 }] })
  expect(isAlive(pid)).toBe(false)
})

behaves('workflow-run/left-out', async (world) => {
  const flow = await flowIn(world)
  flow.file('two.yaml', scripts({ ann: HELLO, bob: HELLO }))
  flow.file('one.yaml', `context: { config: { dir: other } }\n${scripts({ ann: HELLO })}`)
  await flow.run('workflow', 'start', 'two.yaml', '--background')
  await flow.run('workflow', 'stop', 'bob@default')
  expect((await flow.run('workflow', 'send', '@bob please')).stdout).toContain('bob@default is not')
  await flow.run('workflow', 'stop', '@default')
  const { stdout, stderr } = await flow.run('workflow', 'run', 'one.yaml', '--resume')
  expect(stderr).toContain('bob@default no longer takes part; a message to it went back')
  expect(stderr).toMatch(/had the file .*two.yaml; it continues with .*one.yaml\n/)
  expect(stderr).toMatch(/had the folder .*\.workflow\/default; it continues with .*other\n/)
  expect(stdout + stderr).not.toContain('held')
  const text = readFileSync(join(world.folder, 'other/channel.md'), 'utf8')
  expect(text).toContain('A message did not reach bob: it takes no part in the workflow any more')
  const [bob] = await world.sql("select state from deliveries where recipient = 'bob@default'")
  expect(bob).toEqual({ state: 'bounced' })
  expect((await flow.run('mail', 'send', 'bob@default', 'hello', '--agent', 'ann')).exit).not.toBe(
    0,
  )
})

behaves('workflow-run/mail-order', async (world) => {
  const flow = await flowIn(world)
  flow.file('two.yaml', scripts({ ann: HELLO, bob: HELLO }))
  await flow.run('workflow', 'start', 'two.yaml', '--background')
  await flow.run('workflow', 'stop', 'ann@default')
  for (const text of ['one', 'two is urgent', 'three']) {
    await flow.run('workflow', 'send', text, '--to', 'ann@default')
  }
  await flow.run('workflow', 'stop', '@default')
  await flow.run('workflow', 'run', 'two.yaml', '--resume')
  const bodies = flow.notes().map((line) => (JSON.parse(line) as { body: string }).body)
  expect(bodies).toEqual(['two is urgent', 'one', 'three'])
})
