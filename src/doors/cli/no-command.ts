// Handles a program name without a command: `inbox` shows the store, and `agent-worker` runs its default command. If
// there is nothing to show, the program prints its help instead.

import { callDirectly } from '../../ops/call.ts'
import { loadOperation, type OperationName } from '../../ops/catalogue.ts'
import type { Io } from './io.ts'
import { PROGRAMS } from './program.ts'

export async function hasAnythingToShow(io: Io, name: OperationName): Promise<boolean> {
  const at = io.args.findIndex((word) => word === '--db' || word.startsWith('--db='))
  const named = at < 0 ? undefined : io.args[at]?.slice('--db='.length) || io.args[at + 1]
  const store = await io.find(io.locate(named))
  if (store === null) return false
  try {
    if (PROGRAMS[io.program] === '') return true
    const house = { ...store, shell: { ...store.shell, say: () => {} } }
    const { signal } = new AbortController()
    const op = await loadOperation(name)
    const result = await callDirectly(async () => house, { op, raw: {}, door: 'cli', signal })
    return Object.values(result).some((value) => Array.isArray(value) && value.length > 0)
  } finally {
    await store.close()
  }
}
