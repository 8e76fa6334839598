import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { withStore } from '../races/own-store.ts'
import { flowIn, scripts } from '../worlds/workflows.ts'
import { until } from '../worlds/world.ts'
import { startInbox } from './inbox.ts'
import { isAlive } from './processes.ts'

/** A user id that doesn't have to exist on the machine. */
const OTHER = 54_321

/** Kills a process the first time, and records its mail every time. */
const once = (name: string, victim: string) =>
  `cat >> "$NOTES"; [ -e ${name}.mark ] && exit 0; touch ${name}.mark; kill -9 ${victim}; sleep 60`

test('a mention is neither lost nor duplicated when its program, turn or supervisor is killed', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    const agents = {
      program: once('program', '$$'),
      turn: once('turn', '$PPID'),
      supervisor: once('supervisor', '$(ps -o ppid= -p $PPID)'),
    }
    flow.file('killed.yaml', scripts(agents, 'kickoff: "@program @turn @supervisor"\n'))
    const report = await flow.ask('workflow', 'run', 'killed.yaml')
    expect(report).toMatchObject({
      ended: 'idle',
      agents: [
        { name: 'program', turns: 2, unread: 0 },
        { name: 'turn', turns: 2, unread: 0 },
        { name: 'supervisor', turns: 2, unread: 0 },
      ],
    })
    const states = await store.sql(
      "select state, read_by from deliveries where recipient like '%@default'",
    )
    expect(states).toEqual(Array(3).fill({ state: 'read', read_by: 'turn' }))
    // Both attempts of each agent got the same mention and no other.
    const ids = flow.notes().map((line) => (JSON.parse(line) as { id: string }).id)
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(1)
  })
}, 100_000)

test('a store that goes away ends the runner, the supervisor and the program', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    const tell = 'ps -o ppid= -p $PPID >> "$NOTES"; echo $$ >> "$NOTES"; exec sleep 600'
    flow.file('long.yaml', scripts({ ann: tell }, 'kickoff: "@ann"\n'))
    const { pid } = await flow.ask<{ pid: number }>(
      'workflow',
      'start',
      'long.yaml',
      '--background',
    )
    await until(async () => flow.notes().length > 1, 'its turn')
    const all = [pid, ...flow.notes().map(Number)]
    expect(all.map(isAlive)).toEqual([true, true, true])
    for (const file of ['', '-wal', '-shm']) rmSync(`${store.address}${file}`, { force: true })
    for (const one of all) await until(async () => !isAlive(one), `the end of process ${one}`)
  })
}, 100_000)

test('a folder that cannot be created is explained, and no run starts', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    flow.file('.workflow', 'in the way')
    flow.file('one.yaml', scripts({ ann: 'cat' }, 'kickoff: "@ann"\n'))
    const { exit, stderr } = await flow.run('workflow', 'run', 'one.yaml')
    expect(exit).toBe(30)
    expect(stderr).toMatch(/cannot be made or written \(E\w+\); make it writable/)
    expect(await store.sql('select instance from instances')).toEqual([])
  })
})

test('a folder that is not writable is explained, and no run starts', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    mkdirSync(join(store.folder, 'closed'), { mode: 0o555 })
    const context = 'context: { config: { dir: closed } }\n'
    flow.file('one.yaml', scripts({ ann: 'cat' }, `${context}kickoff: "@ann"\n`))
    // A user without special rights, even if the tests run as root.
    const { folder, env } = flow
    const isRoot = process.getuid?.() === 0
    if (isRoot) execFileSync('chown', ['-R', String(OTHER), folder])
    const other = isRoot ? { uid: OTHER } : {}
    const words = ['workflow', 'run', 'one.yaml']
    const { exit, stderr } = await startInbox(words, { folder, env, ...other }).ended
    expect([exit, stderr]).toEqual([
      30,
      expect.stringContaining('cannot be made or written (EACCES)'),
    ])
    expect(await store.sql('select instance from instances')).toEqual([])
  })
})
