// Whether somebody known may make this call, and in whose name. The name comes from the transport: words
// that give another are refused, not corrected, so that nobody believes to be someone else.

import { quote, refuse } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import type { Operation } from './operation.ts'

export function authorise(
  op: Pick<Operation, 'name' | 'fields' | 'callers'>,
  principal: Principal,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const { kind, name } = principal
  if (!op.callers.includes(kind)) {
    throw refuse(
      'forbidden',
      `${op.name} is not for ${kind === 'agent' ? 'agents' : kind}; ask ${op.callers.join(' or ')}`,
    )
  }
  if (kind === 'system') return raw
  for (const [key, field] of Object.entries(op.fields)) {
    // Named by position it is whom the call is about; the operation itself says who may.
    if (field.kind !== 'self' || field.positional || raw[key] === undefined) continue
    if (raw[key] === name) continue
    throw refuse(
      'forbidden',
      `${key} ${quote(String(raw[key]))} is not you; you are ${name}, so leave ${key} out`,
    )
  }
  return raw
}
