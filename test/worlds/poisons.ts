// Lines that no store could have written, mixed into a real log.

import { expect } from 'bun:test'

type Entry = { event: Record<string, unknown>; message?: Record<string, unknown> }
export type Poison = (entry: Entry) => void

/** Changes facts of the event. */
export const facts =
  (change: object): Poison =>
  ({ event }) => {
    event.payload_json = JSON.stringify({ ...JSON.parse(String(event.payload_json)), ...change })
  }

export const event =
  (key: string, value: unknown): Poison =>
  (entry) => {
    entry.event[key] = value
  }

export const message =
  (key: string, value: unknown): Poison =>
  (entry) => {
    entry.message = { ...entry.message, [key]: value }
  }

/** The log with each bad line just before the first good one of its type, and the bad lines alone. */
export function poisoned(log: string, poisons: readonly [string, Poison][]) {
  const [header, ...lines] = log.trimEnd().split('\n')
  const left = [...poisons]
  const bad: string[] = []
  const mixed = lines.flatMap((line) => {
    const { event_type } = (JSON.parse(line) as Entry).event
    const own = left.filter(([type]) => type === event_type)
    for (const one of own) left.splice(left.indexOf(one), 1)
    const spoiled = own.map(([, poison]) => {
      const entry = JSON.parse(line) as Entry
      poison(entry)
      return JSON.stringify(entry)
    })
    bad.push(...spoiled)
    return [...spoiled, line]
  })
  // Each line was inserted.
  expect(left).toEqual([])
  return { mixed: `${[header, ...mixed].join('\n')}\n`, bad }
}
