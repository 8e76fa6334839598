import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openMailroom } from '../../../src/bin/compose.ts'
import { startProgram } from '../../programs/start.ts'
import { withStore } from '../../races/own-store.ts'
import { withWakes } from '../../worlds/wakes.ts'
import { startInbox } from '../inbox.ts'
import { withMutant } from './mutant.ts'

// test/faults/broker.test.ts runs the same scenario on the real program.
test('without the check of its state, a wake is started by every supervisor', async () => {
  const mutation = {
    file: 'wake/wake-life.ts',
    guard: ' || wake.state !== from',
    without: '',
  }
  await withMutant(mutation, (source) =>
    withStore('sqlite', (store) =>
      withWakes(store, async (wakes) => {
        await wakes.agent('ann', 'works')
        const victim = startProgram<object>('broker', [store.address, 'unstarted'])
        await victim.line()
        await wakes.send('ann')
        await victim.ended
        const [row] = await store.sql('select wake_id, token from wakes')
        const args = ['wake', 'exec', '--wake', String(row?.wake_id), '--json']
        const env = { INBOX_DB: store.address, INBOX_WAKE_TOKEN: String(row?.token) }
        const under = [process.execPath]
        const program = join(source, 'bin/main.ts')
        const two = [0, 1].map(() =>
          startInbox(args, { env, folder: store.folder, under, program }),
        )
        await Promise.all(two.map(({ ended }) => ended))
        expect(wakes.turns()).toHaveLength(2)
      }),
    ),
  )
})

type Start = typeof import('../../../src/wake/wake-life.ts')

test('without the second check under the lock, an outdated ruling starts an agent again', async () => {
  const mutation = {
    file: 'wake/wake-life.ts',
    guard:
      'if (situation === null || situation.cause === null || !situation.ruling.wakes) return null',
    without: "if (situation === null) return null\n    situation.cause ??= 'mail'",
  }
  const begin = async (start: Start) =>
    withStore('sqlite', async (store) => {
      const { store: opened, makeId, close } = await openMailroom(store.address)
      await withWakes(store, async ({ agent, send }) => {
        await agent('ann', 'works')
        await send('ann')
      })
      const how = { makeId, offsetMinutes: () => 0 }
      const first = await start.beginWake(opened, 'ann', how)
      if (first === null) throw new Error('it could not be begun')
      const end = { state: 'ended', exit_code: 0, reason: '', stderr: '' } as const
      await start.endWake(opened, first, () => true, end)
      const second = await start.beginWake(opened, 'ann', how)
      await close()
      return second
    })
  expect(await begin(await import('../../../src/wake/wake-life.ts'))).toBe(null)
  await withMutant(mutation, async (source) => {
    expect(await begin(await import(join(source, 'wake/wake-life.ts')))).not.toBe(null)
  })
})

test('postgres: without the lock of the agent, two brokers begin one wake and collide', async () => {
  const mutation = {
    file: 'wake/wake-life.ts',
    guard: '    await tx.lockRow(AGENTS, agentId)\n    const situation',
    without: '    const situation',
  }
  const collide = (start: Start) =>
    withStore('postgres', async (store) => {
      const rooms = await Promise.all([0, 1].map(() => openMailroom(store.address)))
      const problems: unknown[] = []
      await withWakes(store, async ({ agent, send }) => {
        for (let round = 0; round < 20; round++) {
          const name = await agent(`agent-${round}`, 'works')
          await send(name)
          const begun = await Promise.allSettled(
            rooms.map(({ store: opened, makeId }) =>
              start.beginWake(opened, name, { makeId, offsetMinutes: () => 0 }),
            ),
          )
          for (const one of begun) if (one.status === 'rejected') problems.push(one.reason)
        }
        await store.sql("update wakes set ended_at = started_at, state = 'lost'")
      })
      for (const { close } of rooms) await close()
      return problems
    })
  expect(await collide(await import('../../../src/wake/wake-life.ts'))).toEqual([])
  await withMutant(mutation, async (source) => {
    expect(await collide(await import(join(source, 'wake/wake-life.ts')))).not.toEqual([])
  })
})
