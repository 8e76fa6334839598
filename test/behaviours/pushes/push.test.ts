import { expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { ailments, comment, desk, listed, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'

const TRICKS = [
  '../secret.txt',
  'a/../../secret.txt',
  '/etc/passwd',
  '~/secret.txt',
  '..',
  '.',
  '',
  './',
  '..\\secret.txt',
  'a\\..\\..\\secret.txt',
  'C:\\secret.txt',
  'c:secret.txt',
  '\\\\host\\share',
  '..%2fsecret.txt',
  '%2e%2e/secret.txt',
  '%2E%2E%2Fsecret.txt',
  '..%5csecret.txt',
  'a%00.md',
  '..%252fsecret.txt',
  'a\nb',
  '//etc/passwd',
  'file:\\..\\x',
  'a/..',
]

behaves('push/comments', async (world) => {
  const at = world.clock.now()
  const { entry_id, ts } = await world.inbox.push({
    agent: 'ann',
    comments: 'Which rate?\n\nA or B',
  })
  expect(entry_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ts).toBe(Date.parse(at))
  const history = await world.inbox.pushHistory({})
  expect(history).toMatchObject({ has_more: false, next_before: null, unread: 1 })
  expect(history.entries).toEqual([
    {
      entry_id,
      ts,
      created_at: at,
      workspace_id: '',
      workspace_label: '',
      workspace: 'none',
      agent: 'ann',
      form: 'push',
      subject: 'Which rate?',
      docs: [],
      comments: 'Which rate?\n\nA or B',
      origin: expect.anything(),
      unread: true,
      trashed_at: null,
      replies: 0,
    },
  ])
  // A push is delivered like any other mail.
  const { messages } = await world.inbox.mailPeek({ agent: 'user' })
  expect(messages).toMatchObject([{ thread_id: entry_id, from: 'agent:ann', to: 'user' }])
  expect(await ailments(world)).toEqual([])
})

behaves('push/docs', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('research/macro.md', '# Rates\n')
  await write('data.csv', 'a,b\n')
  const sha256 = createHash('sha256').update('# Rates\n').digest('hex')
  const id = await pushed(world, {
    agent: 'ann',
    workspace,
    docs: ['./research//macro.md', join(folder, 'data.csv')],
  })
  const { entries } = await world.inbox.pushHistory({})
  expect(entries).toMatchObject([
    {
      entry_id: id,
      workspace_id: workspace,
      workspace_label: 'Thesis',
      workspace: 'present',
      subject: 'research/macro.md and 1 more',
      docs: [{ path: 'research/macro.md', sha256 }, { path: 'data.csv' }],
      comments: '',
    },
  ])
  // The file isn't copied: the store only knows its name and digest.
  expect(JSON.stringify(await everything(world))).not.toContain('# Rates')
  expect(await ailments(world)).toEqual([])
})

behaves('push/nothing', async (world) => {
  await refused(world.inbox.push({ agent: 'ann' }), 'invalid_input')
  await refused(world.inbox.push({ agent: 'ann', comments: ' \n' }), 'invalid_input')
  const { workspace } = await desk(world)
  await refused(world.inbox.push({ workspace, docs: [] }), 'invalid_input')
  expect(await listed(world)).toEqual([])
})

behaves('push/same-key', async (world) => {
  const push = { agent: 'ann', comments: 'Once', idempotency_key: 'k1' }
  const first = await world.inbox.push(push)
  await world.clock.advance(60)
  expect(await world.inbox.push(push)).toEqual(first)
  await refused(world.inbox.push({ ...push, comments: 'Twice' }), 'invalid_state')
  expect(await listed(world)).toEqual(['Once*'])
})

behaves('push/workspace-agent', async (world) => {
  const { workspace } = await desk(world)
  await world.inbox.push({ workspace, comments: 'From the folder' })
  await world.inbox.push({ agent: 'user', workspace, comments: 'Typed by a person' })
  const { entries } = await world.inbox.pushHistory({})
  expect(entries.map(({ agent }) => agent)).toEqual(['Thesis', 'Thesis'])
  await refused(world.inbox.push({ comments: 'From nowhere' }), 'invalid_input')
  await refused(world.inbox.push({ workspace: 'ws_none', comments: 'Hello' }), 'not_found')
  await world.inbox.workspaceRemove({ workspace })
  await refused(world.inbox.push({ workspace, comments: 'Too late' }), 'not_found')
})

behaves('push/around', async (world) => {
  const outer = await desk(world, 'outer')
  const inner = await desk(world, 'outer/inner')
  await inner.write('deep/notes.md', 'Notes')
  const push = async (folder: string, ...words: string[]) => {
    const args = ['push', ...words, '--json', `--db=${world.address}`]
    const { stdout } = await runProgram(args, { folder })
    return JSON.parse(stdout) as { ok: boolean; workspace_id: string }
  }
  const found = await push(join(inner.folder, 'deep'), 'notes.md')
  expect(found).toMatchObject({ ok: true, workspace_id: inner.workspace })
  expect(await push(outer.folder, '--comments=Hi')).toMatchObject({ workspace_id: outer.workspace })
  expect(await push(world.folder, '--comments=Hi')).toMatchObject({ ok: false })
})

behaves('push/standing', async (world) => {
  const { folder, workspace, write } = await desk(world)
  await write('README.md', 'root')
  await write('sub/README.md', 'sub')
  const push = async (from: string, ...words: string[]) => {
    const args = ['push', ...words, '--json', `--db=${world.address}`]
    const { stdout } = await runProgram(args, { folder: from })
    return JSON.parse(stdout) as { entry_id: string; error?: { code: string } }
  }
  const pathsOf = async ({ entry_id }: { entry_id: string }) =>
    (await world.inbox.pushShow({ entry: entry_id })).entry.docs.map(({ path }) => path)
  const sub = join(folder, 'sub')
  expect(await pathsOf(await push(sub, 'README.md'))).toEqual(['sub/README.md'])
  expect(await pathsOf(await push(sub, '../README.md'))).toEqual(['README.md'])
  expect(await pathsOf(await push(folder, 'sub/README.md'))).toEqual(['sub/README.md'])
  const named = ['--workspace', workspace, 'README.md']
  expect(await pathsOf(await push(world.folder, ...named))).toEqual(['README.md'])
  expect((await push(sub, '../../README.md')).error?.code).toBe('invalid_input')
  expect((await push(sub, 'sub/README.md')).error?.code).toBe('invalid_input')
})

behaves('push/no-document', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('folder/a.md', 'A')
  await write('huge.bin', '')
  await truncate(join(folder, 'huge.bin'), 65 * 1024 * 1024)
  await symlink('/etc/hostname', join(folder, 'out.txt'))
  const push = (doc: string) => world.inbox.push({ workspace, docs: [doc], comments: 'Look' })
  await refused(push('nothing.md'), 'invalid_input')
  await refused(push('folder'), 'invalid_input')
  await refused(push('huge.bin'), 'invalid_input')
  await refused(push('out.txt'), 'forbidden')
  await refused(world.inbox.push({ agent: 'ann', docs: ['a.md'] }), 'invalid_input')
  await rm(folder, { recursive: true })
  await refused(push('folder/a.md'), 'invalid_state')
  expect(await listed(world)).toEqual([])
})

behaves('push/traversal', async (world) => {
  const { workspace, folder, write } = await desk(world)
  await write('../secret.txt', 'SECRET')
  await write('a/b.md', 'Fine')
  const entry = await pushed(world, { workspace, docs: ['a/b.md'] })
  for (const trick of TRICKS) {
    await refused(world.inbox.push({ workspace, docs: [trick] }), 'invalid_input')
    await refused(world.inbox.pushFile({ entry, path: trick }), 'invalid_input')
  }
  await mkdir(join(folder, 'c'))
  await symlink('../..', join(folder, 'c/up'))
  await refused(world.inbox.pushFile({ entry, path: 'c/up/secret.txt' }), 'forbidden')
  await refused(world.inbox.push({ workspace, docs: ['c/up/secret.txt'] }), 'forbidden')
})

behaves('push/origin', async (world) => {
  const { workspace, folder } = await desk(world)
  const push = async (env: Record<string, string>) => {
    const args = ['push', '--comments=Look', `--workspace=${workspace}`, `--db=${world.address}`]
    const { exit } = await runProgram(args, { folder: world.folder, agent: 'ann', env })
    expect(exit).toBe(0)
    const { entries } = await world.inbox.pushHistory({ limit: 1 })
    const own = await world.inbox.pushHistory({ agent: 'ann', limit: 1 })
    await world.clock.advance(1)
    return { person: entries[0]?.origin, agent: own.entries[0]?.origin }
  }
  expect(await push({ INBOX_BACKEND: 'codex', INBOX_SESSION: '0199-ab' })).toEqual({
    person: { backend: 'codex', session: '0199-ab', folder },
    agent: { backend: 'codex' },
  })
  const { person } = await push({ CLAUDE_CODE_SESSION_ID: 'c0ffee-1' })
  expect(person).toEqual({ backend: 'claude', session: 'c0ffee-1', folder })
  // A value that cannot be a backend or a session is dropped, and none is made up.
  for (const env of [
    { INBOX_BACKEND: 'rm -rf', INBOX_SESSION: 'abc' },
    { INBOX_SESSION: 'abc' },
    { INBOX_BACKEND: 'toaster' },
  ]) {
    expect((await push(env as Record<string, string>)).person).toEqual({ folder })
  }
  for (const session of ['--dangerously', 'a b', 'a;b', '$(x)', 'x'.repeat(200)]) {
    const { person } = await push({ INBOX_BACKEND: 'claude', INBOX_SESSION: session })
    expect(person).toEqual({ backend: 'claude', folder })
  }
})

behaves('push/people', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const first = await comment(world, 'One')
  await comment(world, 'Two')
  await world.inbox.pushRead({ entries: [first] })
  expect(await listed(world)).toEqual(['Two*', 'One'])
  expect(await listed(world, { agent: 'user:eve' })).toEqual(['Two*', 'One*'])
  expect((await world.inbox.pushHistory({})).unread).toBe(1)
  expect((await world.inbox.pushHistory({ agent: 'user:eve' })).unread).toBe(2)
})

behaves('push-history/order', async (world) => {
  // All of these are sent in the same millisecond.
  for (const comments of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    await world.inbox.push({ agent: 'ann', comments })
  }
  await comment(world, 'Last')
  const all = ['Last*', 'Six*', 'Five*', 'Four*', 'Three*', 'Two*', 'One*']
  expect(await listed(world)).toEqual(all)
  const walked: string[] = []
  let before: string | undefined
  do {
    const page = await world.inbox.pushHistory({ limit: 2, ...(before ? { before } : {}) })
    walked.push(...page.entries.map(({ comments }) => `${comments}*`))
    before = page.next_before ?? undefined
  } while (before !== undefined)
  expect(walked).toEqual(all)
})

behaves('push-history/pages', async (world) => {
  const ids = []
  for (const one of ['One', 'Two', 'Three']) ids.push(await comment(world, one))
  const page = await world.inbox.pushHistory({ limit: 2 })
  expect(page).toMatchObject({ has_more: true, next_before: ids[1] })
  expect(await listed(world, { before: ids[1] as string })).toEqual(['One*'])
  expect(await listed(world, { before: ids[0] as string })).toEqual([])
  const none = await world.inbox.pushHistory({ before: 'no-such-entry' })
  expect(none.entries).toEqual([])
  expect(world.exitOf(none)).toBe(0)
  expect(await listed(world, { limit: 500 })).toHaveLength(3)
  await refused(world.inbox.pushHistory({ limit: 501 }), 'invalid_input')
  await refused(world.inbox.pushHistory({ limit: 0 }), 'invalid_input')
})

behaves('push-history/workspace', async (world) => {
  const thesis = await desk(world)
  const trip = await desk(world, 'trip')
  await pushed(world, { workspace: thesis.workspace, comments: 'Rates' })
  await pushed(world, { workspace: trip.workspace, comments: 'Trains' })
  expect(await listed(world, { workspace: thesis.workspace })).toEqual(['Rates*'])
  expect(await listed(world, { workspace: trip.workspace })).toEqual(['Trains*'])
  expect(await listed(world, { workspace: 'ws_none' })).toEqual([])
  expect(await listed(world, { from: 'Trip' })).toEqual(['Trains*'])
})

behaves('push-history/label', async (world) => {
  const { workspace } = await desk(world)
  await pushed(world, { workspace, comments: 'Rates' })
  const shown = async () => {
    const [entry] = (await world.inbox.pushHistory({})).entries
    return [entry?.workspace_label, entry?.workspace]
  }
  expect(await shown()).toEqual(['Thesis', 'present'])
  await world.inbox.workspaceRename({ workspace, label: 'Macro' })
  expect(await shown()).toEqual(['Macro', 'present'])
  await world.inbox.workspaceRemove({ workspace })
  expect(await shown()).toEqual(['Macro', 'gone'])
})

behaves('push-history/trash', async (world) => {
  const mine = await comment(world, 'Mine', 'ann')
  const theirs = await comment(world, 'Theirs', 'bob')
  await comment(world, 'Kept', 'bob')
  const inTrash = async (agent: string) => (await world.inbox.pushHistory({ agent })).trashed
  expect(await inTrash('user')).toBe(0)
  await world.inbox.pushTrash({ entries: [mine, theirs] })
  expect([await inTrash('user'), await inTrash('ann'), await inTrash('cy')]).toEqual([2, 1, 0])
  await world.inbox.pushRestore({ entries: [mine] })
  await world.inbox.pushDelete({ entries: [theirs] })
  expect([await inTrash('user'), await inTrash('ann')]).toEqual([0, 0])
})

behaves('push-history/agents', async (world) => {
  const mine = await comment(world, 'Mine', 'ann')
  const theirs = await comment(world, 'Theirs', 'bob')
  expect(await listed(world, { agent: 'ann' })).toEqual(['Mine'])
  expect(await listed(world, { agent: 'ann', from: 'bob' })).toEqual([])
  await world.inbox.pushShow({ agent: 'ann', entry: mine })
  await refused(world.inbox.pushShow({ agent: 'ann', entry: theirs }), 'not_found')
})
