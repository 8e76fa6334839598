// A sweep also applies what is due for requests. It belongs to the inbox, which may not load requests, so the two
// subjects meet here.

import type { Context } from './kit/operation.ts'
import { applyAllDue } from './requests/due-decisions.ts'

export function applyDueRequests(context: Context, limit: number): Promise<number> {
  return applyAllDue(context, limit)
}
