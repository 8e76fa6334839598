// The server goes away under a broker and under a turn. Both wait for it, and no agent is started twice. If a
// supervisor is cut off for longer than its lease, it ends its turn before the agent is started again.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, type Postgres, startPostgres } from '../tools/postgres.ts'
import { startProxy } from '../tools/proxy.ts'
import type { TestStore } from '../worlds/store.ts'
import { withWakes } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'
import { startInbox } from './inbox.ts'
import { isAlive, parentOf } from './processes.ts'

let server: Postgres
let folder: string
beforeAll(async () => {
  server = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'mailroom-broker-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test('a broker and a turn outlive restarts of the server', async () => {
  const { url } = await freshDatabase(server.url)
  const store = { address: url, folder } as TestStore
  await withWakes(store, async (wakes) => {
    await wakes.agent('ann', 'works')
    wakes.broker()
    const letGo = wakes.hold()
    const first = await wakes.send('ann')
    await until(async () => wakes.turns().length === 1, 'a turn')
    await server.restart('immediate')
    letGo()
    await wakes.settled(1)
    await server.restart('fast')
    const second = await wakes.send('ann')
    const log = await wakes.settled(2)
    expect(log.map(({ state, attempt }) => ({ state, attempt }))).toEqual([
      { state: 'ended', attempt: 1 },
      { state: 'ended', attempt: 1 },
    ])
    expect(wakes.turns().map(({ mail }) => mail)).toEqual([[first], [first, second]])
  })
})

// Runs in real time, because it tests one clock against another. Both cases run in parallel, because they're slow.
test('a supervisor that is cut off ends its program before the agent is started again', async () => {
  await Promise.all([cutOff('silence'), cutOff('refusal')])
})

async function cutOff(by: 'silence' | 'refusal'): Promise<void> {
  const { url } = await freshDatabase(server.url)
  const store = { address: url, folder: mkdtempSync(join(folder, `${by}-`)) } as TestStore
  const proxy = await startProxy(url)
  await withWakes(store, async (wakes) => {
    // This agent ignores the signal that tells it to end.
    await wakes.agent('ann', 'hangs')
    const behind = startInbox(['wake', 'run', `--db=${proxy.url}`], { folder: store.folder })
    const id = await wakes.send('ann')
    await until(async () => wakes.turns().length === 1, 'a turn')
    const pid = wakes.turns()[0]?.pid ?? 0
    const supervisor = parentOf(pid)
    behind.child.kill('SIGKILL')
    await behind.ended
    wakes.broker()
    if (by === 'silence') proxy.pause()
    else await proxy.stop()
    await until(async () => !isAlive(pid), 'its program has ended')
    await until(async () => wakes.turns().length === 2, 'another turn')
    expect(await wakes.wakes()).toMatchObject([
      { attempt: 2, ended_at: null },
      { attempt: 1, state: 'lost', reason: 'its supervisor is gone' },
    ])
    const told = { mail: [id], overlaps: false }
    expect(wakes.turns()).toMatchObject([told, told])
    await until(async () => !isAlive(supervisor), 'its supervisor has ended')
  })
  if (by === 'silence') await proxy.stop()
}
