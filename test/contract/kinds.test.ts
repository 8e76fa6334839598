// A thread's kind and its status together decide what can be done with it. Only work can be claimed, held and swept,
// and the commands for work show only work, whatever status another kind of thread has.

import { expect } from 'bun:test'
import type { Client } from '../../src/index.ts'
import { DAWN } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'

type Scene = { inbox: Client; threads: string[] }

/** Creates a mail thread and a push in a state that a future kind could have, such as `pending` and assigned to bob. */
async function scene(place: Place, status: string, assignee = 'bob'): Promise<Scene> {
  const inbox = await place.connect()
  await place.clock.set(DAWN)
  await inbox.agentRegister({ agent: 'bob', role: 'builder' })
  const { message } = await inbox.mailSend({ from: 'ann', to: 'bob', body: 'A letter' })
  const { entry_id } = await inbox.push({ agent: 'ann', comments: 'A push' })
  const threads = [message?.thread_id ?? '', entry_id]
  for (const thread of threads) {
    await place.sql(
      `update threads set status = ?, assigned_to = ? where thread_id = ?`,
      status,
      assignee,
      thread,
    )
    await place.sql('update events set status = ? where thread_id = ?', status, thread)
  }
  return { inbox, threads }
}

contract('a pending thread of another kind cannot be claimed', async (place) => {
  const { inbox, threads } = await scene(place, 'pending')
  for (const thread of threads) {
    const claimed = inbox.claim({ agent: 'bob', thread })
    await expect(claimed).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(claimed).rejects.toThrow('only work can be worked on')
    await expect(inbox.cancel({ agent: 'bob', thread })).rejects.toThrow('only work')
  }
  expect(await inbox.claim({ agent: 'bob' })).toMatchObject({ thread: null, lease: null })
  expect(await place.sql('select * from leases')).toEqual([])
})

contract('a thread of another kind is not found as a role’s work', async (place) => {
  const { inbox } = await scene(place, 'pending', 'role:builder')
  expect(await inbox.claim({ agent: 'bob' })).toMatchObject({ thread: null, lease: null })
  expect((await inbox.fetch({ agent: 'bob' })).threads).toEqual([])
})

contract('a thread of another kind is not shown as work', async (place) => {
  const { inbox } = await scene(place, 'pending')
  expect((await inbox.fetch({ agent: 'bob' })).threads).toEqual([])
  expect((await inbox.fetch({ agent: 'bob', status: ['pending'] })).threads).toEqual([])
  expect((await inbox.list({})).threads).toEqual([])
  expect((await inbox.list({ agent: 'bob' })).threads).toEqual([])
  const { counts, oldest_pending } = await inbox.status({})
  expect([counts.threads.pending, oldest_pending]).toEqual([0, null])
  const seen = await inbox.watch({ after_event: 0, status: ['pending'], timeout_seconds: 1 })
  expect(seen.events).toEqual([])
})

contract('ignores a lease on a thread of another kind', async (place) => {
  const { inbox, threads } = await scene(place, 'blocked')
  const { store } = await place.open()
  for (const thread of threads) {
    await place.sql(
      `insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,
         expires_at) values (?, 'bob', 'lse_1', 1, 10, ?, ?)`,
      thread,
      DAWN,
      DAWN,
    )
    await place.sql(`update messages set kind = 'question' where thread_id = ?`, thread)
  }
  await place.clock.advance(60)
  expect(await inbox.claim({ agent: 'bob' })).toMatchObject({ thread: null })
  expect((await inbox.fetch({ agent: 'bob' })).threads).toEqual([])
  expect(await inbox.status({})).toMatchObject({ leases: [], blocked: [] })
  expect(await inbox.sweep({})).toMatchObject({ threads: [] })
  expect(await store.nextLapse()).toBeNull()
})

contract('a thread of another kind is not pruned as finished work', async (place) => {
  const { inbox } = await scene(place, 'done')
  await place.clock.advance(3600)
  const pruned = await inbox.prune({ older_than_days: 0, include_unread: true, dry_run: true })
  expect(pruned).toMatchObject({ threads: [], removed: { threads: 0 } })
})
