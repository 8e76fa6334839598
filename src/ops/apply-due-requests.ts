// A sweep also applies whatever is due on requests. The sweep is part of the inbox, which isn't allowed to load
// requests (scripts/rooms.ts), so this file connects the two.

import type { Context } from './kit/operation.ts'
import { applyAllDue } from './requests/due-decisions.ts'

export function applyDueRequests(context: Context, limit: number): Promise<number> {
  return applyAllDue(context, limit)
}
