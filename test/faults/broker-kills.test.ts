// Brokers are killed at random moments while mail arrives. No agent has two turns at once, no turn starts without mail,
// and in the end all mail has been presented.

import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINES, withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { DAWN } from '../worlds/store.ts'
import { type Wakes, withWakes } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'

const AGENTS = ['ann', 'bob', 'cid']
const ROUNDS = 15

/** Whether a supervisor is running for any wake of this store. */
async function hasSupervisor(wakes: Wakes): Promise<boolean> {
  const running = runningNow()
  return (await wakes.wakes()).some(({ wake_id }) => running.includes(`--wake ${wake_id}`))
}

/** Whether a killed broker left a supervisor behind. A newly forked one still has its parent's command line. */
async function hasLeftOne(wakes: Wakes): Promise<boolean> {
  return runningNow().includes(`--db=${wakes.store.address}`) || (await hasSupervisor(wakes))
}

function runningNow(): string {
  return Bun.spawnSync(['ps', '-ax', '-o', 'args=']).stdout.toString()
}

async function openWakes(wakes: Wakes): Promise<string[]> {
  const log = await wakes.wakes()
  return log.filter(({ ended_at }) => ended_at === null).map(({ wake_id }) => wake_id)
}

/** Whether the broker has something to do before the clock moves. */
async function mayStartNow({ user }: Wakes): Promise<boolean> {
  const explained = await Promise.all(AGENTS.map((agent) => user.wakeExplain({ agent })))
  return explained.some(({ wakes }) => wakes)
}

describe.each([...ENGINES])('%s', (engine) => {
  test('brokers killed at random give every message to a turn', async () => {
    await withStore(engine, (store) =>
      withWakes(store, async (wakes) => {
        await store.clock.set(DAWN)
        for (const name of AGENTS) await wakes.agent(name, 'works', { wake_budget_per_hour: 1000 })
        const sent: string[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const victims = [wakes.broker(), wakes.broker()]
          for (const name of AGENTS) sent.push(await wakes.send(name))
          // Kills them at a random moment, from before the first look to after the last start.
          await sleep(Math.random() * 400)
          for (const { child } of victims) child.kill('SIGKILL')
          await Promise.all(victims.map(({ ended }) => ended))
          // Moves the clock so that wakes that were begun but not started lapse, and their pauses end. It can only jump
          // while nothing runs, because a supervisor can't renew its wake's lease during a jump.
          await until(async () => !(await hasLeftOne(wakes)), 'turns have ended')
          if (round % 3 === 2) await wakes.advance(45)
        }
        // No supervisor runs these, so they end only when their leases lapse. The last broker's wakes don't need that.
        const orphans = await openWakes(wakes)
        wakes.broker()
        await until(async () => {
          if ((await mayStartNow(wakes)) || (await hasSupervisor(wakes))) return false
          const open = await openWakes(wakes)
          const given = new Set(wakes.turns().flatMap(({ mail }) => mail))
          if (open.length === 0 && sent.every((id) => given.has(id))) return true
          if (open.every((id) => orphans.includes(id))) await wakes.advance(700)
          return false
        }, 'all mail is given, and nothing runs')
        const turns = wakes.turns()
        expect(turns.filter(({ overlaps }) => overlaps)).toEqual([])
        expect(turns.filter(({ mail }) => mail.length === 0)).toEqual([])
        const log = await wakes.wakes()
        const ended = log.filter(({ state }) => state === 'ended').map(({ wake_id }) => wake_id)
        expect(turns.map(({ wake }) => wake).toSorted()).toEqual(ended.toSorted())
        const states = await store.sql('select state, count(*) as n from deliveries group by state')
        expect(states.find(({ state }) => state === 'presented')?.n).toBe(sent.length)
        expect(await findingsOf(store.address)).toEqual([])
      }),
    )
  })
})
