import { expect } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startInbox } from '../../faults/inbox.ts'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, scripts } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

type Report = {
  ended: string
  why: string
  turns: number
  agents: { name: string; turns: number; unread: number; last: string }[]
}

const HELLO = 'cat >> "$NOTES"; echo "hello from $INBOX_AGENT"'

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
  // The same instance again: a new run with a channel of its own.
  const again = await flow.ask<Report>('workflow', 'run', 'one.yaml')
  expect(again).toMatchObject({ ok: true, ended: 'idle', run: 2, turns: 1 })
  expect(existsSync(join(world.folder, '.workflow/default/channel-1.md'))).toBe(true)
  const { stdout: checked } = await flow.run('doctor')
  expect(checked).toMatch(/ok +log .* the tables agree/)
})

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
    ...{ ok: false, ended: 'timeout' },
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

behaves('workflow-run/gives-up', async (world) => {
  const flow = await flowIn(world)
  const ann = 'cat >/dev/null; echo again >> "$NOTES"; echo "no key" >&2; exit 1'
  const bob =
    'if grep -q "did not reach ann"; then echo told >> "$NOTES"; else agent-worker context send "@ann help"; fi'
  flow.file('fails.yaml', scripts({ ann, bob }, 'kickoff: "@bob"\n'))
  const { exit, stdout } = await flow.run('workflow', 'run', 'fails.yaml', '--json')
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exit).toBe(1)
  expect(lines.at(-1)).toMatchObject({
    ...{ ok: false, ended: 'failed', why: 'ann@default: it ended with exit code 1' },
    agents: [
      { name: 'ann', turns: 3, unread: 0 },
      { name: 'bob', turns: 2, unread: 0 },
    ],
  })
  expect(flow.notes().at(-1)).toBe('told')
  expect(flow.notes().filter((line) => line === 'again')).toHaveLength(3)
  expect(lines.find(({ event }) => event === 'gave_up')).toMatchObject({ agent: 'ann@default' })
  const states = await world.sql('select recipient, state from deliveries order by recipient')
  expect(states).toEqual([
    { recipient: 'ann@default', state: 'bounced' },
    { recipient: 'bob@default', state: 'read' },
    { recipient: 'bob@default', state: 'read' },
  ])
  const text = readFileSync(join(world.folder, '.workflow/default/channel.md'), 'utf8')
  expect(text.match(/\[system\]\n.*/g)?.slice(1)).toEqual([
    '[system]\nA message did not reach ann: it failed in 3 attempts: it ended with exit code 1',
  ])
})

behaves('workflow-run/no-kickoff', async (world) => {
  const flow = await flowIn(world)
  flow.file('none.yaml', scripts({ ann: HELLO }))
  const { exit, stdout } = await flow.run('workflow', 'run', 'none.yaml')
  expect(exit).toBe(10)
  expect(stdout).toContain('had nothing to do')
})

behaves('workflow-run/timeout', async (world) => {
  const flow = await flowIn(world)
  const hangs = 'echo $$ > pid; cat >/dev/null; sleep 600'
  const file = scripts({ ann: hangs }, 'kickoff: "@ann"\n')
  flow.file('hangs.yaml', file.replace('    command:', '    timeout: 1s\n    command:'))
  const { exit, stdout } = await flow.run(
    ...['workflow', 'run', 'hangs.yaml', '--timeout-seconds', '4', '--json'],
  )
  expect(exit).toBe(10)
  // The supervisor of a turn knows that it took too long.
  expect(stdout).toContain('"reason":"it took longer than 1 s and was ended"')
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(report).toMatchObject({ ended: 'timeout', why: 'it took longer than 4 s' })
  expect(report.agents).toMatchObject([{ unread: 1 }])
  const pid = Number(readFileSync(join(world.folder, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
  // The mail of a turn that was ended is presented again to whoever goes on.
  flow.file('hangs.yaml', scripts({ ann: HELLO }, 'kickoff: "@ann"\n'))
  const again = await flow.ask<Report>('workflow', 'run', 'hangs.yaml', '--resume')
  expect(again).toMatchObject({ ended: 'idle', run: 1, agents: [{ turns: 1, unread: 0 }] })
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
    ...{ agent: 'carl', status: 'dormant', wake_command: JSON.stringify(['true']) },
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
  expect(path.stderr).toContain('there is no program "./no-such-program"; mend the path')
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
  // Setup may make it.
  flow.file('path.yaml', `setup: [{ shell: exit 1 }]\n${file.replace('no-such', './no-such')}`)
  expect(await flow.run('workflow', 'run', 'path.yaml')).toMatchObject({ exit: 1 })
})

behaves('workflow-run/stop', async (world) => {
  const flow = await flowIn(world)
  // The second program has left the group.
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

const SAY = '"$INBOX_PROGRAM" workflow context send --agent "$INBOX_AGENT"'

behaves('workflow-run/ping-pong', async (world) => {
  const flow = await flowIn(world)
  const to = (other: string) => `cat >/dev/null; ${SAY} "@${other} your turn"`
  const agents = scripts({ ann: to('bob'), bob: to('ann') })
  flow.file(
    'hops.yaml',
    `${agents.replaceAll('    command:', '    hops: 4\n    command:')}kickoff: "@ann"\n`,
  )
  const hops = await flow.run('workflow', 'run', 'hops.yaml', '--json')
  expect(hops.exit).toBe(1)
  expect(JSON.parse(hops.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ...{ ok: false, ended: 'hops', turns: 4 },
    why: expect.stringContaining('too many wakes away'),
  })
  flow.file(
    'turns.yaml',
    `${agents.replaceAll('    command:', '    max_turns: 2\n    command:')}kickoff: "@ann"\n`,
  )
  const turns = await flow.run('workflow', 'run', 'turns.yaml', '--json')
  expect(turns.exit).toBe(1)
  expect(JSON.parse(turns.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ...{ ok: false, ended: 'budget', turns: 4, error: { code: 'budget' } },
    why: expect.stringContaining('mail waits for ann, after 4 turns'),
  })
})

behaves('workflow-run/flood', async (world) => {
  const flow = await flowIn(world)
  const program = join(import.meta.dir, '../../programs/agent-talker.ts')
  const ann = `cat >/dev/null; ${process.execPath} ${program} 10000`
  flow.file('flood.yaml', scripts({ ann, bob: HELLO }, 'kickoff: "@ann and @bob"\n'))
  const report = await flow.ask<Report>('workflow', 'run', 'flood.yaml')
  expect(report).toMatchObject({
    ended: 'idle',
    entries: 101,
    agents: [
      { name: 'ann', turns: 1, last: 'said 100, refused 9900' },
      { name: 'bob', turns: 1 },
    ],
  })
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
  // The folder of the one that lives is left alone.
  expect(readdirSync(temporary)).toHaveLength(1)
  going.child.kill('SIGTERM')
  await going.ended
  expect(readdirSync(temporary)).toEqual([])
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

behaves('workflow-run/left-out', async (world) => {
  const flow = await flowIn(world)
  flow.file('two.yaml', scripts({ ann: HELLO, bob: HELLO }))
  flow.file('one.yaml', `context: { config: { dir: other } }\n${scripts({ ann: HELLO })}`)
  await flow.run('workflow', 'start', 'two.yaml', '--background')
  await flow.run('workflow', 'stop', 'bob@default')
  expect((await flow.run('workflow', 'send', '@bob please')).stdout).toContain('bob@default is not')
  await flow.run('workflow', 'stop', '@default')
  const { stdout, stderr } = await flow.run('workflow', 'run', 'one.yaml', '--resume')
  expect(stderr).toContain('bob@default takes no part any more; a message to it went back')
  expect(stderr).toMatch(/had the file .*two.yaml; it goes on with .*one.yaml\n/)
  expect(stderr).toMatch(/had the folder .*\.workflow\/default; it goes on with .*other\n/)
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

behaves('workflow-start/background', async (world) => {
  const flow = await flowIn(world)
  flow.file('team.yaml', scripts({ ann: HELLO, bob: HELLO }))
  const started = await flow.ask<{ pid: number; log: string; url: string }>(
    ...['workflow', 'start', 'team.yaml', '--background'],
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
  // Another plan of the instance is refused, and the one that runs goes on by its own.
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
    ...['workflow', 'new', 'helper', '--backend', 'command', '--command', command],
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

behaves('workflow-turn/internal', async (world) => {
  const flow = await flowIn(world)
  const turn = await flow.run(
    ...['workflow', 'turn', '--plan', 'x', '--digest', 'y', '--agent', 'ann@default'],
  )
  expect(turn).toMatchObject({ exit: 30 })
  expect(turn.stderr).toContain("use 'inbox workflow run'")
  const kept = await flow.run('workflow', 'keep', '--wish', 'x')
  expect(kept).toMatchObject({ exit: 30 })
  expect(kept.stderr).toContain("use 'inbox workflow start'")
  // The file is not left behind, whatever becomes of the run.
  flow.file('wish.json', '{"plan":{"context":{"provider":"memory"}},"resume":true}')
  expect(await flow.run('workflow', 'keep', '--wish', 'wish.json')).toMatchObject({ exit: 30 })
  expect(existsSync(join(world.folder, 'wish.json'))).toBe(false)
  expect((await flow.run('workflow', '--help')).stdout).not.toMatch(/workflow (turn|keep)/)
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

function running(world: { sql: (text: string) => Promise<unknown[]> }) {
  return world.sql("select instance from instances where state = 'running'")
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
