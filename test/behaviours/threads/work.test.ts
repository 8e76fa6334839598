import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, statusOf, take, task } from '../../worlds/scenes.ts'

const ARTIFACT = { path: 'out/report.md', kind: 'report', metadata_json: '{"pages":3}' }
const SHOWN = { path: 'out/report.md', kind: 'report', metadata_json: { pages: 3 } }

behaves('update/in-progress', async (world) => {
  const { thread, token } = await held(world)
  const at = await world.clock.advance(10)
  const updated = await world.inbox.update({
    agent: 'worker',
    thread,
    status: 'in_progress',
    summary: 'Half way',
  })
  expect(updated.thread).toMatchObject({ status: 'in_progress', updated_at: at })
  expect(updated.message).toMatchObject({
    from_agent: 'worker',
    to_agent: 'lead',
    kind: 'progress',
    summary: 'Half way',
    seq: 3,
  })
  // The lease goes on as it was: progress is not a renewal.
  expect(updated.lease).toMatchObject({
    lease_token: token,
    expires_at: '2026-03-01T08:15:00.000Z',
  })
})

behaves('update/blocked', async (world) => {
  const { thread } = await held(world)
  const asked = await world.inbox.update({
    agent: 'worker',
    thread,
    status: 'blocked',
    summary: 'Which grammar, PEG or LR?',
    payload_json: '{"question":"grammar","choices":["PEG","LR"]}',
  })
  expect(asked.thread.status).toBe('blocked')
  expect(asked.message).toMatchObject({
    kind: 'question',
    to_agent: 'lead',
    summary: 'Which grammar, PEG or LR?',
    payload_json: { question: 'grammar', choices: ['PEG', 'LR'] },
  })
})

behaves('update/both-ways', async (world) => {
  const { thread } = await held(world)
  const move = async (status: 'in_progress' | 'blocked') =>
    (await world.inbox.update({ agent: 'worker', thread, status, summary: 'So' })).thread.status
  expect(await move('blocked')).toBe('blocked')
  expect(await move('in_progress')).toBe('in_progress')
  expect(await move('in_progress')).toBe('in_progress')
  expect(await move('blocked')).toBe('blocked')
  expect(await move('blocked')).toBe('blocked')
})

behaves('update/artifacts', async (world) => {
  const { thread } = await held(world)
  const { message } = await world.inbox.update({
    agent: 'worker',
    thread,
    status: 'in_progress',
    summary: 'See',
    body: 'the report',
    artifacts: [ARTIFACT],
  })
  expect(message).toMatchObject({ body: 'the report', artifacts: [SHOWN] })
  expect((await world.inbox.show({ thread })).messages.at(-1)).toEqual(message)
})

behaves('update/words', async (world) => {
  const { thread } = await held(world)
  const before = await everything(world)
  const mine = { agent: 'worker', thread, status: 'blocked' as const, summary: 'Which?' }
  await refused(world.inbox.update({ ...mine, summary: ' ' }), 'invalid_input')
  await refused(world.inbox.update({ ...mine, status: 'done' as 'blocked' }), 'invalid_input')
  const { summary: _, ...silent } = mine
  await refused(world.inbox.update(silent as typeof mine), 'invalid_input')
  expect(await everything(world)).toEqual(before)
})

behaves('update/unknown', async ({ inbox }) => {
  const mine = { agent: 'worker', thread: 'thr_none', summary: 'Working' }
  await refused(inbox.update({ ...mine, status: 'in_progress' }), 'not_found')
})

behaves('reply/answer', async (world) => {
  const { thread } = await blocked(world)
  const at = await world.clock.advance(30)
  const replied = await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
  expect(replied.thread).toMatchObject({ status: 'in_progress', updated_at: at })
  expect(replied.message).toMatchObject({ kind: 'answer', from_agent: 'lead', to_agent: 'worker' })
  // The worker still holds it.
  const mine = { agent: 'worker', thread, summary: 'Done' }
  expect((await world.inbox.done(mine)).thread.status).toBe('done')
})

behaves('reply/other-kinds', async (world) => {
  const { thread } = await blocked(world)
  for (const kind of ['question', 'progress', 'control'] as const) {
    const replied = await world.inbox.reply({ from: 'lead', thread, kind, summary: 'Hm' })
    expect(replied.message.kind).toBe(kind)
    expect(replied.thread.status).toBe('blocked')
  }
})

behaves('reply/elsewhere', async (world) => {
  const thread = await task(world)
  const answer = async () =>
    (await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })).thread.status
  expect(await answer()).toBe('pending')
  await take(world, thread, 'worker')
  expect(await answer()).toBe('claimed')
  await world.inbox.update({ agent: 'worker', thread, status: 'in_progress', summary: 'Working' })
  expect(await answer()).toBe('in_progress')
})

behaves('reply/recipient', async (world) => {
  const { thread } = await held(world)
  const recipient = async (from: string, to?: string) =>
    (await world.inbox.reply({ from, to, thread, summary: 'Hm' })).message.to_agent
  expect(await recipient('lead')).toBe('worker')
  expect(await recipient('worker')).toBe('lead')
  expect(await recipient('bystander')).toBe('lead')
  expect(await recipient('lead', 'auditor')).toBe('auditor')
})

behaves('reply/kinds', async (world) => {
  const thread = await task(world)
  const said = { from: 'lead', thread, summary: 'Hm' }
  expect((await world.inbox.reply(said)).message.kind).toBe('answer')
  for (const kind of ['task', 'result', 'event', 'gossip']) {
    await refused(world.inbox.reply({ ...said, kind: kind as 'answer' }), 'invalid_input')
  }
  expect((await world.inbox.show({ thread })).messages).toHaveLength(2)
})

behaves('reply/words', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread, summary: 'PEG' }
  const { message } = await world.inbox.reply({
    ...said,
    body: 'as agreed',
    payload_json: '{"choice":"PEG"}',
    artifacts: [ARTIFACT],
  })
  expect(message).toMatchObject({
    body: 'as agreed',
    payload_json: { choice: 'PEG' },
    artifacts: [SHOWN],
  })
  await refused(world.inbox.reply({ ...said, payload_json: '{' }), 'invalid_input')
  await refused(world.inbox.reply({ ...said, summary: '' }), 'invalid_input')
  const bad = [{ ...ARTIFACT, metadata_json: 'x' }]
  await refused(world.inbox.reply({ ...said, artifacts: bad }), 'invalid_input')
})

behaves('reply/finished', async (world) => {
  const { thread } = await held(world)
  await world.inbox.fail({ agent: 'worker', thread, summary: 'No' })
  for (const kind of ['answer', 'control'] as const) {
    const said = { from: 'lead', thread, kind, summary: 'Hm' }
    await refused(world.inbox.reply(said), 'invalid_state')
  }
  expect(await statusOf(world, thread)).toBe('failed')
})

behaves('reply/unknown', async ({ inbox }) => {
  await refused(inbox.reply({ from: 'lead', thread: 'thr_none', summary: 'Hm' }), 'not_found')
})
