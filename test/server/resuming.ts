// Readers of the event stream that keep leaving and reconnecting while others write, on both engines, and alternating
// between servers. Each must get exactly the events that a permanent reader gets, in order.

import { expect } from 'bun:test'
import { type Heard, listen, op, type Running } from './serving.ts'

const WRITERS = 4
/** A soak test multiplies the number of reconnects. */
const MORE = Number(process.env.MAILROOM_RESUMES ?? 1)

export async function comeBackWhileOthersWrite(
  servers: readonly Running[],
  { readers, times }: { readers: number; times: number },
): Promise<void> {
  const at = (n: number) => servers[n % servers.length] as Running
  const send = async (n: number, subject: string) => {
    const { body } = await op(at(n), 'send', { to: 'worker', subject }, { as: 'lead' })
    return Number(body.next_event_id)
  }
  const start = await send(0, 'The beginning')
  let isEnough = false
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = writer; !isEnough; n += 1) await send(n, `News ${n}`)
  })

  /** Stays for a varying number of events, and returns those that arrived before it left. */
  const visit = async (
    server: Running,
    { after, as }: { after: number; as: string | undefined },
    enough: (heard: Heard[]) => boolean,
  ) => {
    const headers = { 'last-event-id': String(after) }
    const stream = await listen(server, '', as === undefined ? { headers } : { headers, as })
    await stream.until(enough)
    const taken = [...stream.heard]
    stream.leave()
    return taken
  }
  const isOver = (heard: Heard[]) => heard.some(({ data }) => data.summary === 'The end')

  const reading = Array.from({ length: readers }, async (_, reader) => {
    // An agent's events are read with a different query than all events.
    const as = reader % 2 === 0 ? undefined : 'worker'
    const heard: Heard[] = []
    const go = async (n: number, enough: (heard: Heard[]) => boolean) => {
      const after = heard.at(-1)?.id ?? start
      heard.push(...(await visit(at(reader + n), { after, as }, enough)))
    }
    for (let n = 0; n < times * MORE; n += 1) await go(n, ({ length }) => length > n % 4)
    return { as, heard, go }
  })
  const found = await Promise.all(reading)
  isEnough = true
  await Promise.all(writing)
  await send(0, 'The end')
  for (const { as, heard, go } of found) {
    if (!isOver(heard)) await go(0, isOver)
    const stayed = await visit(at(0), { after: start, as }, isOver)
    const line = ({ id, event }: Heard) => `${event} ${id}`
    expect(heard.map(line)).toEqual(stayed.map(line))
  }
}
