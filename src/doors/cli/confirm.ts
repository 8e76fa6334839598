// Asks a person at a terminal before something is done: shows what it is about, and waits for y or n.

import { call, type Enter } from '../../ops/call.ts'
import { pageOf } from '../../ops/kit/drawing/page.ts'
import type { Confirm } from '../../ops/kit/for-doors.ts'
import type { Io } from './io.ts'

type Confirmation = { enter: Enter; agent: string | undefined; isSure: boolean; isRaw: boolean }

/** The input with what was shown filled in; null if the person said no. */
export async function confirmed(
  io: Io,
  { field, shows, shownWith, asks }: Confirm,
  raw: Record<string, unknown>,
  { enter, agent, isSure, isRaw }: Confirmation,
): Promise<Record<string, unknown> | null> {
  const op = await shows()
  const { signal } = new AbortController()
  const seen = await call(enter, { op, raw: shownWith(raw), agent, door: 'cli', signal })
  io.out(await op.lines(seen.result, pageOf(io, { isRaw })))
  await seen.settle()
  const { value, question } = asks(seen.result, raw)
  if (isSure) return { ...raw, [field]: value }
  // Keys are heard before the question is there, so that none of them is taken for anything else.
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
