// Formats answers, requests to stop and refusals, for people and for programs.

import { CODES, type Code, refusalIn, visible } from '../../core/error.ts'
import type { AnswerNotes, Stop } from '../../ops/answer-notes.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import type { Io } from './io.ts'
import { typedCommand } from './program.ts'

export async function formatAnswer(
  op: Operation,
  result: AnswerNotes,
  { json, ...how }: { json: boolean; isRaw: boolean; caller: string | undefined },
  io: Io,
): Promise<string> {
  if (json) return `${visible(JSON.stringify({ ok: true, command: op.name, ...result }))}\n`
  const { pageOf } = await import('../../ops/kit/drawing/page.ts')
  const command = (operation: string) => typedCommand(io.program, operation)
  return op.lines(result, pageOf(io, { ...how, command }))
}

/** For standard error, so that programs that only read the result aren't confused. */
export async function formatStop(
  io: Io,
  { id, from, subject, thread_id, about }: Stop,
): Promise<string> {
  const where = await formatForPeople(
    io,
    `(thread ${thread_id}; heard: inbox mail mark-read --message ${id})`,
  )
  const { oneLine } = await import('../../ops/kit/drawing/text.ts')
  const what = { agent: '', thread: ' this thread', agent_run: ' this agent run' }[about]
  return `${io.program}: STOP${what}, ${oneLine(from)} says: ${oneLine(subject)} ${where}\n`
}

/** Off a terminal, print full ids and absolute times. */
export async function formatForPeople(io: Io, text: string): Promise<string> {
  if (!io.isWatched()) return text
  const { readable } = await import('../../ops/kit/drawing/text.ts')
  return readable(text, io.now())
}

export async function report(io: Io, error: unknown, json: boolean): Promise<number> {
  const refusal = refusalIn(error)
  const code: Code = refusal?.code ?? 'internal'
  const message =
    refusal?.message ?? 'something went wrong inside; set INBOX_DEBUG=1 to see where, and report it'
  if (json) {
    const error = { code, message, ...refusal?.details }
    io.out(`${visible(JSON.stringify({ ok: false, error }))}\n`)
  } else io.err(`${io.program}: ${await formatForPeople(io, visible(message))}\n`)
  if (refusal === undefined && io.env.debug) io.err(`${(error as Error)?.stack ?? String(error)}\n`)
  return CODES[code].exit
}
