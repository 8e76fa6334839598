// `inbox` alone shows the store that is there, and where there is none explains itself.

import type { Io } from './io.ts'

export async function hasStore(io: Io): Promise<boolean> {
  const at = io.args.findIndex((word) => word === '--db' || word.startsWith('--db='))
  const named = at < 0 ? undefined : io.args[at]?.slice('--db='.length) || io.args[at + 1]
  const store = await io.find(io.locate(named), { more: [] })
  await store?.close()
  return store !== null
}
