// A sweep also settles requests. It stands among the inbox's operations, which know nothing of requests: here the two
// subjects meet.

import type { Context } from './kit/operation.ts'
import { settleDue } from './requests/settle.ts'

export function settleDueRequests(context: Context, limit: number): Promise<number> {
  return settleDue(context, limit)
}
