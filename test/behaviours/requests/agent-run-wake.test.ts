// Decisions on reviews, and whether they start the run's agent.

import { expect } from 'bun:test'
import { review, runOf } from '../../worlds/agent-runs.ts'
import { behaves } from '../../worlds/behaves.ts'
import { PROGRAM } from '../../worlds/program.ts'
import { ailments } from '../../worlds/pushes.ts'
import { commandOf, withWakes } from '../../worlds/wakes.ts'

behaves('agent-run/wake', (world) =>
  withWakes(world, async (wakes) => {
    const program = commandOf('reviewed', world.folder, PROGRAM, world.address)
    // Mail alone wouldn't start this agent.
    await wakes.agent('ann', program, { wake_types: ['task-assigned'] })
    const made = await review(world)
    const { request_id: request } = made
    await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
    wakes.broker()
    await world.inbox.comment({ request, body: 'A moment' })
    const notes = 'with an example'
    await world.inbox.requestRevision({ request, revision: 1, notes })
    const [first] = await wakes.settled(1)
    expect(first).toMatchObject({ cause: 'workspace_event', state: 'ended', exit_code: 0 })
    const { request: now, revisions } = await world.inbox.requestGet({ request })
    expect(now).toMatchObject({ status: 'pending', revision: 2 })
    expect(revisions[1]?.payload).toMatchObject({ body: 'Now with an example' })
    expect(await runOf(world, made)).toMatchObject({ status: 'paused', wake_id: first?.wake_id })
    await world.inbox.approve({ request, revision: 2 })
    const [second] = await wakes.settled(2)
    expect(second).toMatchObject({ cause: 'workspace_event', state: 'ended', exit_code: 0 })
    expect((await runOf(world, made))?.status).toBe('ended')
    expect(wakes.turns()).toMatchObject([
      { cause: 'workspace_event' },
      { cause: 'workspace_event' },
    ])
    expect(await ailments(world)).toEqual([])
  }),
)

behaves('agent-run/no-wake', (world) =>
  withWakes(world, async (wakes) => {
    await wakes.agent('ann', 'works')
    await wakes.agent('bob', 'works')
    const { request_id: request } = await review(world)
    await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
    // The notes from sending the review back earlier don't start the agent either, because the run is over.
    await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
    await world.inbox.reject({ request, revision: 1, notes: 'Not this way' })
    wakes.broker()
    // bob's message is handled last, so his turn shows that all the others were handled.
    await wakes.send('bob')
    await wakes.settled(1, 'bob')
    expect(wakes.turns('ann')).toEqual([])
    const { wakes: would, why } = await wakes.user.wakeExplain({ agent: 'ann' })
    expect({ would, why }).toMatchObject({
      would: false,
      why: expect.stringContaining('cancelled'),
    })
    await wakes.send('ann')
    const [wake] = await wakes.settled(1, 'ann')
    expect(wake?.cause).toBe('mail')
    // The agent gets the stop message together with the mail that it was started for.
    expect(wakes.turns('ann')[0]?.mail).toHaveLength(3)
  }),
)
