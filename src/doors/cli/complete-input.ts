// Fills in input that the command line alone doesn't determine: which field a lone argument belongs to, and whether the
// person at the terminal agrees. Loaded only when a command line needs it.

import { Refusal, refuse } from '../../core/error.ts'
import { prefixOf, rangeOf } from '../../core/short-id.ts'
import { call, callDirectly, type Enter } from '../../ops/call.ts'
import { pageOf } from '../../ops/kit/drawing/page.ts'
import type { Confirm } from '../../ops/kit/for-doors.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { show } from '../../ops/threads/show.ts'
import type { Io } from './io.ts'
import type { ShellInput } from './run.ts'

export type StoreCaller = { enter: Enter; agent: string | undefined }

/**
 * In `inbox done fixed`, the argument could be the thread or the text. It's taken as the text, because the text is
 * required. If it names a thread, however, the command is refused for its missing text.
 */
export async function placeLoneWord(
  raw: ShellInput,
  word: string,
  { enter, agent }: StoreCaller,
): Promise<ShellInput> {
  const asText = { ...raw, thread: undefined, summary: word }
  if (prefixOf(word) !== undefined) return raw
  if (rangeOf(word) === undefined) return asText
  const { signal } = new AbortController()
  const op = show as unknown as Operation
  try {
    const want = { op, raw: { thread: word }, agent, door: 'cli', signal } as const
    await callDirectly(enter, want)
    return raw
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    if (error.details.is_other !== undefined) throw error
    if (!/\d/.test(word)) return asText
    throw refuse.not_found`there is no thread ${word}; if it is the text, write --summary before it`
  }
}

/** Shows what's to be decided and waits for y or n. Returns the input with what was shown, or null for no. */
export async function askToConfirm(
  io: Io,
  { field, shows, shownWith, asks }: Confirm,
  raw: ShellInput,
  { enter, agent, isSure, isRaw }: StoreCaller & { isSure: boolean; isRaw: boolean },
): Promise<ShellInput | null> {
  const op = await shows()
  const { signal } = new AbortController()
  const seen = await call(enter, { op, raw: shownWith(raw), agent, door: 'cli', signal })
  io.out(await op.lines(seen.result, pageOf(io, { isRaw })))
  await seen.afterAnswer()
  const { value, question } = asks(seen.result, raw)
  if (isSure) return { ...raw, [field]: value }
  // Listen before asking, so that a key pressed immediately isn't lost.
  const pressed = nextKey(io)
  io.out(`${question} [y/N] `)
  const isYes = /^y$/i.test(await pressed)
  io.out(isYes ? 'y\n' : 'n\n')
  return isYes ? { ...raw, [field]: value } : null
}

function nextKey(io: Io): Promise<string> {
  return new Promise((resolve) => {
    const end = io.onKey((key) => {
      end()
      resolve(key)
    })
  })
}
