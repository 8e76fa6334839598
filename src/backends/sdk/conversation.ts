// The conversation of an agent, kept in a file in its private folder and continued in its next turn. Only successful
// turns are kept: after any other turn, the agent gets the same mail again and would otherwise see it twice.

import fs from 'node:fs'
import { join } from 'node:path'
import type { ModelMessage } from 'ai'

export type Conversation = { session: string; messages: ModelMessage[] }

const FILE = 'conversation.json'
const PRIVATE = 0o600
/** About 100,000 tokens. Whole turns are dropped, oldest first, until the conversation fits. */
const MOST_CHARACTERS = 400_000
const MOST_BYTES = 8 * 1024 * 1024

/** The conversation of this session, or a new one if it can't be read. */
export function openConversation(folder: string, session: string | null): Conversation {
  const kept = session === null ? undefined : readKept(join(folder, FILE))
  if (kept !== undefined && kept.session === session) return kept
  return { session: crypto.randomUUID(), messages: [] }
}

function readKept(path: string): Conversation | undefined {
  try {
    if (fs.statSync(path).size > MOST_BYTES) return undefined
    const { session, messages } = JSON.parse(fs.readFileSync(path, 'utf8')) as Conversation
    return typeof session === 'string' && Array.isArray(messages)
      ? { session, messages }
      : undefined
  } catch {
    // If the file is missing or damaged, the agent loses its memory but not its turn.
    return undefined
  }
}

/** Replaces the file atomically: a process that dies midway leaves the old one in place. */
export function keepConversation(folder: string, { session, messages }: Conversation): void {
  const path = join(folder, FILE)
  const fresh = `${path}.${crypto.randomUUID()}`
  const text = JSON.stringify({ session, messages: keepNewest(messages) })
  fs.writeFileSync(fresh, text, { mode: PRIVATE, flag: 'wx' })
  fs.renameSync(fresh, path)
}

/**
 * Returns the newest turns that fit. A turn begins with the agent's input, so no tool result is kept without its call.
 * If even the newest turn doesn't fit, only its first and last messages are kept.
 */
export function keepNewest(
  messages: readonly ModelMessage[],
  most: number = MOST_CHARACTERS,
): ModelMessage[] {
  const turns = turnsIn(messages)
  const kept: ModelMessage[][] = []
  let size = 0
  for (const turn of turns.toReversed()) {
    size += JSON.stringify(turn).length
    if (size > most) break
    kept.unshift(turn)
  }
  if (kept.length > 0) return kept.flat()
  const last = turns.at(-1) ?? []
  const ends = [last[0], last.at(-1)].filter((one) => one !== undefined)
  const isTold = ends.length === 2 && ends[1]?.role === 'assistant'
  return isTold && JSON.stringify(ends).length <= most ? ends : []
}

function turnsIn(messages: readonly ModelMessage[]): ModelMessage[][] {
  const turns: ModelMessage[][] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return turns
}
