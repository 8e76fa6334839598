// The digest of a payload must be that of the payload which the message of the event holds.

import type { Json } from '../json.ts'
import { canonicalText } from '../json.ts'
import type { NamedDigest } from '../record.ts'
import { readStored } from '../shallow.ts'
import type { Message } from '../threads/message.ts'
import type { Request, RequestFacts } from './request-record.ts'

const EVENTS = ['request_create', 'request_resubmit', 'request_approve'] as const
type DigestFacts = Extract<RequestFacts, { type: (typeof EVENTS)[number] }>

export const DIGESTED = {
  events: EVENTS,
  of(
    facts: RequestFacts,
    { payload_json }: Pick<Message, 'payload_json'>,
    before: Request | null,
  ): NamedDigest {
    const { payload_sha256: sha256 } = facts as DigestFacts
    const { payload } = readStored(payload_json) as { payload?: Json }
    if (payload !== undefined) return { sha256, of: { text: canonicalText(payload) } }
    // An approval without a payload of its own is of the one that was asked for.
    return { sha256, of: { sha256: before?.payload_sha256 ?? 'missing' } }
  },
}
