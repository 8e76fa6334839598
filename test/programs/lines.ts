// One JSON value a line, out and in. Out by a plain write: a program that is killed a moment later has
// still said it.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

export function say(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}

export async function* orders<Order>(): AsyncGenerator<Order> {
  for await (const line of createInterface({ input: process.stdin })) yield JSON.parse(line)
}

/** Says that it is ready and waits for the start, so that many programs begin together. */
export async function readyThenGo(): Promise<void> {
  say({ ready: true })
  for await (const _ of orders()) return
}
