// The doors that offer an operation, according to its declaration.

import type { Operation } from '../../src/ops/kit/operation.ts'

export function isOfferedAt(op: Operation, door: 'library' | 'cli' | 'http' | 'mcp'): boolean {
  if (door === 'cli') return true
  if (door === 'mcp') return op.tool !== undefined
  if (op.internal || op.at === 'shell') return false
  return door === 'library' || op.at === undefined
}
