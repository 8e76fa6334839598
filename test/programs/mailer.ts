// Writes to one address a number of times, and prints who received each message.

import { openClient } from './client.ts'
import { readyThenGo, say } from './lines.ts'

export type Mailed = { id: string; recipient: string }

const [address = '', agent = '', to = '', times = '1'] = process.argv.slice(2)
const client = await openClient(address, { agent })
await readyThenGo()
for (let i = 0; i < Number(times); i++) {
  const { message, recipients } = await client.mailSend({ to, body: `${agent} ${i}` })
  say({ id: message?.id ?? '', recipient: recipients.join() } satisfies Mailed)
}
await client.close()
process.exit(0)
