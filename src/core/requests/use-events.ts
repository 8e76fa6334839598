// The event of an approval that is used, which happens once. The record of a request (request-record.ts) takes it in.

import type { ThreadRecord } from '../record.ts'
import type { Request } from './request-record.ts'
import { REVISION, SHA256 } from './request-shapes.ts'

export type UseFacts = { type: 'request_use'; revision: number; payload_sha256: string }

export const USE_EVENTS: ThreadRecord<Request, UseFacts>['events'] = {
  request_use: {
    move: 'note',
    by: 'anyone',
    facts: { revision: REVISION, payload_sha256: SHA256 },
    changes: (_, { agent, at }) => ({ used_at: at, used_by: agent }),
  },
}

export function mustBeUnused({ status, used_at, payload_sha256 }: Request, facts: UseFacts): void {
  if (status !== 'approved') throw new Error(`request_use of a request that is ${status}`)
  if (used_at !== null) throw new Error('request_use of a request that was used')
  if (facts.payload_sha256 !== payload_sha256) {
    throw new Error('request_use of another payload than was approved')
  }
}
