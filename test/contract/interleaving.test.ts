// Reads don't share a snapshot: another process can commit between any two of them. In these tests it always does, at
// the one point where it could do harm.

import { expect } from 'bun:test'
import type { House } from '../../src/core/house.ts'
import type { Store } from '../../src/core/store.ts'
import type { Answer } from '../../src/index.ts'
import { call } from '../../src/ops/call.ts'
import { loadOperation, type OperationName } from '../../src/ops/catalogue.ts'
import { contract, type Place } from './engines.ts'

const NEVER = new AbortController().signal

async function ask(
  house: House,
  name: OperationName,
  raw: Record<string, unknown>,
  agent?: string,
) {
  const op = await loadOperation(name)
  return call(house, { op, raw, agent, door: 'library', signal: NEVER })
}

function waitAsWorker(house: House, thread: string) {
  return ask(house, 'wait-reply', { thread, timeout_seconds: 240 }, 'worker')
}

contract('a wait returns an answer if its thread is finished between its reads', async (place) => {
  const { thread, cancel } = await scene(place)
  const { store, ...rest } = await place.open()
  const slow = { ...store, reply: after(store.reply, cancel) }
  const { result } = await waitAsWorker({ ...rest, store: slow }, thread)
  expect(result).toMatchObject({ woke: true, message: { kind: 'control' } })
})

contract('pruning between two reads of a watch expires its cursor', async (place) => {
  const { cancel, prune } = await scene(place)
  const { store, ...rest } = await place.open()
  const cursor = await store.lastEventId()
  await cancel()
  const slow = { ...store, events: before(store.events, prune) }
  const raw = { after_event: cursor, timeout_seconds: 1 }
  await expect(ask({ ...rest, store: slow }, 'watch', raw)).rejects.toThrow('were pruned')
})

contract('a reply counts as read only after it was handed over', async (place) => {
  const { thread, cancel } = await scene(place)
  await cancel()
  const mailroom = await place.open()
  const { result, afterAnswer } = await waitAsWorker(mailroom, thread)
  const { message } = result as Answer<'wait-reply'>
  expect(await mailroom.store.readMark(thread, 'worker')).toBeNull()
  await afterAnswer()
  expect(await mailroom.store.readMark(thread, 'worker')).toMatchObject({
    last_read_message_id: message?.message_id,
  })
})

contract('finishes work left after an answer before the client’s next call', async (place) => {
  const { thread, cancel } = await scene(place)
  const inbox = await place.connect()
  await cancel()
  await inbox.waitReply({ agent: 'worker', thread })
  const unread = await inbox.fetch({ agent: 'worker', status: ['cancelled'], unread: true })
  expect(unread.threads).toEqual([])
})

async function scene(place: Place) {
  const inbox = await place.connect()
  await place.clock.set(place.clock.now())
  const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })
  await inbox.claim({ agent: 'worker', thread: thread.thread_id })
  return {
    thread: thread.thread_id,
    cancel: async () => void (await inbox.cancel({ agent: 'lead', thread: thread.thread_id })),
    prune: async () => {
      await place.clock.advance(1)
      expect(
        (await inbox.prune({ older_than_days: 0, include_unread: true })).removed.threads,
      ).toBe(1)
    },
  }
}

type Read<F, R> = (filter: F) => Promise<R>

function after<F, R>(read: Read<F, R>, happens: () => Promise<void>): Read<F, R> {
  const once = onlyOnce(happens)
  return async (filter) => {
    const found = await read(filter)
    await once()
    return found
  }
}

function before<F, R>(read: Read<F, R>, happens: () => Promise<void>): Read<F, R> {
  const once = onlyOnce(happens)
  return async (filter) => {
    await once()
    return read(filter)
  }
}

function onlyOnce(happens: () => Promise<void>): Store['close'] {
  let done: Promise<void> | undefined
  return () => {
    done ??= happens()
    return done
  }
}
