// The fields of a message: its type, and the metadata that belongs to it.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import { mail, team } from '../../worlds/team.ts'

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

behaves('mail-send/either-word', async (world) => {
  await team(world)
  const words = [
    ['task', 'task-assigned', 'task'],
    ['result', 'task-done', 'result'],
    ['progress', 'status', 'progress'],
    ['status', 'status', 'progress'],
    ['cancel', 'cancel', 'control'],
    // A stop request can't be sent under a different type name.
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
  // A review must include its data, whichever name is used for its type.
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
