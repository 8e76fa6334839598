// How a workflow runs: what it starts with, what it leaves behind, and what is refused.
import { expect } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startInbox } from '../../faults/inbox.ts'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, HELLO, type Report, SAY, scripts } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

behaves('workflow-run/idle', async (world) => {
  const flow = await flowIn(world)
  flow.file('one.yaml', scripts({ ann: HELLO, bob: HELLO }, 'kickoff: "@ann say hello"\n'))
  const { exit, stdout, stderr } = await flow.run('workflow', 'run', 'one.yaml')
  expect({ exit, stderr }).toMatchObject({ exit: 0 })
  expect(stdout).toContain('default is done')
  expect(stdout).toContain('hello from ann@default')
  expect(stderr).toContain('ann@default works for 1 unread')
  expect(flow.notes()).toHaveLength(1)
  expect(JSON.parse(flow.notes()[0] ?? '')).toMatchObject({ from: 'user', body: '@ann say hello' })
  const text = readFileSync(join(world.folder, '.workflow/default/channel.md'), 'utf8')
  expect(text).toMatch(
    /^### \d\d:\d\d:\d\d \[system\]\nWorkflow started\n\n### \d\d:\d\d:\d\d \[user\]\n@ann say hello\n$/,
  )
  const [delivery] = await world.sql(
    "select state, read_by from deliveries where recipient = 'ann@default'",
  )
  expect(delivery).toEqual({ state: 'read', read_by: 'turn' })
  const [agent] = await world.sql("select wake_json from agents where agent_id = 'ann@default'")
  const { command } = JSON.parse(String(agent?.wake_json)) as { command: string[] }
  expect(command).toEqual(expect.arrayContaining(['workflow', 'turn', '--plan']))
  // Running the same instance again makes a new run with its own channel.
  const again = await flow.ask<Report>('workflow', 'run', 'one.yaml')
  expect(again).toMatchObject({ ok: true, ended: 'idle', run: 2, turns: 1 })
  expect(existsSync(join(world.folder, '.workflow/default/channel-1.md'))).toBe(true)
  const { stdout: checked } = await flow.run('doctor')
  expect(checked).toMatch(/ok +log .* the tables agree/)
})

behaves('workflow-run/no-kickoff', async (world) => {
  const flow = await flowIn(world)
  flow.file('none.yaml', scripts({ ann: HELLO }))
  const { exit, stdout } = await flow.run('workflow', 'run', 'none.yaml')
  expect(exit).toBe(10)
  expect(stdout).toContain('had nothing to do')
})

behaves('workflow-run/refused', async (world) => {
  const flow = await flowIn(world)
  flow.file('wrong.yaml', 'agents: {}\nkickof: hello\n')
  const wrong = await flow.run('workflow', 'run', 'wrong.yaml')
  expect(wrong).toMatchObject({ exit: 30, stdout: '' })
  expect(wrong.stderr).toContain('wrong.yaml:2:1')
  const file =
    'agents:\n  ann:\n    backend: command\n    command: [no-such-program]\nkickoff: "@ann"\n'
  flow.file('missing.yaml', file)
  const missing = await flow.run('workflow', 'run', 'missing.yaml')
  expect(missing).toMatchObject({ exit: 30 })
  expect(missing.stderr).toContain('there is no program "no-such-program"')
  flow.file('path.yaml', file.replace('no-such-program', './no-such-program'))
  const path = await flow.run('workflow', 'run', 'path.yaml')
  expect(path.stderr).toContain('there is no program "./no-such-program"; fix the path')
  const started = await flow.run('workflow', 'start', 'missing.yaml', '--background')
  expect(started).toMatchObject({ exit: 30, stderr: missing.stderr })
  expect((await flow.run('workflow', 'run', 'nowhere.yaml')).stderr).toContain('does not exist')
  const elsewhere = join(world.folder, 'nowhere.db')
  expect(await flow.run('workflow', 'run', 'missing.yaml', '--db', elsewhere)).toMatchObject({
    exit: 30,
    stderr: missing.stderr,
  })
  expect(existsSync(elsewhere)).toBe(false)
  expect(await world.sql('select instance from instances')).toEqual([])
  // Setup could create the program at this path, so it runs first.
  flow.file('path.yaml', `setup: [{ shell: exit 1 }]\n${file.replace('no-such', './no-such')}`)
  expect(await flow.run('workflow', 'run', 'path.yaml')).toMatchObject({ exit: 1 })
})

behaves('workflow-turn/internal', async (world) => {
  const flow = await flowIn(world)
  const turn = await flow.run(
    'workflow',
    'turn',
    '--plan',
    'x',
    '--digest',
    'y',
    '--agent',
    'ann@default',
  )
  expect(turn).toMatchObject({ exit: 30 })
  expect(turn.stderr).toContain("use 'inbox workflow run'")
  const kept = await flow.run('workflow', 'keep', '--wish', 'x')
  expect(kept).toMatchObject({ exit: 30 })
  expect(kept.stderr).toContain("use 'inbox workflow start'")
  // The file isn't left behind, even if the run fails.
  flow.file('wish.json', '{"plan":{"context":{"provider":"memory"}},"resume":true}')
  expect(await flow.run('workflow', 'keep', '--wish', 'wish.json')).toMatchObject({ exit: 30 })
  expect(existsSync(join(world.folder, 'wish.json'))).toBe(false)
  expect((await flow.run('workflow', '--help')).stdout).not.toMatch(/workflow (turn|keep)/)
})

behaves('workflow-run/second', async (world) => {
  const flow = await flowIn(world)
  const held = 'cat >/dev/null; while [ ! -e go ]; do sleep 0.05; done'
  flow.file('held.yaml', scripts({ ann: held }, 'kickoff: "@ann"\n'))
  const first = flow.start('workflow', 'run', 'held.yaml')
  await until(async () => first.stderr().includes('works for'), 'the first turn')
  const second = await flow.run('workflow', 'run', 'held.yaml')
  expect(second).toMatchObject({ exit: 20 })
  expect(second.stderr).toContain(`the instance default is running (process ${first.pid})`)
  const other = await flow.run(
    'workflow',
    'run',
    'held.yaml',
    '--instance',
    'pr-2',
    '--timeout-seconds',
    '1',
  )
  expect(other).toMatchObject({ exit: 10 })
  flow.file('go', '')
  expect(await first.ended).toMatchObject({ exit: 0 })
})

behaves('workflow-run/folder', async (world) => {
  const flow = await flowIn(world)
  const held = 'cat >/dev/null; while [ ! -e go ]; do sleep 0.05; done'
  const more = `context: { config: { dir: shared } }\nkickoff: "@ann from \${{ instance }}"\n`
  flow.file('fixed.yaml', scripts({ ann: held }, more))
  const first = flow.start('workflow', 'run', 'fixed.yaml', '--instance', 'one')
  await until(async () => first.stderr().includes('works for'), 'the first turn')
  const second = await flow.run('workflow', 'run', 'fixed.yaml', '--instance', 'two')
  expect(second).toMatchObject({ exit: 20 })
  expect(second.stderr).toContain('the instance one runs in the folder')
  expect(second.stderr).toContain(`put \${{ instance }} into context.config.dir`)
  flow.file('go', '')
  expect(await first.ended).toMatchObject({ exit: 0 })
  expect(await flow.run('workflow', 'run', 'fixed.yaml', '--instance', 'two')).toMatchObject({
    exit: 0,
  })
  const text = (file: string) => readFileSync(join(world.folder, 'shared', file), 'utf8')
  expect(text('channel-1.md')).toContain('[user]\n@ann from one')
  expect(text('channel.md')).toContain('[user]\n@ann from two')
})

behaves('workflow-run/owner', async (world) => {
  const flow = await flowIn(world)
  flow.file('one.yaml', scripts({ ann: HELLO }, 'kickoff: "@ann"\n'))
  expect(await flow.run('workflow', 'run', 'one.yaml')).toMatchObject({ exit: 0 })
  const broker = flow.start('wake', 'run', '--json')
  await world.as('user').mailSend({ to: 'ann@default', type: 'custom', body: 'are you there?' })
  await world.as('user').agentRegister({
    agent: 'carl',
    status: 'dormant',
    wake_command: JSON.stringify(['true']),
  })
  await world.as('user').mailSend({ to: 'carl', type: 'question', body: 'and you?' })
  await until(async () => broker.stdout().includes('"agent_id":"carl"'), 'a start of carl')
  broker.child.kill('SIGTERM')
  expect((await broker.ended).stdout).not.toContain('ann@default')
  const explained = await world.inbox.wakeExplain({ agent: 'ann@default' })
  expect(explained).toMatchObject({ wakes: false, waking: 1 })
  expect(explained.why).toContain(
    'only the runner of the instance default starts it, and none runs',
  )
})

behaves('workflow-run/memory', async (world) => {
  const flow = await flowIn(world)
  const ann = `cat >/dev/null; ${SAY} "done" >/dev/null && echo "$INBOX_DB"`
  flow.file('memory.yaml', scripts({ ann }, 'context:\n  provider: memory\nkickoff: "@ann"\n'))
  const report = await flow.ask<Report>('workflow', 'run', 'memory.yaml')
  expect(report).toMatchObject({ ended: 'idle', turns: 1, entries: 2 })
  const [place = ''] = report.agents.map(({ last }) => last)
  expect(place).toContain('inbox-workflow-')
  expect(existsSync(place)).toBe(false)
  expect(existsSync(join(world.folder, '.workflow'))).toBe(false)
  expect(await world.sql('select instance from instances')).toEqual([])
})

behaves('workflow-run/memory-left', async (world) => {
  const flow = await flowIn(world)
  const temporary = join(world.folder, 'temporary')
  mkdirSync(temporary)
  const elsewhere = join(world.folder, 'nowhere.db')
  const env = { ...flow.env, INBOX_DB: elsewhere, TMPDIR: temporary }
  const start = () => startInbox(['workflow', 'run', 'memory.yaml'], { folder: flow.folder, env })
  const ann = 'cat >/dev/null; [ -e go ] && exit 0; echo $$ >> pid; sleep 600'
  flow.file('memory.yaml', scripts({ ann }, 'context:\n  provider: memory\nkickoff: "@ann"\n'))
  const [killed, going] = [start(), start()]
  await until(async () => flow.notes('pid').length > 1, 'both programs')
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(readdirSync(temporary)).toHaveLength(2)
  flow.file('go', '')
  expect(await start().ended).toMatchObject({ exit: 0 })
  // The folder of the run that is still alive is kept.
  expect(readdirSync(temporary)).toHaveLength(1)
  going.child.kill('SIGTERM')
  await going.ended
  expect(readdirSync(temporary, { recursive: true })).toEqual([])
  expect(existsSync(elsewhere)).toBe(false)
})

behaves('workflow-run/none', async (world) => {
  const flow = await flowIn(world)
  flow.file(
    'none.yaml',
    scripts({ ann: HELLO, bob: HELLO }, 'context: false\nkickoff: "@ann hello"\n'),
  )
  const report = await flow.ask<Report>('workflow', 'run', 'none.yaml')
  expect(report).toMatchObject({ ended: 'idle', turns: 1, entries: 0 })
  expect(JSON.parse(flow.notes()[0] ?? '')).toMatchObject({
    body: '@ann hello',
    to: 'agent:ann@default',
  })
  expect(existsSync(join(world.folder, '.workflow'))).toBe(false)
})
