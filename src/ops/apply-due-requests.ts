// A sweep also applies what is due on requests. Sweep belongs to the inbox, which may not load requests (scripts/rooms.ts),
// so the two meet here.

import type { Context } from './kit/operation.ts'
import { applyAllDue } from './requests/due-decisions.ts'

export function applyDueRequests(context: Context, limit: number): Promise<number> {
  return applyAllDue(context, limit)
}
