// An agent of a workflow that says one thing after the other, however often it is refused.

import { openMailroom } from '../../src/bin/compose.ts'
import { sayTo } from '../../src/core/channels/say.ts'

const { INBOX_DB = '', INBOX_AGENT: from = '', INBOX_INSTANCE: instance = '' } = process.env
const { store, makeId, close } = await openMailroom(INBOX_DB)
let said = 0
let refused = 0
for (let number = Number(process.argv[2]); number > 0; number -= 1) {
  const stamp = (now: string) => ({ now, messageId: makeId('message'), artifactIds: [] })
  try {
    await store.write((tx) => sayTo(tx, { instance, from, text: `number ${number}` }, stamp))
    said += 1
  } catch {
    refused += 1
  }
}
await close()
console.log(`said ${said}, refused ${refused}`)
