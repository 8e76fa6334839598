// The revisions of documents in the store: they are replayed, exported and imported with their content, and pruned. A
// change that the store refuses is not left in the file.

import { expect } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import type { Mailroom } from '../../src/bin/compose.ts'
import { refuse } from '../../src/core/error.ts'
import { tooMany } from '../../src/core/workflows/document.ts'
import type { DocumentRevision } from '../../src/core/workflows/document-record.ts'
import { type Client, connect } from '../../src/index.ts'
import { call } from '../../src/ops/call.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import { contextDocAppend } from '../../src/ops/workflows/context-doc-append.ts'
import { endInstance } from '../../src/workflows/instance-life.ts'
import { begin } from '../worlds/instances.ts'
import { DAWN, freshStore } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'
import { exported, filesOf } from './files.ts'

const CODER = 'coder@pr-1'
const agent = CODER

async function team(place: Place, mailroom: Mailroom) {
  const dir = join(fs.realpathSync.native(place.folder), 'pr-1')
  fs.mkdirSync(dir, { recursive: true })
  return { dir, ...(await begin(mailroom, { dir })) }
}

async function mustBeWhole(inbox: Client): Promise<void> {
  const { findings } = await inbox.doctor({})
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durability')).toEqual([])
}

contract('revisions are exported and imported with their texts', async (place) => {
  const mailroom = await place.open()
  const { dir } = await team(place, mailroom)
  const inbox = await place.connect()
  await inbox.workflowContextDocWrite({ agent, content: 'one\n' })
  fs.writeFileSync(join(dir, 'notes.md'), 'by hand\n')
  await inbox.workflowContextDocAppend({ agent, content: 'two\n' })
  await inbox.workflowContextDocDelete({ agent, file: 'notes.md' })
  await mustBeWhole(inbox)
  const facts = await place.sql(
    "select payload_json from events where event_type = 'document_revise'",
  )
  expect(JSON.stringify(facts)).not.toContain('by hand')
  const log = await exported(inbox)
  const other = await freshStore(place.engine === 'sqlite' ? 'postgres' : 'sqlite')
  const copy = await connect(other.address)
  try {
    await copy.import({}, { files: filesOf(log).files })
    await mustBeWhole(copy)
    const { revisions } = await copy.workflowContextDocHistory({ agent: 'user', instance: 'pr-1' })
    expect(revisions).toEqual((await inbox.workflowContextDocHistory({ agent })).revisions)
    expect(revisions.map(({ change }) => change)).toEqual(['delete', 'append', 'outside', 'write'])
    const read = await copy.workflowContextDocRead({ agent: 'user', instance: 'pr-1', rev: 2 })
    expect(read.content).toBe('by hand\n')
  } finally {
    await copy.close()
    await other.remove()
  }
  // Content that doesn't match its digest is refused.
  const third = await freshStore('sqlite')
  const forged = await connect(third.address)
  try {
    const lie = log.replace('by hand\\n', 'by Hand\\n')
    expect(lie).not.toBe(log)
    const { rejected } = await forged.import({}, { files: filesOf(lie).files })
    expect(rejected).toMatchObject([{ why: expect.stringMatching(/^its digest is/) }])
  } finally {
    await forged.close()
    await third.remove()
  }
})

contract('prunes old revisions, but keeps the last one while the instance runs', async (place) => {
  const mailroom = await place.open()
  await place.clock.set(DAWN)
  const { dir, token } = await team(place, mailroom)
  const inbox = await place.connect()
  for (const content of ['one', 'two', 'three']) {
    await inbox.workflowContextDocWrite({ agent, content })
  }
  await inbox.workflowContextDocWrite({ agent, file: 'other.md', content: 'alone' })
  const left = async () => {
    const { revisions } = await inbox.workflowContextDocHistory({
      agent: 'user',
      instance: 'pr-1',
    })
    return revisions.map(({ file, revision }) => `${file} ${revision}`)
  }
  await inbox.prune({})
  expect(await left()).toHaveLength(4)
  await place.clock.advance(31 * 24 * 3600)
  const { removed } = await inbox.prune({})
  expect(removed.kinds.document).toEqual({ threads: 2, messages: 2 })
  expect(await left()).toEqual(['other.md 1', 'notes.md 3'])
  await mustBeWhole(inbox)
  // Revision numbers continue.
  expect(await inbox.workflowContextDocWrite({ agent, content: 'four' })).toMatchObject({
    revision: 4,
  })
  await endInstance(mailroom.store, { instance: 'pr-1', token }, 'stopped')
  await place.clock.advance(31 * 24 * 3600)
  await inbox.prune({})
  expect(await left()).toEqual([])
  expect(fs.readFileSync(join(dir, 'notes.md'), 'utf8')).toBe('four')
  await mustBeWhole(inbox)
})

contract('undoes a change to the file that the store refuses', async (place) => {
  const mailroom = await place.open()
  const { dir } = await team(place, mailroom)
  fs.writeFileSync(join(dir, 'notes.md'), 'as it was\n')
  const store = {
    ...mailroom.store,
    write: async () => {
      throw refuse.busy`the store is away`
    },
  } as unknown as Mailroom['store']
  const append = (file: string) =>
    call(
      { ...mailroom, store },
      {
        op: contextDocAppend as unknown as Operation,
        raw: { agent, file, content: 'mine\n' },
        door: 'library',
        signal: new AbortController().signal,
      },
    )
  await expect(append('notes.md')).rejects.toThrow('the store is away')
  await expect(append('new/one.md')).rejects.toThrow('the store is away')
  expect(fs.readFileSync(join(dir, 'notes.md'), 'utf8')).toBe('as it was\n')
  expect(fs.existsSync(join(dir, 'new/one.md'))).toBe(false)
  expect(fs.readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([])
})

contract('the next change undoes one that never reached the store', async (place) => {
  const mailroom = await place.open()
  const { dir } = await team(place, mailroom)
  const inbox = await place.connect()
  const sha256 = await mailroom.digest('half done')
  const note = (more: object) => {
    const left = { revision_id: 'thr_1', file: 'notes.md', was: 'before\n', sha256, ...more }
    fs.writeFileSync(join(dir, '.documents.note'), JSON.stringify(left))
  }
  fs.writeFileSync(join(dir, 'notes.md'), 'half done')
  note({})
  await inbox.workflowContextDocAppend({ agent, content: 'more\n' })
  expect(fs.readFileSync(join(dir, 'notes.md'), 'utf8')).toBe('before\nmore\n')
  // Content written since then isn't undone, and a note can name only a document.
  note({})
  await inbox.workflowContextDocAppend({ agent, content: 'and more\n' })
  note({ file: '../outside.md' })
  await inbox.workflowContextDocAppend({ agent, content: 'end\n' })
  fs.writeFileSync(join(dir, '.documents.note'), '{"revision_id":')
  await inbox.workflowContextDocAppend({ agent, content: 'of it\n' })
  expect(fs.readFileSync(join(dir, 'notes.md'), 'utf8')).toBe(
    'before\nmore\nand more\nend\nof it\n',
  )
  expect(fs.readdirSync(dir)).toEqual(['notes.md'])
  expect(fs.existsSync(join(dir, '../outside.md'))).toBe(false)
})

contract('keeps a hundred texts of a document, and always the two newest', async (place) => {
  const mailroom = await place.open()
  await team(place, mailroom)
  const inbox = await place.connect()
  const texts = (n: number, bytes: number) =>
    Array.from({ length: n }, (_, i) => ({ revision: n - i, bytes }) as DocumentRevision)
  expect(tooMany(texts(99, 1), [1])).toEqual([])
  expect(tooMany(texts(100, 1), [1]).map(({ revision }) => revision)).toEqual([1])
  expect(tooMany(texts(8, 1_048_576), [1]).map(({ revision }) => revision)).toEqual([1])
  expect(tooMany(texts(1, 9_000_000), [1])).toEqual([])
  for (let n = 1; n <= 103; n += 1) await inbox.workflowContextDocWrite({ agent, content: `${n}` })
  const kept = await place.sql(
    'select count(*) as n, min(revision) as first from document_revisions where is_kept = 1',
  )
  expect(kept.map(({ n, first }) => [Number(n), Number(first)])).toEqual([[100, 4]])
  await mustBeWhole(inbox)
})
