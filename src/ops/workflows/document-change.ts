// Changes a document of an instance: first the file, then its revision in the store.
// (1) This program changes documents in a folder for only one caller at a time. Editors don't take the lock, so if one
//     edits the file during a change, the change starts over with the new content.
// (2) Content that doesn't match the last revision was written from outside. It's recorded as a separate revision
//     without an author, in the same transaction.
// (3) If the store refuses the revision, the file's previous content is restored.
// (4) A process that's killed partway leaves a note. The next change finds it and, if the store doesn't know the
//     revision, restores the file's previous content, so that a retry does nothing twice.

import { isPerson } from '../../core/agents/agent.ts'
import { field, operation, quote, Refusal, refuse, sentence } from '../../core/error.ts'
import type { Tx } from '../../core/store.ts'
import { forget, revise, tooMany } from '../../core/workflows/document.ts'
import { DOCUMENT_REVISIONS, type DocumentChange } from '../../core/workflows/document-record.ts'
import { type Instance, memberOf } from '../../core/workflows/instance.ts'
import { bytesOf, documentPath, type WritableFiles } from '../../core/workflows/instance-files.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import { type Call, commit, idempotencyOf, stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { CHANGED, type ChangedDocument } from './document-view.ts'
import { CHANNEL_READER, type ContextInput, channelFor } from './instance-access.ts'

export type DocumentInput = ContextInput & {
  file?: string | undefined
  if_sha256?: string | undefined
  idempotency_key?: string | undefined
}

/** The parts shared by all operations that change a document. */
export const DOCUMENT_CHANGE = {
  ...CHANNEL_READER,
  refusals: [...CHANNEL_READER.refusals, 'forbidden'],
  answer: CHANGED,
} as const

type DocumentWish = {
  change: Exclude<DocumentChange, 'outside'>
  input: DocumentInput
  /** Returns the new content, or null to remove the document. Throws if the change doesn't fit the old content. */
  next(was: string | null, file: string): string | null
}

const TRIES = 5

/** The instance and path of the call's document. The default is the entry point. */
export async function documentFor(
  context: Context,
  input: DocumentInput,
): Promise<{ instance: Instance; file: string }> {
  const instance = await channelFor(context, input)
  return { instance, file: documentPath(input.file ?? instance.document, field('file'), instance) }
}

export async function changeDocument(
  context: Context,
  { change, input, next }: DocumentWish,
): Promise<ChangedDocument> {
  const { instance, file } = await documentFor(context, input)
  mustWrite(instance, input.agent)
  const call = { op: `workflow context doc ${change}`, agent: input.agent, input }
  const { if_sha256 } = input
  return reviseFile(context, { call, instance, file, change, by: input.agent, if_sha256, next })
}

type RevisedFile = Pick<DocumentWish, 'change' | 'next'> & {
  call: Call
  instance: Instance
  file: string
  by: string
  if_sha256?: string | undefined
}

/** Revises a document whose writer and path were already checked. */
export async function reviseFile(context: Context, want: RevisedFile): Promise<ChangedDocument> {
  const { call, instance, file, by } = want
  if (await isAnswered(context, call)) {
    return commit(context, call, async () => {
      throw new Error('the answer is there')
    })
  }
  return context.instanceFiles.alone(instance, async (files) => {
    await undoUnknown(context, files)
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const was = files.read(file)
      const former = was === null ? '' : await context.digest(was)
      mustBeAsSeen(want.if_sha256, former, file)
      const text = want.next(was, file)
      const sha256 = text === null ? '' : await context.digest(text)
      const revision_id = context.makeId('thread')
      const change = { instance, file, change: want.change, by, revision_id }
      files.note({ revision_id, file, was, sha256 })
      try {
        if (!put(files, file, was, text)) continue
        return await commit(context, call, (tx) =>
          record(context, tx, change, { text: was, sha256: former }, { text, sha256 }),
        )
      } catch (error) {
        takeBack(() => put(files, file, text, was))
        throw error
      } finally {
        files.note(null)
      }
    }
    const said = `${quote(file)} is being changed by others all the time; try again`
    throw new Refusal('busy', said, { file })
  })
}

/** Undoes the noted change if the store doesn't know its revision; see (4) above. */
async function undoUnknown({ store, digest }: Context, files: WritableFiles): Promise<void> {
  const note = files.noted()
  if (note === null) return
  const { revision_id, file, was, sha256 } = note
  if ((await store.rowOf(DOCUMENT_REVISIONS, revision_id)) === null) {
    const text = textThere(files, file)
    const isOurs = text !== undefined && (text === null ? '' : await digest(text)) === sha256
    if (isOurs) takeBack(() => put(files, file, text, was))
  }
  files.note(null)
}

/** Returns undefined if the file isn't a document anymore, because a stale note must not keep others from writing. */
function textThere(files: WritableFiles, file: string): string | null | undefined {
  try {
    return files.read(file)
  } catch {
    // Whatever is there now isn't a document.
    return undefined
  }
}

/** A retry finds the answer of the first call and must not touch the file again. */
export async function isAnswered(context: Context, call: Call): Promise<boolean> {
  const idempotency = await idempotencyOf(context, call)
  return idempotency !== undefined && (await context.store.answered(idempotency)) !== null
}

function put(files: WritableFiles, file: string, was: string | null, text: string | null): boolean {
  if (was === text) return files.read(file) === was
  if (text !== null) return files.replace(file, { was, text })
  return was !== null && files.remove(file, was)
}

/** (3) Even if this fails, the caller gets the store's refusal. */
function takeBack(undo: () => void): void {
  try {
    undo()
  } catch {
    // The next change will find content that isn't a revision, and record it as one.
  }
}

export function mustWrite(instance: Instance, agent: string): void {
  if (isPerson(agent)) return
  if (memberOf(instance, agent) === undefined)
    throw refuse.forbidden`${agent} takes no part in ${instance.instance}, so it may read its documents and not change them`
  if (instance.state === 'running') return
  throw refuse.invalid_state`the run of ${{ instance: instance.instance }} has ended; run it again, or resume it, first`
}

function mustBeAsSeen(seen: string | undefined, now: string, file: string): void {
  if (seen === undefined || seen.toLowerCase() === now) return
  const is = now === '' ? 'is not there' : 'was changed since you read it'
  throw new Refusal(
    'revision_conflict',
    sentence`${quote(file)} ${is}; read it with ${operation('workflow context doc read')}, and write with its digest as ${field('if_sha256')}`,
    { file, sha256: now },
  )
}

type KnownText = { text: string | null; sha256: string }
type DocumentStep = {
  instance: Instance
  file: string
  change: DocumentChange
  by: string
  revision_id: string
}

async function record(
  context: Context,
  tx: Tx,
  { instance: { instance }, file, change, by, revision_id: new_id }: DocumentStep,
  former: KnownText,
  now: KnownText,
): Promise<Omit<ChangedDocument, 'next_event_id'>> {
  // Lock the instance, so that no two revisions get the same number.
  const held = await tx.lockRow(HELD_INSTANCES, instance)
  const last = await tx.revision({ instance, file })
  const at = await tx.now()
  const document = { instance, file, run: held?.run ?? 1 }
  let revision = last?.revision ?? 0
  const add = (
    step: DocumentChange,
    writer: string | null,
    { text, sha256 }: KnownText,
    thread_id: string,
  ) => {
    revision += 1
    const wish = { ...document, thread_id, revision, change: step, by: writer, text, sha256 }
    tx.record(null, revise(wish, stamp(context, at)))
    return thread_id
  }
  const added: number[] = []
  let revision_id = last?.thread_id ?? ''
  // (2) The file was changed from outside.
  if ((last?.sha256 ?? '') !== former.sha256) {
    revision_id = add('outside', null, former, context.makeId('thread'))
    added.unshift(sizeOf(former))
  }
  if (now.sha256 !== former.sha256 || revision_id === '') {
    revision_id = add(change, by, now, new_id)
    added.unshift(sizeOf(now))
  }
  if (added.length > 0) await forgetOld(tx, document, added, at)
  return { instance, file, revision, revision_id, sha256: now.sha256, bytes: sizeOf(now) }
}

function sizeOf({ text }: KnownText): number {
  return text === null ? 0 : bytesOf(text)
}

async function forgetOld(
  tx: Tx,
  document: { instance: string; file: string },
  added: readonly number[],
  at: string,
): Promise<void> {
  const old = tooMany(await tx.keptRevisions(document), added)
  const locked = await tx.lockAll(old.map(({ thread_id }) => thread_id))
  for (const { state } of locked) tx.record(state, forget(state, at))
}
