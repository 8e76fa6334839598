// Says something in a channel for somebody who waits for the answer: it tells whom nobody will start for it, and which
// names are nobody's.

import type { Tx } from '../../core/store.ts'
import { type SpeakWish, type SpokenEntry, sayTo } from '../../core/workflows/say.ts'
import { warnOfNames } from '../agents/strangers.ts'
import { type NotWoken, notWoken } from '../inbox/not-woken.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'

export type SpokenNotes = NotWoken & { warning?: string }

export async function speak(
  context: Context,
  tx: Tx,
  wish: SpeakWish,
): Promise<{ said: SpokenEntry; notes: SpokenNotes }> {
  const said = await sayTo(tx, wish, (now) => stamp(context, now))
  const { strangers, names, event } = said
  const sleeping = await notWoken(tx, event, event.at)
  const warning = warnOfNames(strangers, names)
  return { said, notes: { ...sleeping, ...(warning === undefined ? {} : { warning }) } }
}
