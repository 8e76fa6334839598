// One word where a thread may be left out and a text follows: `inbox done fixed`. As the thread it would leave nothing
// said, so it is the text, unless it names a thread. Loaded only for such a command line.

import { Refusal, refuse } from '../../core/error.ts'
import { prefixOf, rangeOf } from '../../core/short-id.ts'
import { call, type Enter } from '../../ops/call.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { show } from '../../ops/threads/show.ts'

type Raw = Record<string, unknown>

/** The input with the word in its place. A word that names a thread stays, and the text is refused as missing. */
export async function placed(
  raw: Raw,
  word: string,
  { enter, agent }: { enter: Enter; agent: string | undefined },
): Promise<Raw> {
  const asText = { ...raw, thread: undefined, summary: word }
  if (prefixOf(word) !== undefined) return raw
  if (rangeOf(word) === undefined) return asText
  const { signal } = new AbortController()
  const op = show as unknown as Operation
  try {
    const asked = { op, raw: { thread: word }, agent, door: 'cli', signal } as const
    await (await call(enter, asked)).settle()
    return raw
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    if (error.details.is_other !== undefined) throw error
    if (!/\d/.test(word)) return asText
    throw refuse(
      'not_found',
      `there is no thread ${word}; if it is the text, write --summary before it`,
    )
  }
}
