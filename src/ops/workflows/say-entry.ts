// Writes an entry to a channel for a caller that waits for the answer. If the text is too long for an entry, the
// remainder becomes a document first, so that the entry never names a missing document.

import { SYSTEM } from '../../core/event.ts'
import type { Tx } from '../../core/store.ts'
import { cutLong, nameIn } from '../../core/workflows/channel.ts'
import type { Instance } from '../../core/workflows/instance.ts'
import { type SpeakWish, type SpokenEntry, sayTo } from '../../core/workflows/say.ts'
import { warnOfNames } from '../agents/strangers.ts'
import { listNotWoken, type NotWoken } from '../inbox/not-woken.ts'
import { type Call, stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { isAnswered, mustWrite, reviseFile } from './document-change.ts'

type LongEntry = { call: Call; instance: Instance; from: string; text: string }

const NAME_LETTERS = 8

/** If the entry is refused, removes the document again. */
export async function withRest<R>(
  context: Context,
  { call, instance, from, text }: LongEntry,
  say: (shown: string) => Promise<R>,
): Promise<R> {
  const file = restFile(context, instance, from)
  const { shown, rest } = cutLong(text, file)
  if (await isAnswered(context, call)) return say(shown)
  if (from !== SYSTEM) mustWrite(instance, from)
  const document = { instance, file, by: from }
  const own = { op: 'the rest of an entry', agent: from, input: {} }
  await reviseFile(context, { ...document, call: own, change: 'create', next: () => rest })
  try {
    return await say(shown)
  } catch (error) {
    const going = { ...document, call: own, change: 'delete', next: () => null } as const
    // The caller gets the refusal of the entry, even if this fails.
    await reviseFile(context, going).catch(() => {})
    throw error
  }
}

/** Includes random letters, so that two long entries written at the same time get separate documents. */
function restFile({ makeId }: Context, { instance }: Instance, from: string): string {
  const name = nameIn(from, instance).replace(/[^A-Za-z0-9_-]/g, '-')
  return `entries/${name}-${makeId('message').slice(-NAME_LETTERS)}.md`
}

export type SpokenNotes = NotWoken & { warning?: string }

/** Writes the entry. The notes list agents that no broker will start, and mentioned names that don't exist. */
export async function sayEntry(
  context: Context,
  tx: Tx,
  wish: SpeakWish,
): Promise<{ said: SpokenEntry; notes: SpokenNotes }> {
  const said = await sayTo(tx, wish, (now) => stamp(context, now))
  const { strangers, names, event } = said
  const sleeping = await listNotWoken(tx, event, event.at)
  const warning = warnOfNames(strangers, names)
  return { said, notes: { ...sleeping, ...(warning === undefined ? {} : { warning }) } }
}
