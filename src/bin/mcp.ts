import { serveOverStdio } from '../doors/mcp/stdio.ts'
import { mayMakeStore, type Operation } from '../ops/kit/operation.ts'
import type { SpeakMcp } from '../ops/kit/shell.ts'
import { findMailroom, lookAtMailroom, type Mailroom, openMailroom } from './compose.ts'
import { VERSION } from './version.gen.ts'

export type StorePlace = {
  address: string
  onCreate: (place: string) => void
  mailroom?: Mailroom
}

/** Opens the store on the first tool call that needs it, and creates it on the first that stores something. */
export async function speakMcp(
  { address, onCreate, mailroom: here }: StorePlace,
  { principal, sets, origin, signal }: Parameters<SpeakMcp>[0],
): Promise<void> {
  let opened: Promise<Mailroom | null> = Promise.resolve(here ?? null)
  const houseOf = ({ close: _, ...mailroom }: Mailroom) => ({
    ...mailroom,
    ...(origin && { origin }),
  })
  // Calls wait for each other here, so that the store is opened once.
  const reach = (way: () => Promise<Mailroom | null>) => {
    opened = opened.then((mailroom) => mailroom ?? way(), way)
    return opened
  }
  const lookIn = async () => {
    const mailroom = await reach(() => findMailroom(address))
    return mailroom === null ? null : houseOf(mailroom)
  }
  const make = async () => (await reach(() => openMailroom(address, { onCreate }))) as Mailroom
  let empty: Promise<Mailroom> | undefined
  const enter = async (op: Operation, input: object) => {
    const there = await lookIn()
    if (there !== null) return there
    if (mayMakeStore(op, input)) return houseOf(await make())
    empty ??= lookAtMailroom(address)
    return houseOf(await empty)
  }
  const serving = { principal, sets, enter, lookIn, version: VERSION, report }
  try {
    await serveOverStdio(serving, [process.stdin, process.stdout], signal)
  } finally {
    await (await opened.catch(() => null))?.close()
    await (await empty)?.close()
  }
}

/** Standard output belongs to the protocol, so errors are shown only on request. */
function report(error: unknown): void {
  if (process.env.INBOX_DEBUG === '1') {
    console.error(`inbox mcp: ${(error as Error)?.stack ?? String(error)}`)
  }
}
