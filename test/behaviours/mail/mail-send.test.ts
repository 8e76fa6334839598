import { expect } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { answerOf, runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import { until, type World } from '../../worlds/world.ts'

type Sending = Parameters<World['inbox']['mailSend']>[0]

const TYPES = [
  'task-assigned',
  'task-done',
  'review-request',
  'review-result',
  'question',
  'answer',
  'cancel',
  'status',
  'custom',
] as const

const METADATA: Partial<Record<(typeof TYPES)[number], object>> = {
  'task-assigned': { context: { grammar: 'pratt' } },
  'task-done': { files_changed: ['src/parse.ts'], tests: { passed: 12, failed: 0 } },
  'review-request': { files: ['src/parse.ts'], criteria: ['no recursion'] },
  'review-result': { verdict: 'changes-requested', comments: ['line 3: why?'] },
}

async function team(world: World): Promise<void> {
  for (const agent of ['orchestrator', 'ann', 'bob']) {
    await world.inbox.agentRegister({ agent, status: 'idle' })
  }
}

function mail(world: World, input: Partial<Sending> = {}) {
  return world.inbox.mailSend({ from: 'orchestrator', to: 'ann', body: 'Hello', ...input })
}

behaves('mail-send/fields', async (world) => {
  await team(world)
  const sent = await mail(world, {
    from: 'ann',
    to: 'orchestrator',
    type: 'task-done',
    subject: 'The parser is built',
    body: '# Done\n\nIt parses.',
    metadata: JSON.stringify(METADATA['task-done']),
    issue: 'issue_7',
    about_agent: 'bob',
  })
  expect(sent).toEqual({
    message: {
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      type: 'task-done',
      from: 'agent:ann',
      to: 'orchestrator',
      subject: 'The parser is built',
      body: '# Done\n\nIt parses.',
      metadata: METADATA['task-done'],
      issue_id: 'issue_7',
      agent_id: 'bob',
      thread_id: expect.stringMatching(/^thr_[0-9a-z]{26}$/),
      created_at: DAWN,
    },
    recipients: ['orchestrator'],
    next_event_id: expect.any(Number),
  })
  expect(world.exitOf(sent)).toBe(0)
})

behaves('mail-send/defaults', async (world) => {
  await team(world)
  const { message } = await mail(world, { body: '\nFirst line\nand the rest' })
  expect(message).toMatchObject({ type: 'custom', subject: 'First line', metadata: {} })
  const bare = await world.as('bob').mailSend({ to: 'ann', subject: 'Only a subject' })
  expect(bare.message).toMatchObject({ from: 'agent:bob', subject: 'Only a subject', body: '' })
})

behaves('mail-send/types', async (world) => {
  await team(world)
  for (const type of TYPES) {
    const metadata = JSON.stringify(METADATA[type] ?? {})
    expect((await mail(world, { type, metadata })).message?.type).toBe(type)
  }
  const unknown = mail(world, { type: 'shout' as 'custom' })
  expect((await refused(unknown, 'invalid_input')).message).toContain('task-assigned')
})

behaves('mail-send/metadata', async (world) => {
  await team(world)
  for (const [type, metadata] of Object.entries(METADATA)) {
    const more = { ...metadata, of_our_own: [1, null] }
    const sent = await mail(world, { type: type as 'custom', metadata: JSON.stringify(more) })
    expect(sent.message?.metadata).toEqual(more)
  }
})

const WRONG_METADATA: [(typeof TYPES)[number], unknown, string][] = [
  ['custom', [1, 2], 'metadata "[1,2]" is not an object'],
  ['custom', 'text', 'is not an object'],
  ['custom', null, 'is not an object'],
  ['task-assigned', { context: 7 }, 'metadata context "7" of a task-assigned is not a text'],
  ['task-done', { files_changed: 'a.ts' }, 'files_changed'],
  ['task-done', { files_changed: [1] }, 'is not a list of texts'],
  ['task-done', { tests: true }, 'metadata tests'],
  ['review-request', {}, 'a review-request needs metadata diff, a text; or files, a list'],
  ['review-request', { diff: '+x' }, 'needs metadata criteria'],
  ['review-request', { diff: ['+x'], criteria: 'it runs' }, 'metadata diff'],
  ['review-result', {}, 'needs metadata verdict, one of approved, changes-requested, blocked'],
  ['review-result', { verdict: 'fine' }, 'metadata verdict "fine" of a review-result'],
  ['review-result', { verdict: 'approved', comments: 3 }, 'metadata comments'],
]

behaves('mail-send/bad-metadata', async (world) => {
  await team(world)
  const before = await everything(world)
  for (const [type, metadata, says] of WRONG_METADATA) {
    const call = mail(world, { type, metadata: JSON.stringify(metadata) })
    expect((await refused(call, 'invalid_input')).message).toContain(says)
  }
  await refused(mail(world, { metadata: '{' }), 'invalid_input')
  expect(await everything(world)).toEqual(before)
})

type Wrong = [Partial<Sending>, Parameters<typeof refused>[1], string]

const WRONG: Wrong[] = [
  [{ to: 'nobody', type: 'cancel' }, 'not_found', 'there is no agent nobody; see '],
  [{ to: 'off' }, 'invalid_state', 'off is off; write to its role or to orchestrator'],
  [{ to: 'team:x' }, 'invalid_input', '"team:x" is not an address: write NAME, agent:ID'],
  [{ to: 'system' }, 'invalid_input', 'is not an address'],
  [{ to: 'role:' }, 'invalid_input', 'is not an address'],
  [{ to: undefined }, 'invalid_input', 'to is missing: say who it is for'],
  [{ body: undefined }, 'invalid_input', 'body is missing: write something'],
  [{ body: ' \n' }, 'invalid_input', 'body is missing: write something'],
  [{ from: 'ann', to: 'user' }, 'forbidden', 'send it to orchestrator'],
  [{ to: 'user:nobody' }, 'not_found', 'there is no person user:nobody; add them with '],
  [{ to: 'user', type: 'task-assigned' }, 'invalid_input', 'is a person; ask with '],
  [{ to: 'user', type: 'cancel' }, 'invalid_input', 'is a person'],
  [{ to: 'role:builder', type: 'cancel' }, 'not_found', 'role:builder reaches no agent'],
  [{ from: 'system' }, 'invalid_input', 'reserved word'],
  [{ in_reply_to: 'msg_none' }, 'not_found', 'there is no message msg_none to answer'],
  [{ expires_seconds: 0 }, 'invalid_input', 'out of range'],
  [{ timeout_seconds: 5 }, 'invalid_input', ' needs '],
  [{ wait: 'read', dry_run: true }, 'invalid_input', 'cannot be combined'],
  [{ wait: 'sent' as 'read' }, 'invalid_input', 'is not one of presented, read, acted'],
]

behaves('mail-send/bad-input', async (world) => {
  await team(world)
  await world.inbox.agentRegister({ agent: 'off', status: 'off' })
  const before = await everything(world)
  for (const [input, code, says] of WRONG) {
    expect((await refused(mail(world, input), code)).message).toContain(says)
  }
  if (world.door === 'library') {
    // Longer than any command line.
    const long = await refused(mail(world, { body: 'x'.repeat(1_048_577) }), 'invalid_input')
    expect(long.message).toContain('at most 1048576 fit')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('mail-send/body-file', async (world) => {
  await team(world)
  const { address, folder } = world
  await writeFile(join(folder, 'letter.md'), 'From a file\n')
  const args = ['mail', 'send', '--json', `--db=${address}`, '--from=ann', '--to=bob']
  const send = async (file: string, stdin?: string) =>
    answerOf('mail send', await runProgram([...args, `--body-file=${file}`], { folder, stdin }))
  expect(await send('letter.md')).toMatchObject({ message: { body: 'From a file\n' } })
  expect(await send('-', 'From a pipe')).toMatchObject({ message: { body: 'From a pipe' } })
})

behaves('mail-send/answer', async (world) => {
  await team(world)
  const asked = await mail(world, { from: 'ann', to: 'orchestrator', type: 'question' })
  const id = asked.message?.id as string
  const answer = await mail(world, { to: undefined, type: 'answer', in_reply_to: id })
  expect(answer).toMatchObject({
    message: { in_reply_to: id, thread_id: asked.message?.thread_id, to: 'agent:ann' },
    recipients: ['ann'],
  })
  const aside = await mail(world, { from: 'ann', to: 'user', in_reply_to: id }).catch((no) => no)
  expect(aside.code).toBe('forbidden')
  const passed = await mail(world, { to: 'bob', in_reply_to: id })
  expect(passed).toMatchObject({ recipients: ['bob'], message: { in_reply_to: id } })
  const own = mail(world, { from: 'ann', to: undefined, in_reply_to: id })
  expect((await refused(own, 'invalid_input')).message).toContain('say who this is for')
  // An agent that answers has acted on everything sent to it in that thread.
  const rows = await world.sql('select recipient, state from deliveries order by event_id')
  expect(rows).toEqual([
    { recipient: 'orchestrator', state: 'acted' },
    { recipient: 'ann', state: 'queued' },
    { recipient: 'bob', state: 'queued' },
  ])
})

behaves('mail-send/answer-others', async (world) => {
  await team(world)
  const asked = await mail(world, { from: 'ann', to: 'bob', type: 'question' })
  const id = asked.message?.id as string
  const before = await everything(world)
  const words = { from: 'z', to: 'bob', in_reply_to: id, subject: 'Me too' }
  for (const dry_run of [false, true]) {
    const no = await refused(world.inbox.mailSend({ ...words, dry_run }), 'not_found')
    expect(no.message).toContain(`no message ${id} that z sent or got; see `)
  }
  expect(await everything(world)).toEqual(before)
  // The sender, the recipient, those who could take it, the orchestrator and people may answer.
  await world.inbox.mailSend({ ...words, from: 'ann' })
  await world.inbox.mailSend({ ...words, from: 'bob', to: 'ann' })
  await world.inbox.mailSend({ ...words, from: 'orchestrator' })
  await world.inbox.mailSend({ ...words, from: 'user' })
  const queued = await mail(world, { from: 'ann', to: 'role:painter' })
  await world.inbox.agentRegister({ agent: 'pia', role: 'painter', status: 'off' })
  const taking = { from: 'pia', in_reply_to: queued.message?.id, subject: 'Mine' }
  expect((await world.inbox.mailSend(taking)).recipients).toEqual(['ann'])
})

behaves('mail-send/answer-work', async (world) => {
  const thread = await task(world)
  const { messages } = await world.inbox.show({ thread })
  const in_reply_to = messages[0]?.message_id as string
  const answer = world.inbox.mailSend({ from: 'worker', in_reply_to, body: 'Yes' })
  const { message } = await refused(answer, 'invalid_state')
  expect(message).toMatch(new RegExp(`answer there with .*reply.*${thread}`))
})

behaves('mail-send/key', async (world) => {
  await team(world)
  const first = await mail(world, { to: 'broadcast', idempotency_key: 'k1' })
  const again = await mail(world, { to: 'broadcast', idempotency_key: 'k1' })
  expect(again).toEqual(first)
  // How long to wait is no part of the request.
  const waits = await mail(world, {
    to: 'broadcast',
    idempotency_key: 'k1',
    wait: 'read',
    timeout_seconds: 1,
  })
  expect(waits.message).toEqual(first.message)
  expect(waits.reached).toBe(false)
  expect(await world.sql('select message_id from messages')).toHaveLength(1)
  await refused(mail(world, { to: 'bob', idempotency_key: 'k1' }), 'invalid_state')
})

behaves('mail-send/dry-run', async (world) => {
  await team(world)
  for (const agent of ['builder1', 'builder2']) {
    await world.inbox.agentRegister({ agent, role: 'builder', status: 'idle' })
  }
  await world.inbox.agentRegister({
    agent: 'orchestrator',
    status: 'dormant',
    wake_command: '["true"]',
  })
  await mail(world, { to: 'role:builder' })
  const before = await everything(world)
  const turn = await mail(world, { to: 'role:builder', dry_run: true })
  expect(turn).toMatchObject({ message: null, recipients: ['builder2'] })
  expect((await mail(world, { to: 'role:builder', dry_run: true })).recipients).toEqual([
    'builder2',
  ])
  const wakes = async (input: Partial<Sending>) =>
    (await mail(world, { from: 'newcomer', to: 'orchestrator', dry_run: true, ...input })).would
  expect(await wakes({ type: 'question' })).toEqual([
    {
      ...{ recipient: 'orchestrator', wakes: true },
      why: 'orchestrator is dormant, and question wakes orchestrator',
    },
  ])
  expect(await wakes({ type: 'status' })).toEqual([
    { recipient: 'orchestrator', wakes: false, why: 'status wakes nobody' },
  ])
  expect(await wakes({ to: 'ann', type: 'question' })).toEqual([
    { recipient: 'ann', wakes: false, why: 'ann has no wake command' },
  ])
  expect(await wakes({ to: 'role:tester' })).toMatchObject([
    { recipient: 'role:tester', wakes: false, why: expect.stringContaining('the first who comes') },
  ])
  await refused(mail(world, { to: 'user:nobody', dry_run: true }), 'not_found')
  expect(await everything(world)).toEqual(before)
})

behaves('mail-send/directions', async (world) => {
  await team(world)
  const way = async (input: Partial<Sending>) =>
    (await mail(world, { from: 'ann', dry_run: true, ...input })).uncommon
  expect(await way({ to: 'orchestrator', type: 'task-done' })).toBeUndefined()
  expect(await way({ to: 'bob', type: 'task-done' })).toBe(
    'task-done usually goes from an agent to the orchestrator',
  )
  expect(await way({ to: 'role:tester', type: 'task-assigned' })).toContain('task-assigned usually')
  expect(await way({ from: 'orchestrator', to: 'bob', type: 'task-assigned' })).toBeUndefined()
  expect(await way({ from: 'user', to: 'bob', type: 'task-done' })).toBeUndefined()
  expect(await way({ to: 'broadcast', type: 'status' })).toBeUndefined()
  // An uncommon message is sent all the same; a pointless one is not.
  expect((await mail(world, { from: 'ann', to: 'bob', type: 'task-done' })).recipients).toEqual([
    'bob',
  ])
  for (const type of ['task-assigned', 'cancel'] as const) {
    const no = await refused(
      mail(world, { from: 'orchestrator', to: 'user', type }),
      'invalid_input',
    )
    expect(no.message).toContain('type question')
  }
})

behaves('mail-send/wait-timeout', async (world) => {
  await team(world)
  const sent = await mail(world, { to: 'broadcast', wait: 'presented', timeout_seconds: 1 })
  expect(sent).toMatchObject({
    reached: false,
    lost: [],
    receipts: [
      { recipient: 'ann', state: 'queued', queued_at: DAWN, presented_at: null },
      { recipient: 'bob', state: 'queued', queued_at: DAWN, presented_at: null },
    ],
  })
  expect(world.exitOf(sent)).toBe(10)
})

behaves('mail-send/hops', async (world) => {
  await team(world)
  const hops = async (input: Partial<Sending>) => {
    const id = (await mail(world, input)).message?.id as string
    const [row] = await world.sql('select hops from messages where message_id = ?', id)
    return { id, hops: row?.hops }
  }
  const words = await hops({ from: 'user', to: 'orchestrator' })
  expect(words.hops).toBe(0)
  await world.sql(
    `insert into wakes (wake_id, agent_id, state, cause, upto_event, attempt, hops, token,
                        started_at, expires_at)
     values ('wak_1', 'orchestrator', 'running', 'mail', 1, 1, 4, 't', ?, ?)`,
    DAWN,
    DAWN,
  )
  const woken = await hops({ to: 'ann' })
  expect(woken.hops).toBe(5)
  expect((await hops({ in_reply_to: words.id, to: 'user' })).hops).toBe(5)
  expect((await hops({ from: 'ann', in_reply_to: woken.id, to: 'orchestrator' })).hops).toBe(5)
  expect((await hops({ from: 'ann', to: 'bob' })).hops).toBe(0)
  expect((await hops({ from: 'user', to: 'ann', in_reply_to: woken.id })).hops).toBe(0)
})

behaves('mail-send/wait', async (world) => {
  await team(world)
  const waiting = mail(world, { to: 'broadcast', wait: 'read', timeout_seconds: 240 })
  const sent = await until(async () => {
    const { messages } = await world.inbox.mailReceipts({ agent: 'orchestrator' })
    return messages[0]
  }, 'the message is there')
  await world.inbox.mailRead({ agent: 'ann' })
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  await world.inbox.mailMarkRead({ agent: 'ann', messages: [sent.id] })
  const answer = await waiting
  expect(answer).toMatchObject({
    message: { id: sent.id },
    reached: true,
    lost: [],
    receipts: [
      { recipient: 'ann', state: 'read', presented_by: world.door, read_by: 'mark' },
      { recipient: 'bob', state: 'read', presented_at: null, read_by: 'mark' },
    ],
  })
  expect(world.exitOf(answer)).toBe(0)
  // Nobody to wait for.
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  const nobody = await mail(world, { from: 'bob', to: '@nowhere', wait: 'acted' }).catch((no) => no)
  expect(nobody.code).toBe('not_found')
})

behaves('mail-send/either-word', async (world) => {
  await team(world)
  const words = [
    ['task', 'task-assigned', 'task'],
    ['result', 'task-done', 'result'],
    ['progress', 'status', 'progress'],
    ['status', 'status', 'progress'],
    ['cancel', 'cancel', 'control'],
    // No word to stop by another name.
    ['control', 'custom', 'progress'],
    ['custom', 'custom', 'progress'],
  ] as const
  for (const [word, type, kind] of words) {
    const { message } = await mail(world, { to: 'ann', type: word })
    expect(message?.type).toBe(type)
    const { messages } = await world.inbox.show({ thread: message?.thread_id as string })
    expect(messages[0]?.kind).toBe(kind)
  }
  await refused(mail(world, { to: 'ann', type: 'event' as 'task' }), 'invalid_input')
  // A review needs its data by either name of it.
  await refused(mail(world, { to: 'ann', type: 'review-result' }), 'invalid_input')
  const thread = (await world.inbox.send({ from: 'bob', to: 'ann', subject: 'So' })).thread
  const replied = await world.inbox.reply({
    from: 'ann',
    thread: thread.thread_id,
    kind: 'status',
    summary: 'Halfway',
  })
  expect(replied.message.kind).toBe('progress')
})

behaves('mail-send/wait-nobody', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  const sent = await mail(world, { from: 'ann', to: 'broadcast', wait: 'presented' })
  expect(sent).toMatchObject({ recipients: [], reached: false, lost: [], receipts: [] })
  expect(world.exitOf(sent)).toBe(10)
})

behaves('mail-send/numbers', async (world) => {
  await team(world)
  const before = await everything(world)
  const whole = ['9007199254740993', '9007199254740993.0', '9.007199254740993e15']
  for (const number of [...whole, '-123456789012345678901234567890', '1e999', '1e-400']) {
    const metadata = `{"order":{"nr":[${number}]}}`
    const no = await refused(mail(world, { to: 'ann', metadata }), 'invalid_input')
    expect(no.message).toContain('write it as text')
  }
  expect(await everything(world)).toEqual(before)
  const kept = '{"nr":9007199254740992,"text":"9007199254740993 \\" 1e999","part":0.1,"small":1e-7}'
  const { message } = await mail(world, { to: 'ann', metadata: kept })
  expect(JSON.stringify(message?.metadata)).toBe(kept)
})

behaves('mail-send/wait-lost', async (world) => {
  await team(world)
  const bounced = mail(world, { to: 'broadcast', wait: 'acted', timeout_seconds: 240 })
  const sent = await until(async () => {
    const { messages } = await world.inbox.mailReceipts({ agent: 'orchestrator' })
    return messages[0]
  }, 'the message is there')
  await world.inbox.mailSend({ from: 'bob', in_reply_to: sent.id, body: 'Yes' })
  await world.inbox.agentStatus({ agent: 'ann', status: 'off' })
  const answer = await bounced
  expect(answer).toMatchObject({
    reached: false,
    lost: [{ recipient: 'ann', state: 'bounced', reason: 'ann is off' }],
    receipts: [
      { recipient: 'ann', state: 'bounced' },
      { recipient: 'bob', state: 'acted', acted_by: 'mail_append' },
    ],
  })
  expect(world.exitOf(answer)).toBe(10)
  const late = mail(world, { to: 'bob', expires_seconds: 60, wait: 'read', timeout_seconds: 240 })
  await until(async () => {
    const [row] = await world.sql(
      'select count(*) as n from deliveries where expires_at is not null',
    )
    return Number(row?.n) > 0
  }, 'it is sent')
  await world.clock.advance(60)
  expect(await late).toMatchObject({
    reached: false,
    lost: [{ recipient: 'bob', state: 'expired', reason: 'it was not read in time' }],
  })
})

/** lead started ann, who started bob and cid; bob started dan. eve is on her own. */
async function family(world: World): Promise<void> {
  const parents = {
    lead: undefined,
    ann: 'lead',
    bob: 'ann',
    cid: 'ann',
    dan: 'bob',
    eve: undefined,
  }
  for (const [agent, parent] of Object.entries(parents)) {
    await world.inbox.agentRegister({ agent, parent, status: 'running' })
  }
}

behaves('mail-send/cancel', async (world) => {
  await family(world)
  const cancel = async (to: string) =>
    (await mail(world, { from: 'user', to, type: 'cancel' })).recipients
  expect(await cancel('ann')).toEqual(['dan', 'bob', 'cid', 'ann'])
  expect(await cancel('dan')).toEqual(['dan'])
  // An agent that is off has nothing to stop; those it started may still run.
  await world.inbox.agentStatus({ agent: 'bob', status: 'off' })
  expect(await cancel('ann')).toEqual(['dan', 'cid', 'ann'])
  expect(await cancel('bob')).toEqual(['dan'])
  const { messages } = await world.inbox.mailPeek({ agent: 'dan' })
  expect(messages.map(({ type }) => type)).toEqual(['cancel', 'cancel', 'cancel', 'cancel'])
  await world.inbox.agentStatus({ agent: 'dan', status: 'off' })
  await refused(mail(world, { from: 'user', to: 'bob', type: 'cancel' }), 'invalid_state')
  expect((await world.inbox.mailPeek({ agent: 'eve' })).messages).toEqual([])
})

behaves('mail-send/cancel-rights', async (world) => {
  await family(world)
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator', status: 'running' })
  const cancel = (from: string, to: string) => mail(world, { from, to, type: 'cancel' })
  expect((await cancel('user:eve', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('boss', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('lead', 'bob')).recipients).toEqual(['dan', 'bob'])
  expect((await cancel('ann', 'dan')).recipients).toEqual(['dan'])
  const before = await everything(world)
  for (const [from, to] of [
    ['eve', 'bob'],
    ['cid', 'bob'],
    ['dan', 'ann'],
    ['eve', 'eve'],
    ['newcomer', 'dan'],
  ] as const) {
    const { message } = await refused(cancel(from, to), 'forbidden')
    expect(message).toContain('ask orchestrator to do it')
  }
  // The orchestrator is stopped by people alone, named or among others.
  for (const to of ['boss', 'orchestrator', 'broadcast']) {
    const { message } = await refused(cancel('ann', to), 'forbidden')
    expect(message).toContain('boss, which is the orchestrator; a person may')
  }
  expect(await everything(world)).toEqual(before)
})
