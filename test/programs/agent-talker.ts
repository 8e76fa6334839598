// An agent of a workflow that writes one entry after another, even when refused.

import { openMailroom } from '../../src/bin/compose.ts'
import { sayTo } from '../../src/core/workflows/say.ts'

const { INBOX_DB = '', INBOX_AGENT: from = '', INBOX_INSTANCE: instance = '' } = process.env
const [number = '', ...called] = process.argv.slice(2)
const { store, makeId, close } = await openMailroom(INBOX_DB)
let said = 0
let refused = 0
for (let left = Number(number); left > 0; left -= 1) {
  const stamp = (now: string) => ({ now, messageId: makeId('message'), artifactIds: [] })
  try {
    await store.write((tx) =>
      sayTo(tx, { instance, from, text: ['number', left, ...called].join(' ') }, stamp),
    )
    said += 1
  } catch {
    refused += 1
  }
}
await close()
console.log(`said ${said}, refused ${refused}`)
