// Effects of approvals, with real brokers and real programs. Each effect is started once, even if processes are killed
// along the way, and its request always shows its state.

import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectDeath } from '../programs/effect-supervisor.ts'
import { startProgram } from '../programs/start.ts'
import { ENGINES, withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import {
  approvedOf,
  type EffectWay,
  effectCommand,
  effectOf,
  startedEffects,
  untilEffect,
} from '../worlds/effects.ts'
import { DAWN, type Engine } from '../worlds/store.ts'
import { type Wakes, withWakes } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'
import { runInbox } from './inbox.ts'

type EffectWorld = Wakes & {
  /** Sets the command for this type. */
  set(way: EffectWay, more?: { type?: string; timeout_seconds?: number }): Promise<void>
  starts(): ReturnType<typeof startedEffects>
}

function withEffects(engine: Engine, use: (world: EffectWorld) => Promise<void>): Promise<void> {
  return withStore(engine, (store) =>
    withWakes(store, async (wakes) => {
      const starts = () => startedEffects(store.folder)
      const set: EffectWorld['set'] = async (way, { type = 'deploy', ...more } = {}) => {
        const command = effectCommand(store.folder, way)
        await wakes.user.requestEffect({ type, command, ...more })
      }
      await use({ ...wakes, set, starts })
      expect(await findingsOf(store.address)).toEqual([])
    }),
  )
}

describe.each([...ENGINES])('%s', (engine) => {
  test('an effect is started once, with the payload and a valid warrant', async () => {
    await withEffects(engine, async ({ user, set, broker, starts, store }) => {
      await set('works')
      broker()
      broker()
      const payload = { to: 'production', tag: 'é😀', n: 1e21 }
      const request = await approvedOf(user, 'deploy', payload)
      const effect = await untilEffect(user, request, 'done')
      expect(effect).toMatchObject({ attempt: 1, exit_code: 0, reason: '' })
      const [start, ...more] = starts()
      expect(more).toEqual([])
      expect(start?.request).toBe(request)
      const given = JSON.parse(start?.input ?? '')
      expect(given).toMatchObject({ request_id: request, type: 'deploy', revision: 1, payload })
      const warrant = JSON.stringify(given.warrant)
      const words = JSON.stringify(given.payload)
      const used = await user.requestVerify({ warrant, payload: words, use: true })
      expect(used).toMatchObject({ approved: true, request_id: request })
      const { activity } = await user.requestGet({ request })
      const happened = activity.map(({ action, actor }) => [action, actor])
      expect(happened.slice(1)).toEqual([
        ['approve', 'user'],
        ['effect_queue', 'user'],
        ['effect_start', 'system'],
        ['effect_end', 'system'],
        ['use', 'user'],
      ])
      // A new broker finds nothing left to start.
      broker()
      const other = await approvedOf(user, 'deploy')
      await untilEffect(user, other, 'done')
      expect(starts()).toHaveLength(2)
      expect(await store.sql('select thread_id from effects where is_open = 1')).toEqual([])
    })
  })

  test('a program that fails is recorded with its exit code and last output, and not retried', async () => {
    await withEffects(engine, async ({ user, set, broker, starts }) => {
      await set('fails')
      const { stdout } = broker()
      const request = await approvedOf(user, 'deploy')
      const effect = await untilEffect(user, request, 'failed')
      await until(async () => stdout().includes('"came":"failed"'), 'the broker tells of it')
      expect(effect).toMatchObject({ exit_code: 3, reason: 'it ended with exit code 3' })
      expect(effect.last_words).toEndWith('the host is down\n')
      // Only a person can retry it, with the command set at that time.
      await set('works')
      const again = await user.requestRetry({ request })
      expect(again).toMatchObject({ effect: 'waiting', attempt: 2 })
      expect(await untilEffect(user, request, 'done')).toMatchObject({ attempt: 2, exit_code: 0 })
      expect(starts()).toHaveLength(2)
    })
  })

  test("a program's output and time are limited", async () => {
    await withEffects(engine, async ({ user, set, broker, starts }) => {
      await set('floods')
      await set('hangs', { type: 'slow', timeout_seconds: 1 })
      await set('deaf', { type: 'deaf' })
      broker()
      const loud = await approvedOf(user, 'deploy')
      const slow = await approvedOf(user, 'slow')
      const deaf = await approvedOf(user, 'deaf', { text: 'x'.repeat(900_000) })
      const flooded = await untilEffect(user, loud, 'failed')
      expect(flooded.last_words.length).toBeLessThanOrEqual(4096)
      expect(await untilEffect(user, slow, 'failed')).toMatchObject({
        reason: 'it took longer than 1 s and was ended',
      })
      expect(await untilEffect(user, deaf, 'done')).toMatchObject({ exit_code: 0 })
      expect(starts()).toHaveLength(3)
    })
  })

  test('a program that cannot be started is recorded as failed', async () => {
    await withEffects(engine, async ({ user, broker }) => {
      await user.requestEffect({ type: 'deploy', command: '["/no/such/program"]' })
      broker()
      const effect = await untilEffect(user, await approvedOf(user, 'deploy'), 'failed')
      expect(effect.reason).toContain('/no/such/program cannot be started: ENOENT')
    })
  })

  test('several approvals at once start each effect once', async () => {
    await withEffects(engine, async ({ user, set, broker, starts }) => {
      await set('works')
      broker()
      broker()
      const requests = await Promise.all(
        Array.from({ length: 9 }, () => approvedOf(user, 'deploy')),
      )
      for (const request of requests) await untilEffect(user, request, 'done')
      expect(
        starts()
          .map(({ request }) => request)
          .toSorted(),
      ).toEqual(requests.toSorted())
    })
  })

  test('twenty supervisors of one effect start one program', async () => {
    await withEffects(engine, async ({ user, set, starts, store }) => {
      await set('works')
      const request = await approvedOf(user, 'deploy')
      const args = ['request', 'exec', '--request', request, `--db=${store.address}`, '--json']
      const ran = await Promise.all(
        Array.from({ length: 20 }, () => runInbox(args, { folder: store.folder })),
      )
      const began = ran.filter(({ stdout }) => JSON.parse(stdout).started)
      expect(began).toHaveLength(1)
      expect(starts()).toHaveLength(1)
      expect(await effectOf(user, request)).toMatchObject({ state: 'done' })
    })
  })
})

describe.each([...ENGINES])('%s: a kill', (engine) => {
  test('of the broker before it starts the effect leaves it waiting for the next broker', async () => {
    await withEffects(engine, async ({ user, set, broker, starts }) => {
      await set('works')
      const first = broker()
      await user.agentRegister({ agent: 'ann' })
      await until(async () => (await user.wakeExplain({ agent: 'ann' })).broker, 'a broker runs')
      first.child.kill('SIGKILL')
      await first.ended
      const request = await approvedOf(user, 'deploy')
      expect(await effectOf(user, request)).toMatchObject({ state: 'waiting', started_at: null })
      expect(starts()).toEqual([])
      broker()
      await untilEffect(user, request, 'done')
      expect(starts()).toHaveLength(1)
    })
  })

  test('of the broker alone lets the program finish, and its end is recorded', async () => {
    await withEffects(engine, async ({ user, set, broker, starts, store }) => {
      await set('hangs')
      const first = broker()
      const request = await approvedOf(user, 'deploy')
      await until(async () => starts().length === 1, 'the program runs')
      first.child.kill('SIGKILL')
      await first.ended
      broker()
      expect(await effectOf(user, request)).toMatchObject({ state: 'running', ended_at: null })
      writeFileSync(join(store.folder, 'go'), '')
      await untilEffect(user, request, 'done')
      expect(starts()).toHaveLength(1)
    })
  })

  test('of the supervisor during the program ends it, and the effect is unknown and not restarted', async () => {
    await withEffects(engine, async (world) => {
      const { user, set, broker, starts, store } = world
      await store.clock.set(DAWN)
      await set('hangs')
      broker()
      const request = await approvedOf(user, 'deploy')
      await until(async () => starts().length === 1, 'the program runs')
      const [start] = starts()
      process.kill(supervisorOf(request), 'SIGKILL')
      await until(async () => !isRunning(start?.pid ?? 0), 'the program is gone')
      await expectUnknown(world, request)
    })
  })

  test('of the supervisor before it records the end makes the effect unknown', async () => {
    await withEffects(engine, async (world) => {
      const { user, set, broker, starts, store } = world
      await store.clock.set(DAWN)
      await set('orphaned')
      broker()
      const request = await approvedOf(user, 'deploy')
      await until(async () => starts().length === 1, 'the program was there')
      await until(async () => !isRunning(starts()[0]?.pid ?? 0), 'the program is gone')
      await expectUnknown(world, request)
    })
  })

  const deaths: [EffectDeath, string, number][] = [
    ['first begun', 'waiting', 0],
    ['first decided', 'waiting', 0],
    ['first written', 'waiting', 0],
    ['first committed', 'unknown', 0],
    ['unstarted', 'unknown', 0],
    ['started', 'unknown', 1],
    ['last begun', 'unknown', 1],
    ['last decided', 'unknown', 1],
    ['last written', 'unknown', 1],
    ['last committed', 'done', 1],
  ]

  test.each(deaths)(
    'at "%s" makes the effect %s, with the program started at most %d times',
    (death, state, most) =>
      withEffects(engine, async ({ user, set, broker, starts, store, advance }) => {
        await store.clock.set(DAWN)
        await set('works')
        const request = await approvedOf(user, 'deploy')
        const supervisor = startProgram<object>('effect-supervisor', [
          store.address,
          request,
          death,
        ])
        expect(await supervisor.ended).toMatchObject({ signal: 'SIGKILL' })
        const killed = await effectOf(user, request)
        expect(String(killed.state)).toBe(state === 'unknown' ? 'running' : state)
        broker()
        await advance(31)
        // The broker starts an effect that is waiting, but never restarts one that has already begun.
        const after = await untilEffect(user, request, state === 'waiting' ? 'done' : state)
        expect(after.attempt).toBe(1)
        await advance(600)
        const expected = state === 'waiting' ? 1 : most
        expect(starts().length).toBeLessThanOrEqual(expected)
        if (state !== 'unknown') expect(starts()).toHaveLength(1)
      }),
  )

  /** Expects the effect to be running until its lease lapses, then unknown, and restarted only by a person. */
  async function expectUnknown(world: EffectWorld, request: string): Promise<void> {
    const { user, broker, starts, advance, set } = world
    expect(await effectOf(user, request)).toMatchObject({ state: 'running' })
    await advance(31)
    const effect = await untilEffect(user, request, 'unknown')
    expect(effect.reason).toContain('it is unknown how far it got')
    broker()
    // Reads report that state before the broker has recorded it.
    await until(async () => {
      const { activity } = await user.requestGet({ request })
      return activity.some(({ action }) => action === 'effect_end')
    }, 'the broker has recorded it')
    await advance(600)
    const other = await approvedOf(user, 'other')
    expect((await user.requestGet({ request: other })).effect).toBeNull()
    expect(starts()).toHaveLength(1)
    await set('works')
    await user.requestRetry({ request })
    await untilEffect(user, request, 'done')
    expect(starts()).toHaveLength(2)
  }
})

function supervisorOf(request: string): number {
  const { stdout } = Bun.spawnSync(['ps', '-ax', '-o', 'pid=,args='])
  const line = stdout
    .toString()
    .split('\n')
    .find((one) => one.includes(`--request ${request}`))
  if (line === undefined) throw new Error(`nobody watches over ${request}`)
  return Number.parseInt(line, 10)
}

function isRunning(pid: number): boolean {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
  const state = stdout.toString().trim()
  return state !== '' && !state.startsWith('Z')
}
