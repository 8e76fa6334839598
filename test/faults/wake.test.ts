// Waking when rings come too close together, don't come at all, or can't be received.

import { describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/index.ts'
import { startActor, startProgram } from '../programs/start.ts'
import { ENGINES, withLonelyStore, withStore } from '../races/own-store.ts'
import { extentAsked } from '../worlds/extent.ts'
import type { Engine, TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { withMutant } from './guards/mutant.ts'
import { expectRefusal, startInbox } from './inbox.ts'
import { hearBursts, hearsOne, untilWaiter, WITHOUT_BACKSTOP } from './noticing.ts'

/** A separate store, and sources in which only a ring ends a wait. */
function withoutBackstop(
  engine: Engine,
  use: (store: TestStore, source: string) => Promise<void>,
): Promise<void> {
  return withMutant(WITHOUT_BACKSTOP, (source) =>
    withLonelyStore(engine, (store) => use(store, source)),
  )
}

describe.each([...ENGINES])('%s: a waiter notices', (engine) => {
  test('one commit by its ring, without the backstop', async () => {
    await withoutBackstop(engine, async (store, source) => {
      expect(await hearsOne(store, source, 'until it comes')).toBe(true)
    })
  })

  test('the last commit of every burst, with any gaps between them', async () => {
    await withoutBackstop(engine, async (store, source) => {
      await hearBursts(store, source, { bursts: extentAsked() === 'full' ? 40 : 15 })
    })
  })

  test('a commit whose writer was killed before it could ring', async () => {
    await withLonelyStore(engine, async (store) => {
      const writer = await startActor(store.address)
      const { result } = await writer.call('send', { to: 'waiter', subject: 'first' })
      const waiter = await startActor(store.address, '')
      const waiting = waiter.call('watch', {
        after_event: result?.next_event_id,
        timeout_seconds: 0,
      })
      await untilWaiter(store, waiter.child)
      const second = { to: 'waiter', subject: 'second' }
      expect(await writer.dies('send', second, { at: 'committed', visit: 1 })).toBe(true)
      expect((await waiting).result).toMatchObject({ woke: true, events: [{ summary: 'second' }] })
      await waiter.close()
    })
  })
})

test.each([...ENGINES])(
  '%s: a dormant agent that starts to wait is recorded as waiting at once',
  async (engine) => {
    // A wait whose agent was seen recently is recorded later. With this mutation, it's never recorded.
    const later = { file: 'ops/kit/waiting.ts', guard: 'const FIRST_MS = 1000' }
    await withMutant({ ...later, without: 'const FIRST_MS = 3_600_000' }, (source) =>
      withLonelyStore(engine, async (store) => {
        const worker = await startActor(store.address, 'worker', { source })
        await worker.call('agentRegister')
        await worker.call('agentStatus', { status: 'dormant' })
        await store.clock.set('2099-01-01T00:00:00.000Z')
        void worker.call('mailRead', { timeout_seconds: 900 })
        await until(async () => {
          const [row] = await store.sql('select waiting_until from sightings')
          return row?.waiting_until !== ''
        }, 'the reader is seen to wait')
        await worker.close()
      }),
    )
  },
)

describe('the bell file', () => {
  const startWatch = (source: string, db: string) =>
    startInbox(['watch', `--db=${db}`, '--json'], {
      under: [process.execPath],
      program: join(source, 'bin/main.ts'),
    })

  test('is the same for every name of a store', async () => {
    await withoutBackstop('sqlite', async (store, source) => {
      const writer = await connect(store.address, { agent: 'lead' })
      await writer.send({ to: 'worker', subject: 'first' })
      const link = `${store.folder}/link.db`
      symlinkSync(store.address, link)
      const waiter = startWatch(source, link)
      await untilWaiter(store, waiter.child)
      await writer.send({ to: 'worker', subject: 'second' })
      expect((await waiter.ended).exit).toBe(0)
      await writer.close()
    })
  })

  // A short-lived command opens the file again. A long-lived writer has had it open since its first ring.
  test.each(['short', 'long'] as const)(
    'is made again and works after its deletion under a %s-lived writer',
    async (life) => {
      await withoutBackstop('sqlite', async (store, source) => {
        const bell = `${store.address}.bell`
        const writer = await connect(store.address, { agent: 'lead' })
        await writer.send({ to: 'worker', subject: 'first' })
        const waiter = startWatch(source, store.address)
        await untilWaiter(store, waiter.child)
        rmSync(bell)
        await until(async () => existsSync(bell), 'a bell made again by the waiter')
        await untilWaiter(store, waiter.child)
        const other = life === 'long' ? writer : await connect(store.address, { agent: 'lead' })
        await other.send({ to: 'worker', subject: 'second' })
        const { exit, stdout } = await waiter.ended
        await writer.close()
        if (other !== writer) await other.close()
        expect(exit).toBe(0)
        expect(JSON.parse(stdout)).toMatchObject({ events: [{ summary: 'second' }] })
      })
    },
  )

  test('that cannot be watched for lack of descriptors is polled instead', async () => {
    await withoutBackstop('sqlite', async (store, source) => {
      const writer = await connect(store.address, { agent: 'lead' })
      await writer.send({ to: 'worker', subject: 'first' })
      const waiter = startProgram<{ asleep?: true; woke?: boolean }>('crowded', [store.address], {
        source,
        // Sets both limits, because the runtime raises the soft one to the hard one.
        spawnBun: (command, args, env) =>
          spawn('sh', ['-c', 'ulimit -n 256; exec "$0" "$@"', command, ...args], {
            env,
            stdio: 'pipe',
          }),
      })
      expect(await waiter.line()).toEqual({ asleep: true })
      await writer.send({ to: 'worker', subject: 'second' })
      expect(await waiter.line()).toEqual({ woke: true })
      await writer.close()
    })
  })
})

describe('a store file', () => {
  const waitOn = async (store: TestStore, command: string[]) => {
    const lead = await connect(store.address, { agent: 'lead' })
    const { thread } = await lead.send({ to: 'worker', subject: 'first' })
    await lead.claim({ thread: thread.thread_id, agent: 'worker', lease_seconds: 4 })
    await lead.close()
    const out = command.includes('--out') ? [`${store.folder}/log.jsonl`] : []
    const waiter = startInbox([...command, ...out, `--db=${store.address}`])
    await untilWaiter(store, waiter.child)
    return waiter
  }
  const says = /store\.db was replaced or removed while in use; start again/

  // `watch` also sweeps the lapsed lease. That is its first write, on a connection opened just for it.
  test.each([
    ['replaced', ['export', '--follow', '--out']],
    ['removed', ['export', '--follow', '--out']],
    ['replaced', ['watch']],
    ['removed', ['watch']],
  ])(
    '%s under %o ends the wait with a clear refusal, and is not written to',
    async (how, command) => {
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
    },
  )
})
