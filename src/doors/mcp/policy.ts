// The policy of a visitor, so that its instructions say what it must ask people for.

import { refusalIn } from '../../core/error.ts'
import { call } from '../../ops/call.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import type { RequestTypes } from '../../ops/requests/request-types.ts'
import type { OpenVisit } from './call-tool.ts'

/** A store that cannot be read is no reason to turn the visitor away: its first call says what is wrong. */
export async function requiredOf({
  lookIn,
  principal,
  sets,
  misplaced,
  report,
}: OpenVisit): Promise<readonly string[]> {
  if (!sets.includes('requests') || principal.kind !== 'agent' || misplaced !== undefined) return []
  try {
    const house = await lookIn()
    if (house === null) return []
    const op = await operationNamed('request types')
    const signal = new AbortController().signal
    const { result } = await call(house, { op, principal, raw: {}, door: 'mcp', signal })
    return (result as RequestTypes).required
  } catch (error) {
    if (refusalIn(error) === undefined) report(error)
    return []
  }
}
