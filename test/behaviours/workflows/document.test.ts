// The documents of a workflow: real files, which agents and people change, and the revisions that the store keeps.
import { afterAll, expect } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { beginIn } from '../../worlds/instances.ts'
import type { World } from '../../worlds/world.ts'

const CODER = 'coder@pr-1'
const REVIEWER = 'reviewer@pr-1'

const made: string[] = []
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

/** A running team with its own folder. */
async function teamIn(world: World) {
  const above = fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), 'mailroom-documents-')))
  made.push(above)
  const dir = join(above, 'pr-1')
  fs.mkdirSync(dir)
  await beginIn(world, { dir, documents: ['todos.md'] })
  const coder = world.as(CODER)
  const agent = CODER
  return {
    dir,
    above,
    coder,
    textIn: (file: string) => fs.readFileSync(join(dir, file), 'utf8'),
    put: (file: string, text: string) => fs.writeFileSync(join(dir, file), text),
    read: (more: { file?: string; rev?: number } = {}) =>
      coder.workflowContextDocRead({ agent, ...more }),
    write: (content: string, more: { file?: string; if_sha256?: string } = {}) =>
      coder.workflowContextDocWrite({ agent, content, ...more }),
    append: (content: string, file?: string) =>
      coder.workflowContextDocAppend({ agent, content, ...(file && { file }) }),
    history: async (file?: string) => {
      const found = await coder.workflowContextDocHistory({ agent, ...(file && { file }) })
      return found.revisions
    },
  }
}

behaves('document/read', async (world) => {
  const { read, put, above } = await teamIn(world)
  const empty = { file: 'notes.md', exists: false, content: '', sha256: '', revision: null }
  expect(await read()).toMatchObject(empty)
  put('notes.md', '# Notes\n\n@coder is at it\n')
  const found = await read()
  expect(found).toMatchObject({ exists: true, content: '# Notes\n\n@coder is at it\n' })
  expect(found.sha256).toHaveLength(64)
  expect(await read({ file: './notes.md' })).toEqual(found)
  await expect(read({ file: 'missing.md' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(read({ rev: 1 })).rejects.toThrow(
    'has no revision 1; the text of no revision is kept',
  )
  // A link can't be used to read files outside the folder.
  fs.writeFileSync(join(above, 'secret.md'), 'secret')
  fs.symlinkSync('../secret.md', join(above, 'pr-1/link.md'))
  await expect(read({ file: 'link.md' })).rejects.toMatchObject({ code: 'forbidden' })
})

behaves('document/write', async (world) => {
  const { write, read, textIn, history, dir } = await teamIn(world)
  const first = await write('one\n')
  expect(first).toMatchObject({ instance: 'pr-1', file: 'notes.md', revision: 1, bytes: 4 })
  expect(textIn('notes.md')).toBe('one\n')
  const second = await write('two, and Ünïcode\n')
  expect(second.revision).toBe(2)
  expect(await read()).toMatchObject({ content: 'two, and Ünïcode\n', revision: 2 })
  expect(await read({ rev: 1 })).toMatchObject({ content: 'one\n', sha256: first.sha256 })
  expect(await history()).toMatchObject([
    { revision: 2, change: 'write', written_by: CODER, sha256: second.sha256, is_kept: true },
    { revision: 1, change: 'write', written_by: CODER, revision_id: first.revision_id, run: 1 },
  ])
  // Writing the same content again doesn't create a revision.
  expect(await write('two, and Ünïcode\n')).toMatchObject({ revision: 2 })
  await write('in a folder', { file: 'findings/deep/auth.md' })
  expect(textIn('findings/deep/auth.md')).toBe('in a folder')
  const user = await world.inbox.workflowContextDocWrite({
    agent: 'user',
    instance: 'pr-1',
    content: 'three',
  })
  expect(user.revision).toBe(3)
  expect((await history('notes.md'))[0]).toMatchObject({ written_by: 'user' })
  expect(fs.readdirSync(dir).sort()).toEqual(['findings', 'notes.md'])
})

behaves('document/changed', async (world) => {
  const { write, read, put, textIn, history } = await teamIn(world)
  await expect(write('mine', { if_sha256: 'a'.repeat(64) })).rejects.toThrow('is not there')
  await write('one')
  const { sha256 } = await read()
  expect(await write('two', { if_sha256: sha256 })).toMatchObject({ revision: 2 })
  const late = write('mine', { if_sha256: sha256 })
  await expect(late).rejects.toMatchObject({ code: 'revision_conflict' })
  await expect(late).rejects.toThrow('was changed since you read it')
  put('notes.md', 'by hand')
  const { sha256: seen } = await read()
  put('notes.md', 'by hand again')
  await expect(write('mine', { if_sha256: seen })).rejects.toMatchObject({
    code: 'revision_conflict',
  })
  expect(textIn('notes.md')).toBe('by hand again')
  expect(await history()).toHaveLength(2)
})

behaves('document/outside', async (world) => {
  const { write, append, read, put, dir, history } = await teamIn(world)
  put('notes.md', 'from before\n')
  await append('more\n')
  expect(await history()).toMatchObject([
    { revision: 2, change: 'append', written_by: CODER },
    { revision: 1, change: 'outside', written_by: '' },
  ])
  expect(await read({ rev: 1 })).toMatchObject({ content: 'from before\n' })
  put('notes.md', 'by hand')
  expect(await read()).toMatchObject({ content: 'by hand', revision: null })
  await write('mine')
  expect(await read({ rev: 3 })).toMatchObject({ content: 'by hand' })
  fs.rmSync(join(dir, 'notes.md'))
  expect(await write('again')).toMatchObject({ revision: 6 })
  expect((await history()).slice(0, 2)).toMatchObject([
    { revision: 6, change: 'write', bytes: 5 },
    { revision: 5, change: 'outside', sha256: '', is_kept: false },
  ])
  await expect(read({ rev: 5 })).rejects.toThrow('the document was gone')
})

behaves('document/append', async (world) => {
  const { append, textIn, coder } = await teamIn(world)
  const reviewer = world.as(REVIEWER)
  expect(await append('first\n')).toMatchObject({ revision: 1 })
  await Promise.all(
    [0, 1, 2, 3].flatMap((n) => [
      coder.workflowContextDocAppend({ agent: CODER, content: `coder ${n}\n` }),
      reviewer.workflowContextDocAppend({ agent: REVIEWER, content: `reviewer ${n}\n` }),
    ]),
  )
  const lines = textIn('notes.md').split('\n')
  expect(lines).toHaveLength(10)
  expect(new Set(lines).size).toBe(10)
  expect(lines[0]).toBe('first')
  expect(await append('x', 'new.md')).toMatchObject({ file: 'new.md', revision: 1 })
})

behaves('document/list', async (world) => {
  const { coder, write, put, dir, history } = await teamIn(world)
  const list = () => coder.workflowContextDocList({ agent: CODER })
  expect(await list()).toMatchObject({ files: [], entry_point: 'notes.md', has_more: false })
  expect(await history()).toEqual([])
  for (const file of ['a.md', 'todos.md', 'z/b.md', 'notes.md']) await write(file, { file })
  for (const file of ['channel.md', 'channel-1.md', 'mcp.json', '.hidden']) put(file, file)
  fs.symlinkSync('a.md', join(dir, 'link.md'))
  const found = await list()
  expect(found.files).toEqual(['notes.md', 'todos.md', 'a.md', 'z/b.md'])
  expect(found.documents[0]).toMatchObject({ file: 'notes.md', bytes: 8 })
})

behaves('document/create', async (world) => {
  const { coder, put, textIn } = await teamIn(world)
  const create = (file: string) =>
    coder.workflowContextDocCreate({ agent: CODER, file, content: '# New\n' })
  expect(await create('findings/memory.md')).toMatchObject({ revision: 1 })
  expect(textIn('findings/memory.md')).toBe('# New\n')
  put('mine.md', 'by hand')
  for (const file of ['findings/memory.md', 'mine.md']) {
    await expect(create(file)).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(create(file)).rejects.toThrow('already')
  }
  expect(textIn('mine.md')).toBe('by hand')
})

behaves('document/delete', async (world) => {
  const { coder, write, read, dir, history } = await teamIn(world)
  const remove = (file: string) => coder.workflowContextDocDelete({ agent: CODER, file })
  await write('the last', { file: 'old.md' })
  expect(await remove('old.md')).toMatchObject({ revision: 2, sha256: '', bytes: 0 })
  expect(fs.existsSync(join(dir, 'old.md'))).toBe(false)
  await expect(remove('old.md')).rejects.toMatchObject({ code: 'not_found' })
  await expect(read({ file: 'old.md' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await read({ file: 'old.md', rev: 1 })).toMatchObject({ content: 'the last' })
  expect((await history())[0]).toMatchObject({ change: 'delete', written_by: CODER, sha256: '' })
  expect(await write('anew', { file: 'old.md' })).toMatchObject({ revision: 3 })
})

behaves('document/history', async (world) => {
  const { write, append, history, coder } = await teamIn(world)
  await write('a', { file: 'a.md' })
  await world.clock.advance(1)
  await write('b', { file: 'b.md' })
  await world.clock.advance(1)
  await append('more', 'a.md')
  const names = (await history()).map(({ file, revision }) => `${file} ${revision}`)
  expect(names).toEqual(['a.md 2', 'b.md 1', 'a.md 1'])
  expect(await history('b.md')).toMatchObject([{ file: 'b.md', change: 'write', bytes: 1 }])
  const some = await coder.workflowContextDocHistory({ agent: CODER, limit: 1 })
  expect(some.revisions).toHaveLength(1)
})

behaves('document/retry', async (world) => {
  const { coder, textIn, put, history } = await teamIn(world)
  const agent = CODER
  const add = { agent, content: 'once\n', idempotency_key: 'append' }
  const first = await coder.workflowContextDocAppend(add)
  expect(await coder.workflowContextDocAppend(add)).toEqual(first)
  expect(textIn('notes.md')).toBe('once\n')
  const write = { agent, content: 'written\n', idempotency_key: 'write' }
  const written = await coder.workflowContextDocWrite(write)
  put('notes.md', 'by hand')
  expect(await coder.workflowContextDocWrite(write)).toEqual(written)
  expect(textIn('notes.md')).toBe('by hand')
  const create = { agent, file: 'new.md', content: 'new', idempotency_key: 'create' }
  const created = await coder.workflowContextDocCreate(create)
  expect(await coder.workflowContextDocCreate(create)).toEqual(created)
  const remove = { agent, file: 'new.md', idempotency_key: 'delete' }
  const removed = await coder.workflowContextDocDelete(remove)
  expect(await coder.workflowContextDocDelete(remove)).toEqual(removed)
  expect(await history()).toHaveLength(4)
})

behaves('document/bad-path', async (world) => {
  const { append, read, dir, above, history } = await teamIn(world)
  for (const [file, says] of [
    ['../outside.md', 'leads out of the folder'],
    ['/etc/passwd', 'is not inside the folder'],
    ['.hidden/a.md', 'is hidden'],
    ['channel.md', 'follows the channel'],
    ['mcp.json', 'is a file that the program makes'],
    ['a/b/c/d/e/f/g/h/i.md', 'steps deep'],
  ] as const) {
    await expect(append('mine', file)).rejects.toThrow(says)
    await expect(read({ file })).rejects.toMatchObject({ code: 'invalid_input' })
  }
  fs.symlinkSync(above, join(dir, 'up'))
  await expect(append('mine', 'up/outside.md')).rejects.toMatchObject({ code: 'forbidden' })
  expect(fs.readdirSync(above)).toEqual(['pr-1'])
  expect(fs.readdirSync(dir)).toEqual(['up'])
  expect(await history()).toEqual([])
})

behaves('document/strangers', async (world) => {
  const { textIn, write } = await teamIn(world)
  await write('ours')
  await world.inbox.mailSend({ from: 'eve', to: 'orchestrator', body: 'hello' })
  for (const who of [{ agent: 'eve' }, { agent: 'coder@pr-3' }]) {
    const eve = world.as(who.agent)
    for (const call of [
      () => eve.workflowContextDocRead(who),
      () => eve.workflowContextDocList(who),
      () => eve.workflowContextDocHistory(who),
      () => eve.workflowContextDocWrite({ ...who, content: 'hers' }),
      () => eve.workflowContextDocAppend({ ...who, content: 'hers' }),
      () => eve.workflowContextDocCreate({ ...who, file: 'a.md', content: 'hers' }),
      () => eve.workflowContextDocDelete({ ...who, file: 'notes.md' }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    }
  }
  const instance = 'pr-1'
  const forged = world.inbox.workflowContextDocRead({ agent: 'eve', instance })
  await expect(forged).rejects.toMatchObject({ code: 'not_found' })
  await world.inbox.agentRegister({ agent: 'chief', role: 'orchestrator' })
  const chief = world.as('chief')
  const read = await chief.workflowContextDocRead({ agent: 'chief', instance })
  expect(read.content).toBe('ours')
  const guest = chief.workflowContextDocWrite({ agent: 'chief', instance, content: 'theirs' })
  await expect(guest).rejects.toMatchObject({ code: 'forbidden' })
  expect(textIn('notes.md')).toBe('ours')
})

behaves('document/mentions', async (world) => {
  const { write } = await teamIn(world)
  await write('@reviewer urgent @user')
  expect(await world.sql('select * from deliveries')).toEqual([])
  const { messages } = await world.inbox.workflowContextInboxPeek({ agent: REVIEWER })
  expect(messages).toEqual([])
})

behaves('document/forget', async (world) => {
  const { write, read, history } = await teamIn(world)
  // Nine mebibytes in total, of which eight are kept.
  const large = 'x'.repeat(1_048_570)
  for (let n = 1; n <= 9; n += 1) await write(`${n} ${large}`)
  const kept = (await history()).map(({ revision, is_kept }) => `${revision} ${is_kept}`)
  expect(kept.slice(0, 8).every((one) => one.endsWith('true'))).toBe(true)
  expect(kept[8]).toBe('1 false')
  await expect(read({ rev: 1 })).rejects.toThrow(
    'no longer kept; the last that can be read: 9, 8, 7',
  )
  expect((await read({ rev: 2 })).content).toStartWith('2 xxx')
  const { findings } = await world.inbox.doctor({})
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durability')).toEqual([])
})

behaves('channel/long', async (world) => {
  const { coder, textIn, dir, read } = await teamIn(world)
  const agent = CODER
  const text = `${'a line of a diff\n'.repeat(700)}and now @reviewer, urgent\n`
  const words = { agent, message: text, idempotency_key: 'long' }
  const sent = await coder.workflowContextSend(words)
  expect(sent.mentions).toEqual(['reviewer'])
  expect(await coder.workflowContextSend(words)).toEqual(sent)
  const { messages } = await world.inbox.workflowContextInboxPeek({ agent: REVIEWER })
  expect(messages).toMatchObject([{ priority: 'high', entry: { id: sent.id } }])
  const said = String(messages[0]?.entry.message)
  expect(said.length).toBeLessThanOrEqual(8000)
  const file = /in the document (entries\/coder-\w+\.md)\]$/.exec(said)?.[1] ?? ''
  expect(`${said.slice(0, said.lastIndexOf('\n\n['))}\n${textIn(file)}`).toBe(text)
  expect(await read({ file })).toMatchObject({ revision: 1 })
  expect(fs.readdirSync(join(dir, 'entries'))).toHaveLength(1)
  // A refused entry leaves no document.
  const refused = coder.workflowContextSend({ agent, message: text, to: 'nobody' })
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })
  expect(fs.readdirSync(join(dir, 'entries'))).toHaveLength(1)
})
