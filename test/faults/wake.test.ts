// Waking, when rings come too close, do not come at all, or nobody can listen.

import { describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from '../../src/index.ts'
import { startActor, startProgram } from '../programs/start.ts'
import { ENGINES, withLonelyStore, withStore } from '../races/own-store.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { expectRefusal, startInbox } from './inbox.ts'
import {
  BEFORE_BACKSTOP_MS,
  noticeBursts,
  noticeOne,
  untilWaiter,
  WITH_BACKSTOP_MS,
} from './noticing.ts'

describe.each([...ENGINES])('%s: a waiter notices', (engine) => {
  test('one commit by its ring, not by the backstop', async () => {
    await withLonelyStore(engine, async (store) => {
      expect(await noticeOne(store)).toBeLessThan(BEFORE_BACKSTOP_MS)
    })
  })

  test('the last commit of every burst, however close they come', async () => {
    await withLonelyStore(engine, async (store) => {
      const late = await noticeBursts(store, { bursts: 40 })
      expect(late).toHaveLength(40)
      expect(Math.max(...late)).toBeLessThan(BEFORE_BACKSTOP_MS)
    })
  })

  test('a commit whose writer was killed before it could ring', async () => {
    await withLonelyStore(engine, async (store) => {
      const writer = await startActor(store.address)
      const { result } = await writer.call('send', { to: 'waiter', subject: 'first' })
      const waiter = await startActor(store.address, 'waiter')
      const waiting = waiter.call('watch', {
        after_event: result?.next_event_id,
        timeout_seconds: 0,
      })
      await untilWaiter(store, waiter.child)
      const second = { to: 'waiter', subject: 'second' }
      expect(await writer.dies('send', second, { at: 'committed', visit: 1 })).toBe(true)
      const killedAt = performance.now()
      expect((await waiting).result).toMatchObject({ woke: true, events: [{ summary: 'second' }] })
      expect(performance.now() - killedAt).toBeLessThan(WITH_BACKSTOP_MS)
      await waiter.close()
    })
  })
})

describe('the bell file', () => {
  test('is one for all names of a store', async () => {
    await withStore('sqlite', async (store) => {
      const writer = await connect(store.address, { agent: 'lead' })
      await writer.send({ to: 'worker', subject: 'first' })
      const link = `${store.folder}/link.db`
      symlinkSync(store.address, link)
      const waiter = startInbox(['watch', `--db=${link}`, '--json'])
      await untilWaiter(store, waiter.child)
      await writer.send({ to: 'worker', subject: 'second' })
      const sentAt = performance.now()
      const { exit } = await waiter.ended
      expect(performance.now() - sentAt).toBeLessThan(BEFORE_BACKSTOP_MS)
      expect(exit).toBe(0)
      await writer.close()
    })
  })

  // A short command opens the file anew; a long-lived writer has it open since its first ring.
  test.each(['short', 'long'] as const)(
    'deleted under a %s-lived writer, is made and heard again',
    async (life) => {
      await withStore('sqlite', async (store) => {
        const bell = `${store.address}.bell`
        const writer = await connect(store.address, { agent: 'lead' })
        await writer.send({ to: 'worker', subject: 'first' })
        const waiter = startInbox(['watch', `--db=${store.address}`, '--json'])
        await untilWaiter(store, waiter.child)
        rmSync(bell)
        await until(async () => existsSync(bell), 'a bell made again by the waiter')
        const other = life === 'long' ? writer : await connect(store.address, { agent: 'lead' })
        await other.send({ to: 'worker', subject: 'second' })
        const sentAt = performance.now()
        const { exit, stdout } = await waiter.ended
        const took = performance.now() - sentAt
        await writer.close()
        if (other !== writer) await other.close()
        expect(exit).toBe(0)
        expect(JSON.parse(stdout)).toMatchObject({ events: [{ summary: 'second' }] })
        expect(took).toBeLessThan(BEFORE_BACKSTOP_MS)
      })
    },
  )

  test('that cannot be watched for want of descriptors is looked at ten times a second', async () => {
    await withStore('sqlite', async (store) => {
      const writer = await connect(store.address, { agent: 'lead' })
      await writer.send({ to: 'worker', subject: 'first' })
      const waiter = startProgram<{ asleep?: true; woke?: boolean }>('crowded', [store.address], {
        // Both limits: the runtime raises the soft one to the hard one.
        spawnBun: (command, args, env) =>
          spawn('sh', ['-c', 'ulimit -n 256; exec "$0" "$@"', command, ...args], {
            env,
            stdio: 'pipe',
          }),
      })
      expect(await waiter.line()).toEqual({ asleep: true })
      await writer.send({ to: 'worker', subject: 'second' })
      const sentAt = performance.now()
      expect(await waiter.line()).toEqual({ woke: true })
      expect(performance.now() - sentAt).toBeLessThan(BEFORE_BACKSTOP_MS)
      await writer.close()
    })
  })
})

describe('a store file', () => {
  const waitOn = async (store: TestStore, command: string[]) => {
    const lead = await connect(store.address, { agent: 'lead' })
    const { thread } = await lead.send({ to: 'worker', subject: 'first' })
    await lead.claim({ thread: thread.thread_id, agent: 'worker', lease_seconds: 1 })
    await lead.close()
    const out = command.includes('--out') ? [`${store.folder}/log.jsonl`] : []
    const waiter = startInbox([...command, ...out, `--db=${store.address}`])
    await untilWaiter(store, waiter.child)
    return waiter
  }
  const says = /store\.db was replaced or removed while in use; start again/

  // `watch` sweeps the lease that lapses meanwhile: its first write, on a connection made for it.
  test.each([
    ['replaced', ['export', '--follow', '--out']],
    ['removed', ['export', '--follow', '--out']],
    ['replaced', ['watch']],
    ['removed', ['watch']],
  ])('%s under %o ends the wait with a clear refusal, and is not written', async (how, command) => {
    await withStore('sqlite', async (store) => {
      const waiter = await waitOn(store, command)
      if (how === 'replaced') {
        const other = `${store.folder}/other.db`
        const maker = await connect(other, { agent: 'lead' })
        await maker.close()
        renameSync(other, store.address)
      } else {
        rmSync(store.address)
      }
      expectRefusal(await waiter.ended, { exit: 50, says })
      if (how === 'removed') expect(existsSync(store.address)).toBe(false)
    })
  })
})
