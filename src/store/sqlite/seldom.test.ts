import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tx } from '../../core/store.ts'
import { openSqlite } from './store.ts'

test('a unit of work that asks for what is not loaded runs again, and its company once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-seldom-'))
  const store = await openSqlite({
    path: join(folder, 'coord.db'),
    afterCommit() {},
    systemClock: Date.now,
    alone: true,
  })
  const runs: string[] = []
  const counted = (name: string, work: (tx: Tx) => Promise<unknown>) =>
    store.write(async (tx) => {
      runs.push(name)
      await work(tx)
      const at = await tx.now()
      const facts = { type: 'person_add', person_id: `person:${name}` } as const
      // The write itself is of the kind that few commands need.
      if (name !== 'company') tx.recordStoreEvent({ agent: 'user', at, summary: '', facts })
      return {}
    })
  const read = (tx: Tx) => tx.workspaces()
  const nothing = async () => {}
  await Promise.all([counted('read', read), counted('company', nothing), counted('write', nothing)])
  expect(runs).toEqual(['read', 'company', 'write', 'read', 'write'])
  expect(await store.people()).toEqual(['person:read', 'person:write'])
  expect(await store.lastEventId()).toBe(2)
  await counted('later', read)
  expect(runs.slice(5)).toEqual(['later'])
  await store.close()
  rmSync(folder, { recursive: true })
})
