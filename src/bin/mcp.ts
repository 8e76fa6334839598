// MCP on this process's own standard input and output.

import { serveOverStdio } from '../doors/mcp/stdio.ts'
import type { Operation, Writes } from '../ops/kit/operation.ts'
import type { SpeakMcp } from '../ops/kit/shell.ts'
import { writesOf } from '../ops/kit/writes.ts'
import { type Mailroom, openMailroom } from './compose.ts'
import { findMailroom } from './find.ts'
import { VERSION } from './version.gen.ts'

export type StorePlace = {
  address: string
  onCreate: (place: string) => void
  /** If it is open. */
  mailroom?: Mailroom
}

/** The store is opened when something of it is asked for, and made when a tool is to keep something in it. */
export async function speakMcp(
  { address, onCreate, mailroom: here }: StorePlace,
  { principal, sets, origin, signal }: Parameters<SpeakMcp>[0],
): Promise<void> {
  let opened: Promise<Mailroom | null> = Promise.resolve(here ?? null)
  const houseOf = ({ close: _, ...mailroom }: Mailroom) => ({
    ...mailroom,
    ...(origin && { origin }),
  })
  // One after the other, whoever asks: a store is opened once.
  const reach = (way: () => Promise<Mailroom | null>) => {
    opened = opened.then((mailroom) => mailroom ?? way(), way)
    return opened
  }
  const lookIn = async () => {
    const mailroom = await reach(() => findMailroom(address))
    return mailroom === null ? null : houseOf(mailroom)
  }
  const make = async () => (await reach(() => openMailroom(address, { onCreate }))) as Mailroom
  const later = new Map<Writes, Promise<Mailroom>>()
  const enter = async (op: Operation, input: object) => {
    const writes = writesOf(op, input)
    const there = await lookIn()
    if (there !== null) return there
    const { storeToBe } = await import('./store-to-be.ts')
    const mailroom = later.get(writes) ?? storeToBe(address, writes, make)
    later.set(writes, mailroom)
    return houseOf(await mailroom)
  }
  const serving = { principal, sets, enter, lookIn, version: VERSION, report }
  try {
    await serveOverStdio(serving, [process.stdin, process.stdout], signal)
  } finally {
    await (await opened.catch(() => null))?.close()
    for (const mailroom of later.values()) await (await mailroom).close()
  }
}

/** Standard output is the protocol's. What went wrong is for whoever asked to see it. */
function report(error: unknown): void {
  if (process.env.INBOX_DEBUG === '1') {
    console.error(`inbox mcp: ${(error as Error)?.stack ?? String(error)}`)
  }
}
