// Pushes from an entries file. What is there already is left alone, so the same file may come again; and
// what was deleted here stays deleted.

import { USER } from '../core/agent.ts'
import { refuse } from '../core/error.ts'
import { SYSTEM } from '../core/event.ts'
import { push } from '../core/push.ts'
import type { Tx } from '../core/store.ts'
import { type BroughtEntry, entryJson, parseEntryLine } from './entry-line.ts'
import type { Imported } from './import.ts'
import { introduceAll } from './introduce.ts'
import { type Context, moment } from './operation.ts'
import { everyone } from './push.ts'
import { mustBeUsable } from './rejects.ts'

const BATCH = 200

type Numbered = { number: number; line: string; entry: BroughtEntry }
type Outcome = { added: number; known: number; conflicts: (Numbered & { why: string })[] }

export async function importEntries(context: Context): Promise<Imported> {
  const { store, files } = context
  if (files === undefined) throw refuse('invalid_input', 'import reads files; use the shell')
  const rejected: Imported['rejected'] = []
  const messages = { added: 0, known: 0 }
  let batch: Numbered[] = []
  let number = 0
  const aside: string[] = []
  // Kept until one line is good: of a file that holds no entries, nothing is written anywhere.
  const reject = ({ number, line }: Omit<Numbered, 'entry'>, why: string) => {
    rejected.push({ line: number, why })
    if (files.mostRejects === undefined) aside.push(line)
    mustBeUsable(rejected, files)
  }
  const flush = async () => {
    if (batch.length === 0) return
    const lines = batch
    batch = []
    const { value } = await store.write((tx) => bringAll(context, tx, lines))
    messages.added += value.added
    messages.known += value.known
    for (const one of value.conflicts) reject(one, one.why)
    for (const line of aside.splice(0)) files.setAside(line)
  }
  for await (const line of files.lines()) {
    number += 1
    if (line.trim() === '') continue
    try {
      batch.push({ number, line, entry: parseEntryLine(line) })
    } catch (error) {
      reject({ number, line }, (error as Error).message)
    }
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  if (messages.added + messages.known === 0 && rejected.length > 0) throw noEntries(rejected)
  for (const line of aside) files.setAside(line)
  rejected.sort((a, b) => a.line - b.line)
  return {
    events: messages.added,
    messages,
    rejected,
    set_aside_in: rejected.length === 0 ? null : files.aside,
    next_event_id: await store.lastEventId(),
  }
}

function noEntries([first]: Imported['rejected']) {
  return refuse(
    'invalid_input',
    `nothing in it could be imported (line ${first?.line}: ${first?.why}); name a file made with 'inbox export --as entries'`,
  )
}

async function bringAll(context: Context, tx: Tx, lines: Numbered[]): Promise<Outcome> {
  await tx.lockAgents()
  const [now, recipients, all] = await Promise.all([tx.now(), everyone(tx), tx.workspaces()])
  const defaults = new Map(
    all.flatMap((one) => (one.removed_at === null ? [[one.workspace_id, one.default_agent]] : [])),
  )
  const outcome: Outcome = { added: 0, known: 0, conflicts: [] }
  const names = new Set<string>()
  /** As they came in this batch: what is recorded is not in the tables yet. */
  const brought = new Map<string, string>()
  for (const one of lines) {
    const { entry } = one
    const from = entry.agent ?? defaults.get(entry.workspace_id) ?? SYSTEM
    const here = await whatIsHere(tx, one, brought)
    if (here !== 'nothing') {
      if (here === 'same') outcome.known += 1
      else outcome.conflicts.push({ ...one, why: here })
      continue
    }
    const { workspace_id, workspace_label, form, words, created_at } = entry
    const want = { entry_id: entry.id, from, recipients, workspace_id, workspace_label, form }
    tx.record(null, push({ ...want, words, made_at: created_at }, moment(context, now, words)))
    brought.set(entry.id, lineOf(entry, from))
    outcome.added += 1
    if (from !== SYSTEM) names.add(from)
  }
  await introduceAll(tx, [...names], { by: context.caller.agent ?? USER, now })
  return outcome
}

/** `same`, `nothing`, or why it cannot come in. */
async function whatIsHere(
  tx: Tx,
  { entry }: Numbered,
  brought: ReadonlyMap<string, string>,
): Promise<string> {
  const conflict = `${entry.id} is here with other words`
  const before = brought.get(entry.id)
  if (before !== undefined) {
    const { agent } = JSON.parse(before) as { agent?: string }
    return before === lineOf(entry, entry.agent ?? agent ?? SYSTEM) ? 'same' : conflict
  }
  const [row, first] = await Promise.all([tx.pushRow(entry.id), tx.asking(entry.id)])
  if (row !== null && first !== null) {
    const { from_agent, body, payload_json, artifacts } = first
    const here = entryJson({ ...row, from_agent, body, payload_json, artifacts })
    return here === lineOf(entry, entry.agent ?? from_agent) ? 'same' : conflict
  }
  const thread = (await tx.thread(entry.id))?.thread
  if (thread === undefined) return 'nothing'
  return thread.kind === 'push' ? 'same' : `${entry.id} is here as a thread of ${thread.kind}`
}

function lineOf(entry: BroughtEntry, from_agent: string): string {
  const { id: thread_id, words, ...rest } = entry
  const { body, payload_json, artifacts } = words
  return entryJson({ ...rest, thread_id, from_agent, body, payload_json, artifacts })
}
