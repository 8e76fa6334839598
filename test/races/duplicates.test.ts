import { describe, expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import type { TestStore } from '../worlds/store.ts'
import { callTwice, type Duplicate } from './duplicates.ts'
import { ENGINES, withLonelyStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

// Each function prepares the store for a call and returns the call, which agent lead then makes twice.
const CALLS: Record<string, (store: TestStore) => Promise<Duplicate>> = {
  'a new thread': async () => ({ op: 'send', input: { to: 'worker', subject: 'one' } }),
  'a message': async (store) => ({
    op: 'send',
    input: { thread: await newThread(store), summary: 'more' },
  }),
  'a claim of the next thread': async (store) => {
    await newThread(store)
    await newThread(store)
    return { op: 'claim', input: {} }
  },
  // The second process finds the only thread locked, and must not report that there are none.
  'a claim of the only thread': async (store) => {
    await newThread(store)
    return { op: 'claim', input: {} }
  },
  'a claim by id': async (store) => ({ op: 'claim', input: { thread: await newThread(store) } }),
  'a renewal': async (store) => ({ op: 'renew', input: { thread: await heldThread(store) } }),
  'an update': async (store) => ({
    op: 'update',
    input: { thread: await heldThread(store), status: 'blocked', summary: 'which?' },
  }),
  'a reply': async (store) => ({
    op: 'reply',
    input: { thread: await heldThread(store), summary: 'this' },
  }),
  'a result': async (store) => ({
    op: 'done',
    input: { thread: await heldThread(store), summary: 'built' },
  }),
  'a failure': async (store) => ({
    op: 'fail',
    input: { thread: await heldThread(store), summary: 'broken' },
  }),
  'a cancellation': async (store) => ({
    op: 'cancel',
    input: { thread: await newThread(store), reason: 'no need' },
  }),
  'a sweep': async (store) => {
    await heldThread(store)
    await store.clock.set('2099-01-01T00:00:00.000Z')
    return { op: 'sweep', input: {} }
  },
}

describe.each([...ENGINES])('%s: two simultaneous calls with one idempotency key', (engine) => {
  test.each(Object.entries(CALLS))('make %s once and get one answer', async (_, prepare) => {
    await withLonelyStore(engine, async (store) => {
      const duplicate = await prepare(store)
      const { answers, events } = await callTwice(store, duplicate)
      expect(answers[1]).toEqual(answers[0])
      expect(answers[0]).toHaveProperty('next_event_id')
      expect(events).toBe(1)
      expect(await findingsOf(store.address)).toEqual([])
    })
  })
})

async function newThread({ address }: TestStore): Promise<string> {
  const client = await connect(address, { agent: 'lead' })
  const { thread } = await client.send({ to: 'lead', subject: 'work' })
  await client.close()
  return thread.thread_id
}

async function heldThread(store: TestStore): Promise<string> {
  const thread = await newThread(store)
  const client = await connect(store.address, { agent: 'lead' })
  await client.claim({ thread })
  await client.close()
  return thread
}
