import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, logAgrees, statusOf, take, task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

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
  expect(updated.lease).toMatchObject({ lease_token: token })
})

behaves('update/lease', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  const report = { agent: 'worker', thread, summary: 'So far' } as const
  // Three reports, each within a minute of the last, keep a one-minute lease for two and a half minutes.
  for (const status of ['in_progress', 'in_progress', 'blocked'] as const) {
    await world.clock.advance(50)
    const { lease } = await world.inbox.update({ ...report, status })
    expect(lease).toMatchObject({ lease_token: token, expires_at: later(world, 60) })
  }
  await world.inbox.renew({ agent: 'worker', thread, lease_seconds: 600 })
  await world.clock.advance(500)
  const { lease } = await world.inbox.update({ ...report, status: 'in_progress' })
  expect(lease).toMatchObject({ generation: 1, expires_at: later(world, 600) })
  expect(await logAgrees(world)).toBe(true)
})

behaves('update/old-log', async (world) => {
  const { thread } = await held(world)
  await world.clock.advance(60)
  const report = { agent: 'worker', thread, status: 'in_progress', summary: 'So far' } as const
  await world.inbox.update(report)
  const log = await world.exportLog()
  const without = log.replace(
    /(\\?"status\\?":\\?"in_progress\\?"),\\?"lease_seconds\\?":900/,
    '$1',
  )
  expect(without).not.toBe(log)
  const copy = await world.another('empty')
  expect(await copy.importLog(without)).toMatchObject({ rejected: [] })
  expect((await copy.inbox.show({ thread })).lease).toMatchObject({
    expires_at: '2026-03-01T08:15:00.000Z',
  })
  expect(await logAgrees(copy)).toBe(true)
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
  // The worker still holds the thread.
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

behaves('reply/asker', async (world) => {
  const { thread } = await blocked(world)
  const question = (await world.inbox.show({ thread })).messages.at(-1)?.message_id
  const named = { kind: 'answer', to_agent: 'worker', in_reply_to: question }
  // A person steps in.
  const answer = await world.inbox.reply({ from: 'user', thread, summary: 'PEG' })
  expect(answer.message).toMatchObject(named)
  expect(answer.thread.status).toBe('in_progress')
  const { messages } = await world.inbox.mailRead({ agent: 'worker' })
  expect(messages).toMatchObject([{ subject: 'PEG', from: 'user', in_reply_to: question }])
  // The same applies to a third agent's reply, to an answer sent into the thread, and to the creator's reply.
  const ask = { agent: 'worker', thread, status: 'blocked', summary: 'And then?' } as const
  const sayings = [
    () => world.inbox.reply({ from: 'helper', thread, summary: 'LR' }),
    () => world.inbox.send({ from: 'helper', thread, kind: 'answer', summary: 'LR' }),
    () => world.inbox.reply({ from: 'lead', thread, summary: 'LR' }),
  ]
  for (const say of sayings) {
    const asked = await world.inbox.update(ask)
    const said = await say()
    const { message_id: in_reply_to } = asked.message
    expect(said.message).toMatchObject({ to_agent: 'worker', in_reply_to })
    expect(said.thread.status).toBe('in_progress')
  }
  // A reply to the leader's question goes to the leader, no matter who writes it.
  await world.inbox.reply({ from: 'lead', thread, kind: 'question', summary: 'Until when?' })
  const told = await world.inbox.reply({ from: 'worker', thread, summary: 'Noon' })
  expect(told.message.to_agent).toBe('lead')
  await world.inbox.reply({ from: 'helper', thread, kind: 'question', summary: 'May I help?' })
  const helped = await world.inbox.reply({ from: 'worker', thread, summary: 'Yes' })
  expect(helped.message.to_agent).toBe('helper')
  expect(await logAgrees(world)).toBe(true)
})

behaves('reply/in-reply-to', async (world) => {
  const { thread } = await blocked(world)
  const question = (await world.inbox.show({ thread })).messages.at(-1)?.message_id as string
  const note = { from: 'helper', thread, kind: 'progress', summary: 'See here' } as const
  const noted = await world.inbox.reply({ ...note, in_reply_to: question })
  expect(noted.message).toMatchObject({ to_agent: 'worker', in_reply_to: question })
  expect(noted.thread.status).toBe('blocked')
  const thanks = { from: 'worker', thread, kind: 'progress', summary: 'Thanks' } as const
  const { message_id: in_reply_to } = noted.message
  const thanked = await world.inbox.reply({ ...thanks, in_reply_to })
  expect(thanked.message).toMatchObject({ to_agent: 'helper', in_reply_to })
  const other = await world.inbox.send({ from: 'lead', to: 'bob', subject: 'Another' })
  for (const in_reply_to of [other.message.message_id, 'msg_none']) {
    await refused(world.inbox.reply({ ...note, in_reply_to }), 'not_found')
  }
  const elsewhere = { from: 'lead', to: 'auditor', thread, in_reply_to: question, summary: 'PEG' }
  const answer = await world.inbox.reply(elsewhere)
  expect(answer.message).toMatchObject({ to_agent: 'auditor', in_reply_to: question })
  expect(answer.thread.status).toBe('in_progress')
})

behaves('reply/own-question', async (world) => {
  const { thread } = await blocked(world)
  const own = await world.inbox.reply({ from: 'worker', thread, summary: 'Or so' })
  expect(own.message).toMatchObject({ kind: 'answer', to_agent: 'lead' })
  expect(own.message.in_reply_to).toBeUndefined()
  expect(own.thread.status).toBe('blocked')
  const ask = { from: 'helper', thread, kind: 'question', summary: 'Which grammar?' } as const
  const { message } = await world.inbox.reply(ask)
  const answer = { from: 'lead', thread, in_reply_to: message.message_id, summary: 'PEG' }
  const aside = await world.inbox.reply(answer)
  expect(aside.message.to_agent).toBe('helper')
  expect(aside.thread.status).toBe('blocked')
  // The worker's question is still open, and comes before later ones.
  await world.inbox.reply({ ...ask, summary: 'And when?' })
  const last = await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
  expect(last.message.to_agent).toBe('worker')
  expect(last.thread.status).toBe('in_progress')
  expect(await logAgrees(world)).toBe(true)
})

behaves('reply/taken-over', async (world) => {
  const { thread } = await blocked(world)
  await world.clock.advance(1000)
  await take(world, thread, 'bob')
  const answer = await world.inbox.reply({ from: 'user', thread, summary: 'PEG' })
  expect(answer.message.to_agent).toBe('bob')
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

/** The moment this many seconds from now. */
function later({ clock }: World, seconds: number): string {
  return new Date(Date.parse(clock.now()) + seconds * 1000).toISOString()
}
