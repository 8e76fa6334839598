import { expect } from 'bun:test'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { ailments, comment, desk, listed, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

const ID = '0b5c1f0e-3c52-4b7e-9a53-1d0f8e6b7a10'
const FOREIGN = {
  id: ID,
  ts: 1_715_789_012_345,
  workspaceId: 'ws-abc123',
  workspaceLabel: 'Macro thesis 2026-05',
  docs: [{ path: 'research/macro-2026-05-14.md' }],
  comments: 'Drafted the piece. A take on the rates section before I extend?',
}
const EXAMPLE = JSON.stringify(FOREIGN)

type Line = Record<string, unknown>

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** Makes pushes of every shape. */
async function makePushes(world: World): Promise<void> {
  const { workspace, write } = await desk(world)
  await write('a.md', 'A')
  await write('deep/b.md', 'B')
  await pushed(world, { workspace, docs: ['a.md', 'deep/b.md'], comments: 'Both\n"quoted" 🎉' })
  await pushed(world, { agent: 'ann', workspace, docs: ['a.md'] })
  await comment(world, 'Words alone')
  await world.inbox.notify({ agent: 'cron', message: 'Tick' })
  const read = await comment(world, 'Read and trashed')
  await world.inbox.pushRead({ entries: [read] })
  await world.inbox.pushTrash({ entries: [read] })
  await world.inbox.pushDelete({ entries: [await comment(world, 'Deleted')] })
}

behaves('entries/shape', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('a.md', '')
  const ts = Date.parse(world.clock.now()) + 1000
  const id = await pushed(world, { workspace, docs: ['a.md'], comments: 'Look' })
  const bare = await comment(world, 'Words')
  const text = await world.exportLog({ as: 'entries' })
  const [first, second] = linesOf(text)
  expect(Object.keys(first ?? {}).slice(0, 6)).toEqual(Object.keys(FOREIGN))
  const revision = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(first).toEqual({
    id,
    ts,
    workspaceId: workspace,
    workspaceLabel: 'Thesis',
    docs: [{ path: 'a.md', revision }],
    comments: 'Look',
    agent: 'Thesis',
    origin: { folder },
  })
  const { origin: _, ...rest } = second ?? {}
  expect(rest).toEqual({
    id: bare,
    ts: ts + 1000,
    workspaceId: '',
    comments: 'Words',
    agent: 'ann',
  })
})

behaves('entries/example', async (world) => {
  const more = { ...FOREIGN, id: 'other-1', readAt: 7, origin: { kind: 'headless', runId: 'r-1' } }
  const old = { id: 'old-1', ts: 0, workspaceId: 'ws-abc123', comments: 'Old' }
  const text = [EXAMPLE, JSON.stringify(more), JSON.stringify(old)].join('\n')
  const imported = await world.importLog(text, { as: 'entries' })
  expect(imported).toMatchObject({ messages: { added: 3, known: 0 }, rejected: [], aside: [] })
  const exported = linesOf(await world.exportLog({ as: 'entries' }))
  expect(exported).toEqual([FOREIGN, more, old])
  // Newest first by their original times, though their workspace never existed here.
  const { entries } = await world.inbox.pushHistory({ workspace: 'ws-abc123' })
  expect(entries.map(({ ts }) => ts)).toEqual([FOREIGN.ts, FOREIGN.ts, 0])
  expect(entries[0]).toMatchObject({
    entry_id: 'other-1',
    workspace: 'gone',
    workspace_label: FOREIGN.workspaceLabel,
    docs: FOREIGN.docs,
    origin: {},
    unread: true,
  })
  expect((await world.inbox.pushFile({ entry: ID, path: 'x.md' })).state).toBe('gone')
  const reply = await world.inbox.pushReply({ entry: ID, comments: 'Fine' })
  expect(reply).toMatchObject({ to: null, reachable: false })
  expect(await ailments(world)).toEqual([])
})

behaves('entries/numbers', async (world) => {
  const docs = '[{"path":"a.md","score":2.50}]'
  const foreign = '"price":2.50,"big":12345678901234567890,"more":{"list":[1e3,-0,0.1,7]}'
  const line = `{"id":"n-1","ts":7,"workspaceId":"ws","docs":${docs},"comments":"C",${foreign}}\n`
  const added = await world.importLog(line, { as: 'entries' })
  expect(added).toMatchObject({ messages: { added: 1 }, rejected: [] })
  expect(await world.exportLog({ as: 'entries' })).toBe(line)
  const again = await world.importLog(line, { as: 'entries' })
  expect(again).toMatchObject({ messages: { added: 0, known: 1 }, rejected: [] })
  expect(await ailments(world)).toEqual([])
})

behaves('entries/round-trip', async (world) => {
  await makePushes(world)
  await world.importLog(EXAMPLE, { as: 'entries' })
  const text = await world.exportLog({ as: 'entries' })
  expect(linesOf(text)).toHaveLength(6)
  const other = await world.another('empty')
  expect(await other.importLog(text, { as: 'entries' })).toMatchObject({
    messages: { added: 6, known: 0 },
    rejected: [],
  })
  expect(await other.exportLog({ as: 'entries' })).toBe(text)
  expect(await ailments(other)).toEqual([])
  const third = await world.another('empty')
  const log = await other.exportLog()
  expect(await third.importLog(log)).toMatchObject({ rejected: [] })
  expect(await third.exportLog({ as: 'entries' })).toBe(text)
})

behaves('entries/again', async (world) => {
  await makePushes(world)
  await world.importLog(EXAMPLE, { as: 'entries' })
  const text = await world.exportLog({ as: 'entries' })
  const [first] = linesOf(text)
  await world.inbox.pushDelete({ entries: [ID] })
  // The deletion's deferred work is done before the next call.
  await world.inbox.status({})
  const before = await everything(world)
  const again = await world.importLog(`${text}${text}${EXAMPLE}`, { as: 'entries' })
  expect(again).toMatchObject({ events: 0, messages: { added: 0, known: 13 }, rejected: [] })
  expect(await everything(world)).toEqual(before)
  expect((await world.inbox.pushHistory({})).entries.some(({ entry_id }) => entry_id === ID)).toBe(
    false,
  )
  const changed = JSON.stringify({ ...first, comments: 'Other words' })
  const { rejected } = await world.importLog(`${changed}\n${EXAMPLE}`, { as: 'entries' })
  expect(rejected).toMatchObject([
    { line: 1, why: `${first?.id} already exists with different content` },
  ])
})

behaves('entries/malformed', async (world) => {
  const thread = await task(world)
  const wrong: [string, RegExp][] = [
    ['{"id":"x', /not JSON/],
    ['[]', /not an object/],
    [JSON.stringify({ ...FOREIGN, id: 7 }), /id/],
    [JSON.stringify({ ...FOREIGN, id: 'a b' }), /id/],
    [JSON.stringify({ ...FOREIGN, ts: 'now' }), /ts/],
    [JSON.stringify({ ...FOREIGN, ts: -1 }), /ts/],
    [JSON.stringify({ ...FOREIGN, ts: 1e15 }), /ts/],
    [JSON.stringify({ ...FOREIGN, workspaceId: undefined }), /workspaceId/],
    [JSON.stringify({ ...FOREIGN, docs: 'a.md' }), /docs/],
    [JSON.stringify({ ...FOREIGN, docs: [{}] }), /path/],
    [JSON.stringify({ ...FOREIGN, docs: [{ path: '../../etc/passwd' }] }), /path/],
    [JSON.stringify({ ...FOREIGN, docs: [], comments: '' }), /neither/],
    [JSON.stringify({ ...FOREIGN, comments: 7 }), /comments/],
    [JSON.stringify({ ...FOREIGN, comments: 'Other words' }), /different content/],
    [JSON.stringify({ ...FOREIGN, id: thread }), /thread of work/],
    [JSON.stringify({ ...FOREIGN, id: 'nul', note: 'a\0b' }), /stored/],
  ]
  const last = JSON.stringify({ ...FOREIGN, id: 'last' })
  const text = [EXAMPLE, ...wrong.map(([line]) => line), '', last].join('\n')
  const imported = await world.importLog(text, { as: 'entries' })
  expect(imported.messages).toEqual({ added: 2, known: 0 })
  expect(imported.rejected.map(({ line }) => line)).toEqual(wrong.map((_, i) => i + 2))
  for (const [i, [, why]] of wrong.entries()) expect(imported.rejected[i]?.why).toMatch(why)
  expect(imported.aside.toSorted()).toEqual(wrong.map(([line]) => line).toSorted())
  const none = world.importLog('no entries\n', { as: 'entries' })
  expect((await refused(none, 'invalid_input')).message).toContain('line 1: it is not JSON')
  expect(await ailments(world)).toEqual([])
})

behaves('entries/follows', async (world) => {
  const before = await comment(world, 'Before')
  const followed = world.followLog({ as: 'entries' })
  const comments = async () => linesOf(await followed.text()).map((line) => line.comments)
  const has = (...want: string[]) =>
    until(async () => JSON.stringify(await comments()) === JSON.stringify(want), want.join())
  await has('Before')
  const one = await comment(world, 'One')
  await comment(world, 'Two')
  await has('Before', 'One', 'Two')
  await world.inbox.pushTrash({ entries: [one] })
  await world.inbox.pushDelete({ entries: [one, before] })
  await has('Two')
  await comment(world, 'Three')
  await has('Two', 'Three')
  await followed.end()
  const other = await world.another('empty')
  await other.importLog(await followed.text(), { as: 'entries' })
  expect(await listed(other)).toEqual(['Three*', 'Two*'])
})

behaves('entries/file-goes-on', async (world) => {
  const file = join(world.folder, 'entries.jsonl')
  const write = () =>
    runProgram(['export', '--as=entries', `--out=${file}`, `--db=${world.address}`], world)
  const one = await comment(world, 'One')
  await comment(world, 'Two')
  expect(await write()).toMatchObject({ exit: 0, stdout: '2 events\n' })
  const [first, second] = (await readFile(file, 'utf8')).split('\n')
  // Unreadable lines (one isn't even text), a line from another store, and a line cut off by a crash.
  const odd = Buffer.concat([Buffer.from('not json\n'), Buffer.from([0xff, 0xfe, 10])])
  const foreign = Buffer.from(`${EXAMPLE}\n\n`)
  const torn = Buffer.from('{"id":"torn","ts":1')
  await appendFile(file, Buffer.concat([odd, foreign, torn]))
  await writeFile(`${file}.rewriting`, 'left by a crash')
  await comment(world, 'Three')
  await world.inbox.pushDelete({ entries: [one] })
  expect(await write()).toMatchObject({ exit: 0, stdout: '1 event\n' })
  const after = await readFile(file)
  const third = after.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(third).comments).toBe('Three')
  const kept = [Buffer.from(`${second}\n`), odd, foreign, torn, Buffer.from(`\n${third}\n`)]
  expect(after).toEqual(Buffer.concat(kept))
  expect(after.toString()).not.toContain(first ?? '')
  expect((await readdir(world.folder)).filter((name) => name.includes('rewriting'))).toEqual([])
  expect(await write()).toMatchObject({ exit: 0, stdout: '0 events\n' })
  expect(await readFile(file)).toEqual(after)
})
