import { expect } from 'bun:test'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

const EXAMPLES = `{"id":"msg_001","type":"task-assigned","from":"orchestrator","to":"agent:ag_x1","body":"...","read":true,"createdAt":"2026-05-10T14:00:00Z"}
{"id":"msg_002","type":"task-done","from":"agent:ag_x1","to":"orchestrator","body":"...","read":false,"createdAt":"2026-05-10T14:04:32Z"}
{"id":"msg_003","type":"status","from":"agent:ag_x2","to":"broadcast","body":"Running tests...","read":false,"createdAt":"2026-05-10T14:04:45Z"}
`

/** The examples, with times the way this program writes them. */
const WHOLE = EXAMPLES.replaceAll(/(:\d\d)Z"/g, '$1.000Z"')

type Line = Record<string, unknown>

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

async function ailments(world: World) {
  const { findings } = await world.inbox.doctor({})
  return findings.filter(({ ok, check }) => !ok && check !== 'durability')
}

/** Sends work and mail to every kind of address, and has some of it read. */
async function exchangeMail(world: World): Promise<void> {
  await world.inbox.personAdd({ name: 'eve' })
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator', status: 'idle' })
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder', status: 'idle' })
  await world.inbox.agentRegister({ agent: 'bob@flow', status: 'running' })
  const say = async (input: Parameters<World['inbox']['mailSend']>[0]) => {
    await world.clock.advance(1)
    await world.inbox.mailSend(input)
  }
  await say({ from: 'user', to: 'orchestrator', subject: 'Goal', body: 'Build\nit 🎉' })
  await say({
    from: 'boss',
    to: 'role:builder',
    type: 'task-assigned',
    body: 'The parser',
    metadata: '{"context":"a \\"grammar\\"","n":1.50}',
    issue: 'ISS-1',
    about_agent: 'ann',
  })
  await say({ from: 'boss', to: 'broadcast', body: 'Hello all' })
  await say({ from: 'boss', to: 'role:tester', body: 'Nobody yet' })
  await say({ from: 'boss', to: 'user:eve', body: 'Done soon' })
  await say({ from: 'boss', to: '@flow', type: 'question', body: 'Why?' })
  await say({ from: 'bob@flow', to: 'boss', type: 'answer', body: 'Because' })
  await world.inbox.mailMarkRead({ agent: 'boss', all: true })
  await world.clock.advance(1)
  const { thread } = await held(world)
  await world.clock.advance(1)
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built' })
  await world.clock.advance(1)
  await task(world, { from: 'ann', to: 'ann', subject: 'Myself' })
}

behaves('mailbox/shape', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  const at = world.clock.now()
  const { message: bare } = await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Hello' })
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  const later = await world.clock.advance(1)
  const { message: full } = await world.inbox.mailSend({
    from: 'user',
    to: 'orchestrator',
    type: 'question',
    subject: 'Why',
    body: '**Why?**',
    metadata: '{"n":1}',
    issue: 'ISS-1',
    about_agent: 'ann',
  })
  const [first, second, ...rest] = (await world.exportMail()).split('\n')
  expect(JSON.parse(first ?? '')).toEqual({
    id: bare?.id,
    type: 'custom',
    from: 'agent:boss',
    to: 'agent:ann',
    subject: 'Hello',
    body: 'Hello',
    read: true,
    createdAt: at,
  })
  expect(second).toBe(
    `{"id":"${full?.id}","type":"question","from":"user","to":"orchestrator","subject":"Why","body":"**Why?**","metadata":{"n":1},"issueId":"ISS-1","agentId":"ann","read":false,"createdAt":"${later}"}`,
  )
  expect(rest).toEqual([''])
})

behaves('mailbox/read', async (world) => {
  for (const agent of ['ann', 'bob']) await world.inbox.agentRegister({ agent, status: 'running' })
  await world.inbox.mailSend({ from: 'boss', to: 'broadcast', body: 'Hello all' })
  const read = async () => linesOf(await world.exportMail()).map((line) => line.read)
  expect(await read()).toEqual([false])
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  expect(await read()).toEqual([false])
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  expect(await read()).toEqual([true])
})

behaves('mailbox/ended', async (world) => {
  const { inbox } = world
  for (const agent of ['ann', 'bob']) await inbox.agentRegister({ agent })
  await inbox.mailSend({ from: 'boss', to: 'ann', body: 'Come back' })
  await inbox.mailSend({ from: 'boss', to: 'bob', body: 'Too late', expires_seconds: 5 })
  await inbox.agentStatus({ agent: 'ann', status: 'off' })
  await world.clock.advance(10)
  const text = await world.exportMail()
  const ended = linesOf(text).filter(({ from }) => from === 'agent:boss')
  expect(ended.map(({ read, state }) => [read, state])).toEqual([
    [false, 'bounced'],
    [false, 'expired'],
  ])
  const { messages } = await inbox.mailPeek({ agent: 'ann', all: true })
  expect(messages).toMatchObject([{ read: false, state: 'bounced' }])
  // Importing this mailbox elsewhere delivers nothing to anyone, and the mailbox stays unchanged.
  const other = await world.another('empty')
  await other.importLog(text, { as: 'mailbox' })
  expect(await other.sql("select * from deliveries where recipient in ('ann', 'bob')")).toEqual([])
  expect(await other.exportMail()).toBe(text)
  const third = await world.another('empty')
  await third.importLog(await other.exportLog())
  expect(await third.exportMail()).toBe(text)
})

behaves('mailbox/formats', async (world) => {
  expect(await world.exportMail()).toBe('')
  expect(JSON.parse(await world.exportMail({ format: 'json' }))).toEqual([])
  await exchangeMail(world)
  const lines = linesOf(await world.exportMail({ format: 'jsonl' }))
  expect(JSON.parse(await world.exportMail({ format: 'json' }))).toEqual(lines)
  const times = lines.map((line) => String(line.createdAt))
  expect(times).toEqual([...times].sort())
  // Bookkeeping doesn't count as mail. A task, its result and a note to oneself do.
  expect(lines.map(({ type, subject }) => `${type} ${subject}`).slice(-3)).toEqual([
    'task-assigned Build the parser',
    'task-done Built',
    'task-assigned Myself',
  ])
  await refused(world.exportMail({ format: 'mbox' as 'json' }), 'invalid_input')
})

behaves('mailbox/examples', async (world) => {
  const imported = await world.importLog(EXAMPLES, { as: 'mailbox' })
  expect(imported).toMatchObject({ messages: { added: 3, known: 0 }, rejected: [], aside: [] })
  expect(await world.exportMail()).toBe(WHOLE)
  expect(await ailments(world)).toEqual([])
  const { agents } = await world.inbox.agentList({})
  expect(agents.map(({ agent_id, role }) => [agent_id, role])).toEqual([
    ['ag_x1', ''],
    ['ag_x2', ''],
  ])
})

behaves('mailbox/recognised', async (world) => {
  await task(world)
  const log = await world.exportLog()
  const list = `[${EXAMPLES.trim().split('\n').join(',')}]`
  const entry = `not a line\n${JSON.stringify({ id: 'e1', ts: 1_767_225_600_000, workspaceId: 'w', comments: 'Hi' })}\n`
  for (const [file, as] of [
    [log, 'log'],
    [EXAMPLES, 'mailbox'],
    [list, 'mailbox'],
    [entry, 'entries'],
  ] as const) {
    const copy = await world.another('empty')
    expect(await copy.importLog(file)).toMatchObject({ as })
    expect(await ailments(copy)).toEqual([])
  }
})

behaves('mailbox/round-trip', async (world) => {
  await exchangeMail(world)
  const text = await world.exportMail()
  const other = await world.another('empty')
  const imported = await other.importLog(text, { as: 'mailbox' })
  expect(imported).toMatchObject({ rejected: [], messages: { added: linesOf(text).length } })
  expect(await other.exportMail()).toBe(text)
  expect(await ailments(other)).toEqual([])
  // The JSON list contains the same mailbox.
  const list = await world.exportMail({ format: 'json' })
  expect(await other.importLog(list, { as: 'mailbox' })).toMatchObject({
    rejected: [],
    messages: { added: 0, known: linesOf(text).length },
  })
  const listed = await world.another('empty')
  await listed.importLog(list, { as: 'mailbox' })
  expect(await listed.exportMail()).toBe(text)
  // The result can be exported and imported like any other log.
  const third = await world.another('empty')
  const log = await other.exportLog()
  expect(await third.importLog(log)).toMatchObject({ rejected: [] })
  expect(await third.exportLog()).toBe(log)
  expect(await third.exportMail()).toBe(text)
  expect(await ailments(third)).toEqual([])
})

behaves('mailbox/again', async (world) => {
  await exchangeMail(world)
  const text = EXAMPLES + (await world.exportMail())
  await world.importLog(text, { as: 'mailbox' })
  const before = await everything(world)
  const again = await world.importLog(text, { as: 'mailbox' })
  expect(again).toMatchObject({
    events: 0,
    messages: { added: 0, known: linesOf(text).length },
    rejected: [],
  })
  expect(await everything(world)).toEqual(before)
})

behaves('mailbox/at-once', async (world) => {
  const calls = [1, 2, 3].map(() => world.importLog(EXAMPLES, { as: 'mailbox' }))
  const counts = (await Promise.all(calls)).map(({ messages }) => messages?.added ?? 0)
  expect(counts.toSorted()).toEqual([0, 0, 3])
  expect(await world.exportMail()).toBe(WHOLE)
  expect(await ailments(world)).toEqual([])
})

behaves('mailbox/malformed', async (world) => {
  const good = linesOf(EXAMPLES)[0] as Line
  const wrong: [string, RegExp][] = [
    ['{"id":"msg_1', /not JSON/],
    ['[]', /not an object/],
    [JSON.stringify({ ...good, id: 7 }), /id/],
    [JSON.stringify({ ...good, type: 'shout' }), /type/],
    [JSON.stringify({ ...good, from: 'role:builder' }), /from/],
    [JSON.stringify({ ...good, to: 'two words' }), /to/],
    [JSON.stringify({ ...good, body: null }), /body/],
    [JSON.stringify({ ...good, body: 'x'.repeat(1_048_577) }), /body/],
    [JSON.stringify({ ...good, metadata: [1] }), /metadata/],
    [
      JSON.stringify({ ...good, metadata: { nr: 7 } }).replace('7}', '9007199254740993}'),
      /as text/,
    ],
    [JSON.stringify({ ...good, read: 'yes' }), /read/],
    [JSON.stringify({ ...good, createdAt: 'yesterday' }), /createdAt/],
    [JSON.stringify({ ...good, createdAt: '2026-02-30' }), /createdAt/],
    [JSON.stringify({ ...good, mood: 'fine' }), /mood/],
    [
      JSON.stringify({ ...good, body: 'Other words' }),
      /msg_001 already exists with different content/,
    ],
  ]
  const [first, ...rest] = EXAMPLES.trim().split('\n')
  const text = [first, ...wrong.map(([line]) => line), '', ...rest].join('\n')
  const imported = await world.importLog(text, { as: 'mailbox' })
  expect(imported.messages).toEqual({ added: 3, known: 0 })
  expect(imported.rejected.map(({ line }) => line)).toEqual(wrong.map((_, i) => i + 2))
  for (const [i, [, why]] of wrong.entries()) expect(imported.rejected[i]?.why).toMatch(why)
  expect(imported.aside.toSorted()).toEqual(wrong.map(([line]) => line).toSorted())
  expect(await world.exportMail()).toBe(WHOLE)
})

behaves('mailbox/unusable', async (world) => {
  const before = await everything(world)
  const call = world.importLog('not a mailbox\n{}\n', { as: 'mailbox' })
  expect((await refused(call, 'invalid_input')).message).toContain('line 1: it is not JSON')
  expect(await everything(world)).toEqual(before)
})

behaves('mailbox/waits', async (world) => {
  const mail = (id: string, to: string, read = false) =>
    JSON.stringify({ ...linesOf(EXAMPLES)[2], id, to, read })
  const text = [
    mail('msg_a', 'role:builder'),
    mail('msg_b', 'orchestrator'),
    mail('msg_c', 'broadcast'),
    mail('msg_d', 'user:eve'),
    mail('msg_e', '@flow'),
    mail('msg_f', 'broadcast', true),
  ].join('\n')
  await world.importLog(text, { as: 'mailbox' })
  const waiting = async () => {
    const rows = await world.sql(
      "select recipient, message_id from deliveries where state = 'queued' order by message_id",
    )
    return rows.map(({ recipient, message_id }) => `${message_id} ${recipient}`)
  }
  expect(await waiting()).toEqual([
    'msg_a role:builder',
    'msg_b role:orchestrator',
    'msg_c role:orchestrator',
    'msg_d user:eve',
    'msg_e role:orchestrator',
  ])
  expect((await world.as('boss').agentRegister({ role: 'orchestrator' })).taken).toBe(3)
  expect((await world.as('ann').agentRegister({ role: 'builder' })).taken).toBe(1)
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(messages).toMatchObject([{ id: 'msg_a', created_at: '2026-05-10T14:04:45.000Z' }])
  expect(await ailments(world)).toEqual([])
})

behaves('mailbox/follows', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Before' })
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  const followed = world.followLog({ as: 'mailbox' })
  const bodies = async () => linesOf(await followed.text()).map(({ body, read }) => [body, read])
  const has = (count: number) => async () => (await bodies()).length === count
  await until(has(1), 'what was before')
  for (const body of ['One', 'Two']) await world.inbox.mailSend({ from: 'boss', to: 'ann', body })
  await until(has(3), 'what came')
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Three' })
  await until(has(4), 'what came after a reading')
  await followed.end()
  // Each line appears once and is never rewritten.
  expect(await bodies()).toEqual([
    ['Before', true],
    ['One', false],
    ['Two', false],
    ['Three', false],
  ])
  const other = await world.another('empty')
  const imported = await other.importLog(await followed.text(), { as: 'mailbox' })
  expect(imported.messages?.added).toBe(4)
})

behaves('mailbox/file-goes-on', async (world) => {
  const file = join(world.folder, 'mailbox.jsonl')
  const write = () =>
    runProgram(['export', '--as=mailbox', `--out=${file}`, `--db=${world.address}`], world)
  await world.inbox.agentRegister({ agent: 'ann' })
  for (const body of ['One', 'Two']) await world.inbox.mailSend({ from: 'boss', to: 'ann', body })
  expect(await write()).toMatchObject({ exit: 0, stdout: '2 events\n' })
  await world.inbox.mailSend({ from: 'boss', to: 'ann', body: 'Three' })
  // The writer of this line was killed while writing it.
  await appendFile(file, '{"id":"msg_torn","bo')
  expect(await write()).toMatchObject({ exit: 0, stdout: '1 event\n' })
  const text = await readFile(file, 'utf8')
  expect(linesOf(text).map(({ body }) => body)).toEqual(['One', 'Two', 'Three'])
  // Neither a full export nor an export of another store can go into this file.
  const whole = ['mail', 'export', `--out=${file}`, `--db=${world.address}`]
  expect(await runProgram(whole, world)).toMatchObject({ exit: 30 })
  const other = await world.another('empty')
  const foreign = ['export', '--as=mailbox', `--out=${file}`, `--db=${other.address}`]
  expect(await runProgram(foreign, other)).toMatchObject({ exit: 30 })
  await writeFile(join(world.folder, 'notes.txt'), 'Dear diary\n')
  const notes = ['export', '--as=mailbox', '--out=notes.txt', `--db=${world.address}`]
  expect(await runProgram(notes, world)).toMatchObject({ exit: 30 })
  expect(await readFile(file, 'utf8')).toBe(text)
  expect(await readFile(join(world.folder, 'notes.txt'), 'utf8')).toBe('Dear diary\n')
})

behaves('mailbox/aside-once', async (world) => {
  const bad = ['not json', '{"id":"msg_9"}', 'not json']
  await world.importLog([...EXAMPLES.trimEnd().split('\n'), ...bad, ''].join('\n'), {
    as: 'mailbox',
  })
  const again = await world.importLog([...EXAMPLES.trimEnd().split('\n'), ...bad, ''].join('\n'), {
    as: 'mailbox',
  })
  expect(again.rejected).toHaveLength(3)
  expect(again.aside.toSorted()).toEqual(bad.toSorted())
  const more = await world.importLog(`${EXAMPLES}another\n`, { as: 'mailbox' })
  expect(more.aside.toSorted()).toEqual([...bad, 'another'].toSorted())
})
