// The server goes away under a broker and under a turn: both wait for it, and nothing is started twice.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, type Postgres, startPostgres } from '../tools/postgres.ts'
import type { TestStore } from '../worlds/store.ts'
import { withWakes } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'

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
