import { expect } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { ANNOUNCEMENT, answerOf, runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, take, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import type { World } from '../../worlds/world.ts'

const KINDS = ['task', 'progress', 'question', 'answer', 'result', 'control', 'event'] as const

behaves('init/repeatable', async (world) => {
  const thread = await task(world)
  const before = await everything(world)
  const first = await world.inbox.init({})
  expect(first).toEqual({
    db_path: expect.any(String),
    engine: world.engine,
    status: 'initialized',
  })
  expect(await world.inbox.init({})).toEqual(first)
  expect(await everything(world)).toEqual(before)
  expect((await world.inbox.list({})).threads.map((one) => one.thread_id)).toEqual([thread])
})

behaves('init/first-use', async (world) => {
  const { inbox } = await world.another('unmade')
  const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  expect((await inbox.list({})).threads).toEqual([thread])
})

behaves('init/announced', async (world) => {
  const { address, folder } = await world.another('unmade')
  const init = () => runProgram(['init', '--json', `--db=${address}`], { folder })
  const made = await init()
  const place = ANNOUNCEMENT.exec(made.stderr)?.[1]
  expect(place).toBe(JSON.parse(made.stdout).db_path)
  const secret = world.engine === 'postgres' ? new URL(address).password : 'password'
  expect(made.stderr + made.stdout).not.toContain(secret)
  expect(await init()).toMatchObject({ exit: 0, stderr: '' })
})

behaves('send/new-thread', async (world) => {
  const { thread, message } = await world.inbox.send({
    from: 'lead',
    to: 'worker',
    subject: 'Build the parser',
    summary: 'Write it by hand',
    body: 'No generator.',
    kind: 'question',
    run: 'run_1',
    task: 'task_7',
    priority: 'high',
    payload_json: '{"grammar":"pratt"}',
  })
  expect(message).toEqual({
    message_id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
    thread_id: thread.thread_id,
    seq: 1,
    from_agent: 'lead',
    to_agent: 'worker',
    kind: 'question',
    summary: 'Write it by hand',
    body: 'No generator.',
    payload_json: { grammar: 'pratt' },
    created_at: DAWN,
    artifacts: [],
  })
  expect(thread).toEqual({
    thread_id: expect.stringMatching(/^thr_[0-9a-z]{26}$/),
    run_id: 'run_1',
    task_id: 'task_7',
    subject: 'Build the parser',
    created_by: 'lead',
    assigned_to: 'worker',
    status: 'pending',
    priority: 'high',
    latest_message_id: message.message_id,
    message_count: 1,
    created_at: DAWN,
    updated_at: DAWN,
    kind: 'work',
  })
  const shown = await world.inbox.show({ thread: thread.thread_id })
  expect(shown).toMatchObject({ thread, messages: [message], lease: null })
})

behaves('send/defaults', async ({ inbox }) => {
  const { thread, message } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  expect(thread).toMatchObject({ run_id: '', task_id: '', priority: 'normal', status: 'pending' })
  expect(message).toMatchObject({ kind: 'task', body: '', payload_json: {}, artifacts: [] })
})

behaves('send/subject-and-summary', async ({ inbox }) => {
  const who = { from: 'lead', to: 'worker' }
  const bySubject = await inbox.send({ ...who, subject: 'Build it' })
  expect(bySubject.message.summary).toBe('Build it')
  const bySummary = await inbox.send({ ...who, summary: 'Fix it' })
  expect(bySummary.thread.subject).toBe('Fix it')
  const both = await inbox.send({ ...who, subject: 'Parser', summary: 'Fix it' })
  expect([both.thread.subject, both.message.summary]).toEqual(['Parser', 'Fix it'])
})

behaves('send/from-falls-back', async (world) => {
  const own = await world.as('lead').send({ to: 'worker', subject: 'Hello' })
  expect(own.thread.created_by).toBe('lead')
  const other = await world.as('lead').send({ from: 'deputy', to: 'worker', subject: 'Hello' })
  expect(other.message.from_agent).toBe('deputy')
})

behaves('send/append', async (world) => {
  const thread = await task(world)
  const later = await world.clock.advance(60)
  const byLead = await world.inbox.send({ from: 'lead', thread, summary: 'One more thing' })
  expect(byLead.message).toMatchObject({
    seq: 2,
    kind: 'progress',
    to_agent: 'worker',
    created_at: later,
  })
  expect(byLead.thread).toMatchObject({
    status: 'pending',
    message_count: 2,
    latest_message_id: byLead.message.message_id,
    created_at: DAWN,
    updated_at: later,
  })
  const byOther = await world.inbox.send({ from: 'scout', thread, summary: 'Seen' })
  expect(byOther.message).toMatchObject({ seq: 3, to_agent: 'lead' })
  const told = await world.inbox.send({ from: 'scout', to: 'auditor', thread, summary: 'Seen' })
  expect(told.message.to_agent).toBe('auditor')
  expect(told.thread.assigned_to).toBe('worker')
})

behaves('send/append-answer', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread, summary: 'PEG' }
  expect((await world.inbox.send(said)).thread.status).toBe('blocked')
  expect((await world.inbox.send({ ...said, kind: 'answer' })).thread.status).toBe('in_progress')
})

behaves('send/append-fixed', async (world) => {
  const thread = await task(world)
  const before = await everything(world)
  const said = { from: 'lead', thread, summary: 'More' }
  await refused(world.inbox.send({ ...said, subject: 'Other' }), 'invalid_input')
  await refused(world.inbox.send({ ...said, run: 'r' }), 'invalid_input')
  await refused(world.inbox.send({ ...said, task: 't' }), 'invalid_input')
  await refused(world.inbox.send({ ...said, priority: 'low' }), 'invalid_input')
  expect(await everything(world)).toEqual(before)
})

behaves('send/append-finished', async (world) => {
  const thread = await task(world)
  await world.inbox.cancel({ agent: 'lead', thread })
  const no = await refused(
    world.inbox.send({ from: 'lead', thread, summary: 'More' }),
    'invalid_state',
  )
  expect(no.message).toContain('cancelled')
  expect((await world.inbox.show({ thread })).messages).toHaveLength(2)
})

behaves('send/append-unknown', async ({ inbox }) => {
  const no = await refused(
    inbox.send({ from: 'lead', thread: 'thr_none', summary: 'More' }),
    'not_found',
  )
  expect(no.message).toContain('thr_none')
})

behaves('send/kinds', async ({ inbox }) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello' }
  for (const kind of KINDS) {
    expect((await inbox.send({ ...said, kind })).message.kind).toBe(kind)
  }
  const no = await refused(inbox.send({ ...said, kind: 'gossip' as 'task' }), 'invalid_input')
  expect(no.message).toContain('gossip')
  expect(no.message).toContain(KINDS.join(', '))
})

behaves('send/priorities', async ({ inbox }) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello' }
  for (const priority of ['high', 'normal', 'low'] as const) {
    expect((await inbox.send({ ...said, priority })).thread.priority).toBe(priority)
  }
  await refused(inbox.send({ ...said, priority: 'urgent' as 'high' }), 'invalid_input')
  expect((await inbox.list({})).threads).toHaveLength(3)
})

behaves('send/artifacts', async ({ inbox }) => {
  const artifacts = [
    { path: 'src/parser.ts', kind: 'source', metadata_json: '{"lines":120}' },
    { path: '/tmp/out put.log', kind: 'log', metadata_json: '{}' },
    { path: 'src/parser.ts', kind: 'source', metadata_json: '[1,"two"]' },
  ]
  const sent = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello', artifacts })
  const { thread_id: thread } = sent.thread
  await inbox.send({
    from: 'lead',
    thread,
    summary: 'And this',
    artifacts: [{ path: 'b', kind: 'file', metadata_json: '{}' }],
  })
  const { messages } = await inbox.show({ thread })
  expect(messages[0]?.artifacts).toEqual(sent.message.artifacts)
  expect(
    sent.message.artifacts.map(({ path, kind, metadata_json }) => [path, kind, metadata_json]),
  ).toEqual([
    ['src/parser.ts', 'source', { lines: 120 }],
    ['/tmp/out put.log', 'log', {}],
    ['src/parser.ts', 'source', [1, 'two']],
  ])
  expect(new Set(sent.message.artifacts.map((one) => one.artifact_id)).size).toBe(3)
  expect(messages[1]?.artifacts.map(({ path }) => path)).toEqual(['b'])
})

behaves('send/artifact-defaults', async ({ inbox }) => {
  const artifacts = [{ path: 'notes.md' } as { path: string; kind: string; metadata_json: string }]
  const { message } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello', artifacts })
  expect(message.artifacts).toMatchObject([{ path: 'notes.md', kind: 'file', metadata_json: {} }])
})

behaves('send/artifact-pairing', async (world) => {
  for (const flags of [
    ['--artifact-kind=log'],
    ['--artifact-metadata-json={}'],
    ['--artifact=a', '--artifact=b', '--artifact-kind=log'],
    ['--artifact=a', '--artifact-metadata-json={}', '--artifact-metadata-json={}'],
  ]) {
    await refused(shell(world, flags), 'invalid_input')
  }
  expect((await world.inbox.list({})).threads).toEqual([])
})

behaves('send/bad-metadata', async ({ inbox }) => {
  const artifacts = [{ path: 'a', kind: 'log', metadata_json: '{' }]
  await refused(
    inbox.send({ from: 'lead', to: 'worker', subject: 'Hello', artifacts }),
    'invalid_input',
  )
  expect((await inbox.list({})).threads).toEqual([])
})

behaves('send/payload', async (world) => {
  const words = '{ "b": 1.0, "a": [1e2, null],\t"b": "twice" }'
  const { message } = await world.inbox.send({
    from: 'lead',
    to: 'worker',
    subject: 'Hello',
    payload_json: words,
  })
  expect(message.payload_json).toEqual({ b: 'twice', a: [100, null] })
  const stored = await world.sql('select payload_json from messages')
  expect(stored).toEqual([{ payload_json: words }])
})

behaves('send/bad-payload', async ({ inbox }) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello' }
  for (const payload_json of ['{not json}', '{"a":1}}', 'undefined']) {
    const no = await refused(inbox.send({ ...said, payload_json }), 'invalid_input')
    expect(no.message).toContain('JSON')
  }
  expect((await inbox.list({})).threads).toEqual([])
})

const AWKWARD = [
  'two\nlines\r\nand a tab\t',
  '--looks-like-a-flag',
  `quotes ' " \` and a \\ backslash, $HOME %s {} \u001b[31m`,
  '日本語 עברית é é 🎉 \u{10ffff} \u200d \ufeff',
  ' spaces around ',
  'x'.repeat(60_000),
]

behaves('send/body', async ({ inbox }) => {
  for (const body of AWKWARD) {
    const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello', body })
    const { messages } = await inbox.show({ thread: thread.thread_id })
    expect(messages[0]?.body).toBe(body)
  }
})

behaves('send/body-file', async (world) => {
  const body = AWKWARD.join('\n')
  const file = join(world.folder, 'body.txt')
  await writeFile(file, body)
  const fromFile = await shell(world, ['--body-file=body.txt'])
  expect(fromFile.message.body).toBe(body)
  const fromStdin = await shell(world, ['--body-file=-'], body)
  expect(fromStdin.message.body).toBe(body)
})

behaves('send/body-file-refused', async (world) => {
  await writeFile(join(world.folder, 'latin.txt'), new Uint8Array([0x67, 0xfc, 0x6e]))
  await writeFile(join(world.folder, 'nul.txt'), 'a\0b')
  for (const flags of [
    ['--body-file=absent.txt'],
    ['--body-file=.'],
    ['--body-file=latin.txt'],
    ['--body-file=nul.txt'],
    ['--body-file=-', '--body=too'],
  ]) {
    await refused(shell(world, flags, 'standard input'), 'invalid_input')
  }
  expect((await world.inbox.list({})).threads).toEqual([])
})

behaves('send/missing-words', async ({ inbox }) => {
  await refused(inbox.send({ from: 'lead', subject: 'Hello' }), 'invalid_input')
  await refused(inbox.send({ to: 'worker', subject: 'Hello' }), 'invalid_input')
  await refused(inbox.send({ from: 'lead', to: 'worker' }), 'invalid_input')
  await refused(inbox.send({ from: 'lead', to: 'worker', subject: '  ' }), 'invalid_input')
  await refused(inbox.send({ from: 'lead', to: 'worker', body: ' \n ' }), 'invalid_input')
  expect((await inbox.list({})).threads).toEqual([])
})

behaves('send/first-line', async (world) => {
  const { inbox } = world
  const body = '\n  Build the parser  \nin blue\n'
  const line = 'Build the parser'
  const sent = await inbox.send({ from: 'lead', to: 'worker', body })
  const { thread_id: thread } = sent.thread
  expect(sent.thread.subject).toBe(line)
  await take(world, thread, 'worker')
  const mine = { agent: 'worker', thread, body }
  const said = [
    sent,
    await inbox.send({ from: 'lead', thread, body }),
    await inbox.update({ ...mine, status: 'blocked' }),
    await inbox.reply({ from: 'lead', thread, body }),
    await inbox.done(mine),
  ]
  for (const { message } of said) expect(message).toMatchObject({ summary: line, body })
  const other = await held(world)
  const failed = await inbox.fail({ agent: 'worker', thread: other.thread, body: 'x'.repeat(300) })
  expect(failed.message.summary).toBe(`${'x'.repeat(199)}…`)
})

behaves('send/names', async ({ inbox }) => {
  for (const to of ['a', 'Z9', 'code_reviewer-2', 'x'.repeat(64), 'ann@team', 'user:eve']) {
    expect((await inbox.send({ from: 'user', to, subject: 'Hi' })).thread.assigned_to).toBe(to)
  }
  for (const to of [
    '9lives',
    '-dash',
    'two words',
    'naïve',
    'a/b',
    '',
    'x'.repeat(65),
    'ann@',
    'user:eve@team',
    'role:two words',
    '@team',
    'system',
    'broadcast',
  ]) {
    await refused(inbox.send({ from: 'lead', to, subject: 'Hi' }), 'invalid_input')
  }
})

behaves('send/unstorable', async ({ inbox }) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello' }
  const spelled = await inbox.send({ ...said, payload_json: '{"pattern":"\\\\u0000"}' })
  expect(spelled.message.payload_json).toEqual({ pattern: '\\u0000' })
  for (const bad of ['a\0b', 'half \ud800', '\udc00 half']) {
    const artifact = { path: 'a', kind: 'log', metadata_json: '{}' }
    for (const input of [
      { subject: bad },
      { summary: bad },
      { body: bad },
      { run: bad },
      { task: bad },
      { idempotency_key: bad },
      { payload_json: JSON.stringify({ a: bad }) },
      { payload_json: JSON.stringify({ [bad]: 1 }) },
      { artifacts: [{ ...artifact, path: bad }] },
      { artifacts: [{ ...artifact, kind: bad }] },
      { artifacts: [{ ...artifact, metadata_json: JSON.stringify([bad]) }] },
    ]) {
      await refused(inbox.send({ ...said, ...input }), 'invalid_input')
    }
  }
  expect((await inbox.list({})).threads).toEqual([spelled.thread])
})

behaves('send/cursor', async (world) => {
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    const { next_event_id } = await world.inbox.send({
      from: 'lead',
      to: 'worker',
      subject: 'Hello',
    })
    ids.push(next_event_id)
  }
  const events = await world.sql(
    "select event_id, event_type from events where thread_id <> '' order by event_id",
  )
  expect(events).toEqual(ids.map((event_id) => ({ event_id, event_type: 'thread_send' })))
  expect([...ids].sort((a, b) => a - b)).toEqual(ids)
  expect((await world.inbox.list({})).next_event_id).toBe(ids[2] as number)
})

type Sent = Awaited<ReturnType<World['inbox']['send']>>

/** Runs `send` with the given flags, and optionally with standard input. */
async function shell(world: World, flags: string[], stdin?: string): Promise<Sent> {
  const who = ['--from=lead', '--to=worker', '--subject=Hello', `--db=${world.address}`]
  const run = await runProgram(['send', '--json', ...who, ...flags], { ...world, stdin })
  return answerOf('send', run) as Sent
}
