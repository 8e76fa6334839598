// Opens the given stores, one after the other, and prints the results.

import { connect } from '../../src/index.ts'
import { orders, say } from './lines.ts'

export type Opened = { refused: string | null }

say({ ready: true })
for await (const { path } of orders<{ path: string }>()) {
  let refused: string | null = null
  try {
    await (await connect(path)).close()
  } catch (error) {
    refused = (error as Error).message
  }
  say({ refused } satisfies Opened)
}
