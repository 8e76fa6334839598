import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, statusOf, take, task } from '../../worlds/scenes.ts'

const ARTIFACT = { path: 'out/parser.ts', kind: 'source', metadata_json: '{}' }

behaves('done/result', async (world) => {
  const { thread } = await held(world)
  const at = await world.clock.advance(60)
  const finished = await world.inbox.done({
    agent: 'worker',
    thread,
    summary: 'Parser built',
    body: 'All tests pass.',
    payload_json: '{"tests":12}',
    artifacts: [ARTIFACT],
  })
  expect(finished.thread).toMatchObject({ status: 'done', updated_at: at })
  expect(finished.message).toMatchObject({
    kind: 'result',
    from_agent: 'worker',
    to_agent: 'lead',
    summary: 'Parser built',
    body: 'All tests pass.',
    payload_json: { tests: 12 },
    artifacts: [{ path: 'out/parser.ts' }],
  })
  expect((await world.inbox.show({ thread })).lease).toBeNull()
  expect(await world.sql('select released_at from leases')).toEqual([{ released_at: at }])
})

behaves('done/from-blocked', async (world) => {
  const { thread } = await blocked(world)
  const mine = { agent: 'worker', thread, summary: 'Found out myself' }
  expect((await world.inbox.done(mine)).thread.status).toBe('done')
})

behaves('done/not-claimed', async (world) => {
  const thread = await task(world)
  const no = await refused(
    world.inbox.done({ agent: 'worker', thread, summary: 'Done' }),
    'invalid_state',
  )
  expect(no.message).toContain('claim')
  expect(await statusOf(world, thread)).toBe('pending')
})

behaves('done/anothers', async (world) => {
  const { thread } = await held(world)
  await refused(world.inbox.done({ agent: 'other', thread, summary: 'Done' }), 'lease_conflict')
  await refused(world.inbox.done({ agent: 'lead', thread, summary: 'Done' }), 'lease_conflict')
  expect(await statusOf(world, thread)).toBe('claimed')
})

behaves('done/lost', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  const mine = { agent: 'worker', thread, summary: 'Done' }
  await world.clock.advance(61)
  await refused(world.inbox.done(mine), 'lease_conflict')
  await take(world, thread, 'other')
  await refused(world.inbox.done(mine), 'lease_conflict')
  expect(await statusOf(world, thread)).toBe('claimed')
})

behaves('done/finished', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'Done' }
  await world.inbox.done(mine)
  const no = await refused(world.inbox.done(mine), 'invalid_state')
  expect(no.message).toContain('done')
  await refused(world.inbox.fail(mine), 'invalid_state')
  await refused(world.inbox.renew({ agent: 'worker', thread }), 'invalid_state')
  const going = { ...mine, status: 'in_progress' as const }
  await refused(world.inbox.update(going), 'invalid_state')
})

behaves('done/repeated', async (world) => {
  const { thread, token } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'Done', lease_token: token }
  const first = await world.inbox.done(mine)
  await world.clock.advance(3600)
  const before = (await everything(world)).events as []
  const again = await world.inbox.done({ ...mine, summary: 'Done, I said' })
  expect(again.thread).toEqual(first.thread)
  expect(again.message).toEqual(first.message)
  expect((await everything(world)).events).toEqual(before)
  await refused(world.inbox.done({ ...mine, lease_token: 'lse_wrong' }), 'invalid_state')
  await refused(world.inbox.fail(mine), 'invalid_state')
})

behaves('done/words', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread } as { agent: string; thread: string; summary: string }
  await refused(world.inbox.done(mine), 'invalid_input')
  await refused(world.inbox.fail({ ...mine, summary: '' }), 'invalid_input')
  await refused(world.inbox.done({ ...mine, summary: 'x', payload_json: '{' }), 'invalid_input')
  expect(await statusOf(world, thread)).toBe('claimed')
})

behaves('done/unknown', async ({ inbox }) => {
  const mine = { agent: 'worker', thread: 'thr_none', summary: 'Done' }
  await refused(inbox.done(mine), 'not_found')
  await refused(inbox.fail(mine), 'not_found')
})

behaves('fail/result', async (world) => {
  const { thread } = await held(world)
  const failed = await world.inbox.fail({
    agent: 'worker',
    thread,
    summary: 'The grammar is ambiguous',
    body: 'See the log.',
    payload_json: '{"line":7}',
    artifacts: [ARTIFACT],
  })
  expect(failed.thread.status).toBe('failed')
  expect(failed.message).toMatchObject({
    kind: 'result',
    to_agent: 'lead',
    summary: 'The grammar is ambiguous',
    payload_json: { line: 7 },
    artifacts: [{ path: 'out/parser.ts' }],
  })
  expect((await world.inbox.show({ thread })).lease).toBeNull()
})

behaves('fail/refused', async (world) => {
  const thread = await task(world)
  const mine = { agent: 'worker', thread, summary: 'No' }
  await refused(world.inbox.fail(mine), 'invalid_state')
  await take(world, thread, 'other', 60)
  await refused(world.inbox.fail(mine), 'lease_conflict')
  await world.clock.advance(60)
  await refused(world.inbox.fail({ ...mine, agent: 'other' }), 'lease_conflict')
  expect(await statusOf(world, thread)).toBe('claimed')
})

behaves('fail/repeated', async (world) => {
  const { thread, token } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'No', lease_token: token }
  const { message } = await world.inbox.fail(mine)
  expect((await world.inbox.fail(mine)).message).toEqual(message)
  await refused(world.inbox.done(mine), 'invalid_state')
  expect((await world.inbox.show({ thread })).messages).toHaveLength(3)
})

behaves('cancel/unfinished', async (world) => {
  const pending = await task(world)
  const { thread: claimed } = await held(world)
  const { thread: working } = await held(world)
  const going = { agent: 'worker', thread: working, summary: 'Working' }
  await world.inbox.update({ ...going, status: 'in_progress' })
  const { thread: asking } = await blocked(world)
  for (const thread of [pending, claimed, working, asking]) {
    const { thread: after } = await world.inbox.cancel({ agent: 'lead', thread })
    expect(after.status).toBe('cancelled')
  }
})

behaves('cancel/says-why', async (world) => {
  const one = await held(world)
  const said = await world.inbox.cancel({
    agent: 'lead',
    thread: one.thread,
    reason: 'The customer changed their mind',
  })
  expect(said.message).toMatchObject({
    kind: 'control',
    from_agent: 'lead',
    to_agent: 'worker',
    summary: 'The customer changed their mind',
    body: 'The customer changed their mind',
  })
  const two = await held(world)
  const unsaid = await world.inbox.cancel({ agent: 'worker', thread: two.thread })
  expect(unsaid.message).toMatchObject({ to_agent: 'lead', summary: 'cancelled' })
})

behaves('cancel/ends-lease', async (world) => {
  const { thread, token } = await held(world)
  const at = await world.clock.advance(1)
  await world.inbox.cancel({ agent: 'lead', thread })
  expect(await world.sql('select released_at, generation from leases')).toEqual([
    { released_at: at, generation: 1 },
  ])
  const mine = { agent: 'worker', thread, lease_token: token }
  for (const call of [
    () => world.inbox.renew(mine),
    () => world.inbox.update({ ...mine, status: 'in_progress', summary: 'Working' }),
    () => world.inbox.done({ ...mine, summary: 'Done' }),
    () => world.inbox.fail({ ...mine, summary: 'Failed' }),
  ]) {
    expect((await refused(call(), 'invalid_state')).message).toContain('cancelled')
  }
})

behaves('cancel/finished', async (world) => {
  const { thread } = await held(world)
  await world.inbox.done({ agent: 'worker', thread, summary: 'Done' })
  await refused(world.inbox.cancel({ agent: 'lead', thread }), 'invalid_state')
  const other = await task(world)
  await world.inbox.cancel({ agent: 'lead', thread: other })
  await refused(world.inbox.cancel({ agent: 'lead', thread: other }), 'invalid_state')
  expect(await statusOf(world, thread)).toBe('done')
})

behaves('cancel/unknown', async ({ inbox }) => {
  await refused(inbox.cancel({ agent: 'lead', thread: 'thr_none' }), 'not_found')
})

behaves('cancel/artifacts', async (world) => {
  const thread = await task(world)
  const { message } = await world.inbox.cancel({ agent: 'lead', thread, artifacts: [ARTIFACT] })
  expect(message.artifacts).toMatchObject([{ path: 'out/parser.ts', kind: 'source' }])
})
