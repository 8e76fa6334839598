// All the reads of a store, for either engine, grouped by subject.

import { RECORDS } from '../core/records.ts'
import type { Looks, Reads, Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import { makeAgentReads, readAgentNotes } from './agents/agent-reads.ts'
import { makeDeskLooks, makeDeskReads } from './desk/desk-reads.ts'
import { type KeyRow, keyParams, replay } from './idempotency.ts'
import { makeIdentityReads } from './identity/identity-reads.ts'
import { makeInboxReads } from './inbox/inbox-reads.ts'
import { makeRetentionLooks } from './keeping/retention-reads.ts'
import { makePushLooks } from './pushes/push-reads.ts'
import { first, type Querier } from './querier.ts'
import { makeRecordReads } from './record-reads.ts'
import { makeRequestLooks, makeRequestReads } from './requests/request-reads.ts'
import { makeLogLooks, makeLogReads } from './threads/log-reads.ts'
import { makeThreadLooks, makeThreadReads } from './threads/thread-reads.ts'
import { makeWakeLooks, makeWakeReads } from './waking/wake-reads.ts'
import {
  makeChannelLooks,
  makeChannelReads,
  makeDocumentLooks,
  makeDocumentReads,
  makeOverviewLooks,
} from './workflows/workflow-reads.ts'

/** The reads that a unit of work can use as well. */
export function makeReads(querier: Querier, now: () => Promise<Instant>): Reads {
  return {
    now,
    ...makeThreadReads(querier, now),
    ...makeLogReads(querier),
    ...makeInboxReads(querier),
    ...makeAgentReads(querier),
    ...makeWakeReads(querier),
    ...makeIdentityReads(querier),
    ...makeRecordReads(querier),
    ...makeDeskReads(querier),
    ...makeChannelReads(querier),
    ...makeDocumentReads(querier),
    ...makeRequestReads(querier),
  }
}

export function makeStoreReads(
  querier: Querier,
  now: () => Promise<Instant>,
  records = RECORDS,
): Reads & Looks & Pick<Store, 'answered'> {
  return {
    ...makeReads(querier, now),
    ...makeThreadLooks(querier, now),
    ...makeLogLooks(querier),
    ...makePushLooks(querier),
    ...makeDeskLooks(querier),
    ...makeChannelLooks(querier),
    ...makeDocumentLooks(querier),
    ...makeOverviewLooks(querier),
    ...makeRequestLooks(querier),
    ...makeWakeLooks(querier),
    ...makeRetentionLooks(querier, records),
    agentNotes: (first, last) => readAgentNotes(querier, first, last),
    async answered(idempotency) {
      const row = await first(querier.all<KeyRow>('key_get', keyParams(idempotency)))
      return row && replay(row, idempotency)
    },
  }
}
