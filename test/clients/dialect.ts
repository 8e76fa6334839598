// How vendors' programs talk to their models: only the parts that scripts need, with one file per vendor.

import { randomUUID } from 'node:crypto'
import type { Heard, ToolAnswer } from './model.ts'

export type Body = Record<string, unknown>

export type Dialect = {
  /** Whether this is a turn of the conversation, not one of the program's side requests. */
  isTurn: (path: string, body: Body) => boolean
  heard: (body: Body) => Heard
  /** Like `call`, returns a complete response stream. */
  say: (text: string, body: Body) => string
  call: (tool: string, args: object, body: Body) => string
  /** Answers the client's other requests. */
  other: (path: string) => object
}

export type Block = { type?: string; text?: string; content?: string | Block[] }

/** Formats a stream of events that are named by their type. */
export function namedEvents(events: { type: string }[]): string {
  return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
}

export function plainEvents(events: object[]): string {
  return events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
}

/** Returns what follows the model's last message. */
export function sinceOwn<T>(all: T[], isOwn: (one: T) => boolean): T[] {
  return all.slice(all.findLastIndex(isOwn) + 1)
}

export function textOf({ text, content }: Block): string {
  if (text !== undefined) return text
  return typeof content === 'string' ? content : (content ?? []).map(textOf).join('\n')
}

/** The last JSON is the tool's result. Our note comes before it. */
export function answerIn(texts: string[]): ToolAnswer {
  const lines = texts.flatMap((text) => [text, ...text.split('\n')])
  const found = lines.map(parsed).findLast((value) => value !== undefined)
  if (found === undefined) return {}
  // In programs that show the model text, our note comes before the JSON.
  const words = texts
    .join('\n')
    .split('\n')
    .filter((line) => parsed(line) === undefined)
  return { note: words.join(' ').trim(), ...found }
}

function parsed(text: string): ToolAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

/** Programs rename our tools, but the new names end with ours. */
export function offered(names: string[], tool: string): string {
  const found = names.find((name) => name === tool || name.endsWith(`_${tool}`))
  if (found === undefined) throw new Error(`no tool ${tool} was offered; only ${names.join(', ')}`)
  return found
}

export function makeId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24)
}
