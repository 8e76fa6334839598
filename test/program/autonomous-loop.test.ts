// The whole loop without a person after the first message. A person writes; the dormant orchestrator is woken, assigns
// the work to a role, is woken by the result, has it reviewed, is woken by the review, and reports to the person. Every
// agent is a real program that sleeps between its turns.

import { describe, expect, test } from 'bun:test'
import { ENGINES, withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { PROGRAM } from '../worlds/program.ts'
import { commandOf, withWakes } from '../worlds/wakes.ts'

const ROLES = { lead: 'orchestrator', ann: 'builder', rex: 'reviewer' }

describe.each([...ENGINES])('%s', (engine) => {
  test('what a person asked for is built, reviewed, built again, approved and reported', async () => {
    await withStore(engine, (store) =>
      withWakes(store, async (wakes) => {
        for (const [agent, role] of Object.entries(ROLES)) {
          await wakes.agent(agent, commandOf('loop', PROGRAM, role), { role })
        }
        wakes.broker()
        wakes.broker()
        await wakes.send('orchestrator', { type: 'custom', body: 'write the login page' })
        const read = await wakes.user.mailRead({ timeout_seconds: 240 })
        expect(read).toMatchObject({
          messages: [
            { from: 'agent:lead', type: 'status', body: 'done: again: write the login page' },
          ],
        })
        await wakes.settled(0)

        const log = (await wakes.wakes()).reverse()
        expect(log.map(({ agent_id }) => agent_id)).toEqual([
          'lead',
          'ann',
          'lead',
          'rex',
          'lead',
          'ann',
          'lead',
          'rex',
          'lead',
        ])
        expect(log.map(({ state, attempt, reason }) => ({ state, attempt, reason }))).toEqual(
          log.map(() => ({ state: 'ended', attempt: 1, reason: '' })),
        )
        // Each turn is one hop further from the person's message.
        expect(log.map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
        const { agents } = await wakes.user.agentList({})
        expect(agents.map(({ status, unread }) => ({ status, unread }))).toEqual(
          agents.map(() => ({ status: 'dormant', unread: 0 })),
        )
        expect(await findingsOf(store.address)).toEqual([])
      }),
    )
  })
})
