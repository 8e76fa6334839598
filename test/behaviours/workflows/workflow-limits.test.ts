// Agents of a workflow that fail, hang, or never finish on their own.
import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../faults/processes.ts'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn, HELLO, type Report, SAY, scripts } from '../../worlds/workflows.ts'

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
    ok: false,
    ended: 'failed',
    why: 'ann@default: it ended with exit code 1',
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

behaves('workflow-run/timeout', async (world) => {
  const flow = await flowIn(world)
  const hangs = 'echo $$ > pid; cat >/dev/null; sleep 600'
  const file = scripts({ ann: hangs }, 'kickoff: "@ann"\n')
  flow.file('hangs.yaml', file.replace('    command:', '    timeout: 1s\n    command:'))
  const { exit, stdout } = await flow.run(
    'workflow',
    'run',
    'hangs.yaml',
    '--timeout-seconds',
    '4',
    '--json',
  )
  expect(exit).toBe(10)
  // The supervisor of the turn knows that it took too long.
  expect(stdout).toContain('"reason":"it took longer than 1 s and was ended"')
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(report).toMatchObject({ ended: 'timeout', why: 'it took longer than 4 s' })
  expect(report.agents).toMatchObject([{ unread: 1 }])
  const pid = Number(readFileSync(join(world.folder, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
  // Mail from a turn that was cut off is presented again when the run continues.
  flow.file('hangs.yaml', scripts({ ann: HELLO }, 'kickoff: "@ann"\n'))
  const again = await flow.ask<Report>('workflow', 'run', 'hangs.yaml', '--resume')
  expect(again).toMatchObject({ ended: 'idle', run: 1, agents: [{ turns: 1, unread: 0 }] })
})

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
    ok: false,
    ended: 'hops',
    turns: 4,
    why: expect.stringContaining('too many wakes away'),
  })
  flow.file(
    'turns.yaml',
    `${agents.replaceAll('    command:', '    max_turns: 2\n    command:')}kickoff: "@ann"\n`,
  )
  const turns = await flow.run('workflow', 'run', 'turns.yaml', '--json')
  expect(turns.exit).toBe(1)
  expect(JSON.parse(turns.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ok: false,
    ended: 'budget',
    turns: 4,
    error: { code: 'budget' },
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
