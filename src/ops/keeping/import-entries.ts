// Imports pushes from an entries file. Pushes the store already has are left alone, so importing a file twice is
// harmless. A push that was deleted here stays deleted.

import { USER } from '../../core/agents/agent.ts'
import { operation } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { isPush, push } from '../../core/pushes/push.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import type { Tx } from '../../core/store.ts'
import { introduceAll } from '../agents/introduce.ts'
import { stamp } from '../kit/commit.ts'
import type { Files } from '../kit/files.ts'
import type { Context } from '../kit/operation.ts'
import { entryJson, type ImportedEntry, parseEntryLine } from './entry-line.ts'
import { linesOf } from './file-lines.ts'
import type { ImportAnswer } from './import.ts'
import { type BatchOutcome, importBatches, type ParsedLine } from './import-lines.ts'

type EntryLine = ParsedLine<ImportedEntry>

export function importEntries(context: Context, files: Files): Promise<ImportAnswer> {
  return importBatches(context, files, {
    lines: linesOf(files.read()),
    parse: parseEntryLine,
    bring: (tx, lines) => bringAll(context, tx, lines),
    madeWith: operation('export', { as: 'entries' }),
  })
}

async function bringAll(
  context: Context,
  tx: Tx,
  lines: EntryLine[],
): Promise<BatchOutcome<ImportedEntry>> {
  await tx.lockRecords()
  const [now, recipients, all] = await Promise.all([tx.now(), tx.people(), tx.workspaces()])
  const defaults = new Map(
    all.flatMap((one) => (one.removed_at === null ? [[one.workspace_id, one.default_agent]] : [])),
  )
  const told = { by: context.caller.agent ?? USER, now }
  const outcome: BatchOutcome<ImportedEntry> = { added: 0, known: 0, conflicts: [] }
  const names = new Set<string>()
  /** The pushes imported earlier in this batch, which aren't in the tables yet. */
  const brought = new Map<string, string>()
  for (const one of lines) {
    const entry = one.value
    const from = entry.agent ?? defaults.get(entry.workspace_id) ?? SYSTEM
    const here = await whatIsHere(tx, entry, brought)
    if (here !== 'nothing') {
      if (here === 'same') outcome.known += 1
      else outcome.conflicts.push({ ...one, why: here })
      continue
    }
    const { workspace_id, workspace_label, form, words, created_at } = entry
    const want = { entry_id: entry.id, from, recipients, workspace_id, workspace_label, form }
    const made = { made_at: created_at, imported_by: told.by }
    tx.record(null, push({ ...want, words, made }, stamp(context, now, words)))
    brought.set(entry.id, lineOf(entry, from))
    outcome.added += 1
    if (from !== SYSTEM) names.add(from)
  }
  await introduceAll(tx, [...names], told)
  return outcome
}

/** Returns `same`, `nothing` or the reason why the line can't be imported. */
async function whatIsHere(
  tx: Tx,
  entry: ImportedEntry,
  brought: ReadonlyMap<string, string>,
): Promise<string> {
  const conflict = `${entry.id} already exists with different content`
  const before = brought.get(entry.id)
  if (before !== undefined) {
    const { agent } = JSON.parse(before) as { agent?: string }
    return before === lineOf(entry, entry.agent ?? agent ?? SYSTEM) ? 'same' : conflict
  }
  const [row, first] = await Promise.all([tx.rowOf(PUSHES, entry.id), tx.asking(entry.id)])
  if (row !== null && first !== null) {
    const { from_agent, body, payload_json, artifacts } = first
    const here = entryJson({ ...row, from_agent, body, payload_json, artifacts })
    return here === lineOf(entry, entry.agent ?? from_agent) ? 'same' : conflict
  }
  const thread = (await tx.thread(entry.id))?.thread
  if (thread === undefined) return 'nothing'
  return isPush(thread) ? 'same' : `${entry.id} is here as a thread of ${thread.kind}`
}

function lineOf(entry: ImportedEntry, from_agent: string): string {
  const { id: thread_id, words, ...rest } = entry
  const { body, payload_json = '{}', artifacts = [] } = words
  return entryJson({ ...rest, thread_id, from_agent, body, payload_json, artifacts })
}
