// Says a text that is too long for an entry: the rest becomes a document first, so that nobody finds an entry that names
// none. If the entry is refused, the document goes again.

import { SYSTEM } from '../../core/event.ts'
import { nameIn } from '../../core/workflows/channel.ts'
import type { Instance } from '../../core/workflows/instance.ts'
import { cutLong } from '../../core/workflows/long-text.ts'
import type { Call } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { isAnswered, mustWrite, reviseFile } from './document-change.ts'

type LongEntry = { call: Call; instance: Instance; from: string; text: string }

const NAME_LETTERS = 8

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
    // The refusal of the entry is what the caller must hear.
    await reviseFile(context, going).catch(() => {})
    throw error
  }
}

/** The writer, and letters of chance: two long entries at once have two documents. */
function restFile({ makeId }: Context, { instance }: Instance, from: string): string {
  const name = nameIn(from, instance).replace(/[^A-Za-z0-9_-]/g, '-')
  return `entries/${name}-${makeId('message').slice(-NAME_LETTERS)}.md`
}
