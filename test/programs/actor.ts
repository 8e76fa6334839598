// Runs orders, one per line: `{id, op, input}` runs an operation and answers. An order can name a point of a write
// where the program stops itself (`hold`, until SIGCONT) or kills itself (`die`, at the n-th visit).

import type { Point } from '../../src/core/store.ts'
import { openClient } from './client.ts'
import { orders, say } from './lines.ts'

export type Order = {
  id: number
  op: string
  input: Record<string, unknown>
  hold?: Point
  die?: { at: Point; visit: number }
}

let order: Order | undefined
let visits = 0

const [address = '', agent = 'lead'] = process.argv.slice(2)
const client = await openClient(address, { ...(agent === '' ? {} : { agent }), onPoint: reach })
say({ ready: true })
for await (const next of orders<Order>()) {
  if (next.op === 'close') break
  void run(next)
}
await client.close()
// The pipe of orders is still open and would keep the process running.
process.exit(0)

function reach(point: Point): void {
  if (order?.hold === point) {
    say({ held: point })
    process.kill(process.pid, 'SIGSTOP')
  }
  if (order?.die?.at === point && ++visits === order.die.visit) {
    process.kill(process.pid, 'SIGKILL')
  }
}

async function run(next: Order): Promise<void> {
  const { id, op, input } = next
  if (next.hold !== undefined || next.die !== undefined) {
    order = next
    visits = 0
  }
  try {
    const call = client[op as 'send'] as (input: object) => Promise<object>
    say({ id, result: await call(input) })
  } catch (error) {
    const { code, message, stack } = error as Error & { code?: string }
    say({ id, refusal: { code: code ?? 'bug', message: code ? message : stack } })
  }
}
