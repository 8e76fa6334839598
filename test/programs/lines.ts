// Reads and writes one JSON value per line. The write is synchronous, so a line isn't lost if the program is killed
// right after it.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

export function say(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}

export async function* orders<Order>(): AsyncGenerator<Order> {
  for await (const line of createInterface({ input: process.stdin })) yield JSON.parse(line)
}

/** Reports that it is ready and waits for the start signal, so that many programs begin together. */
export async function readyThenGo(): Promise<void> {
  say({ ready: true })
  for await (const _ of orders()) return
}
