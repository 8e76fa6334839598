// One bell for many waiters: each wakes for what concerns it, and misses nothing.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { connect } from '../../src/index.ts'
import { shareBell } from '../../src/wake/shared-bell.ts'
import { waitFor } from '../../src/wake/wait.ts'
import { freshSchema } from '../worlds/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mailroom-bell-'))
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

let number = 0
const ENGINES: [string, () => string][] = [
  ['sqlite', () => join(folder, `store-${number++}.db`)],
  ['postgres', () => freshSchema().address],
]

/** A store with a shared bell, as in a server, and another client that writes to it. */
async function shared(address: string) {
  const room = await openMailroom(address)
  const lead = await connect(address, { agent: 'lead' })
  const { bell, lookout, waiters } = shareBell(room.bell, room.store)
  closing.push(room.close, bell.close, lead.close)
  return { store: { ...room.store, lookout }, bell, lead, waiters }
}

describe.each(ENGINES)('on %s', (_, fresh) => {
  test('a waiter is woken only for the names it gave, or for everything if it gave none', async () => {
    const { bell, lead, waiters } = await shared(fresh())
    const heard = { bob: 0, alice: 0, any: 0 }
    let onRing = () => {}
    const ear = (name: keyof typeof heard) => () => {
      heard[name] += 1
      onRing()
    }
    const disarm = await bell.arm(ear('bob'), ['bob'])
    await bell.arm(ear('alice'), ['alice'])
    await bell.arm(ear('any'))
    const until = (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        onRing = () => isSo() && resolve()
        onRing()
      })
    const { thread } = await lead.send({ to: 'bob', subject: 'One' })
    await until(() => heard.bob > 0 && heard.any > 0)
    expect(heard.alice).toBe(0)
    await bell.arm(ear('alice'), [thread.thread_id])
    await lead.send({ to: 'bob', thread: thread.thread_id, summary: 'More' })
    await until(() => heard.alice > 0)
    disarm()
    const before = heard.bob
    await lead.send({ to: 'alice', subject: 'Two' })
    await until(() => heard.alice > 1)
    expect(heard.bob).toBe(before)
    expect(waiters()).toBe(3)
  })

  test('a third agent written to in a thread of two others is woken', async () => {
    const { bell, lead } = await shared(fresh())
    const { thread } = await lead.send({ to: 'bob', subject: 'One' })
    const woken = Promise.withResolvers<void>()
    await bell.arm(woken.resolve, ['carol'])
    await bell.arm(() => {}, ['dave'])
    await lead.send({ to: 'carol', thread: thread.thread_id, summary: 'Look at this' })
    await woken.promise
  })

  test('a single waiter is woken without a query of the log, but a second one is not', async () => {
    const address = fresh()
    const room = await openMailroom(address)
    let asked = 0
    const events: typeof room.store.events = (filter) => {
      asked += 1
      return room.store.events(filter)
    }
    const { bell } = shareBell(room.bell, { ...room.store, events })
    const lead = await connect(address, { agent: 'lead' })
    closing.push(room.close, bell.close, lead.close)
    const woken = Promise.withResolvers<void>()
    await bell.arm(woken.resolve, ['carol'])
    await lead.mailSend({ to: 'carol', body: 'Hello' })
    await woken.promise
    expect(asked).toBe(0)
    const again = Promise.withResolvers<void>()
    await bell.arm(again.resolve, ['dave'])
    await lead.mailSend({ to: 'dave', body: 'Hello' })
    await again.promise
    expect(asked).toBeGreaterThan(0)
  })

  test('no waiter misses a message sent while it starts to wait', async () => {
    const { store, bell, lead } = await shared(fresh())
    const names = Array.from({ length: 100 }, (_, i) => `agent${i}`)
    const { signal } = new AbortController()
    const waits = names.map((agent) =>
      waitFor({
        bell,
        about: [agent],
        look: async () => (await store.unread(agent)) || null,
        lookout: store.lookout(),
        chores: [],
        // Shorter than the backstop's interval, so only a ring can end the wait in time.
        timeoutMs: 50_000,
        signal,
      }),
    )
    for (const to of names) void lead.send({ to, subject: 'Hi' })
    const ends = await Promise.all(waits)
    expect(ends.every(({ outcome }) => outcome === 'found')).toBe(true)
  })
})
