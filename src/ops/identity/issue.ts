// Issues a token, a sign-in code or anything else with a secret that is shown once.
//
// (1) The secret is made outside the transaction and is no part of what the transaction returns: an answer
//     is kept for retries, and would keep the secret with it.
// (2) So a retry with the same idempotency key finds the token issued, and its secret gone.
// (3) A token that is issued with another token does not outlive it.

import { TOKEN_HASH, type Token } from '../../core/identity/token.ts'
import { TOKENS, type TokenFacts } from '../../core/identity/token-record.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { endOf } from '../agents/known-person.ts'
import { commit } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { makeSecret } from './identify.ts'
import { type TokenView, viewToken } from './token-view.ts'

export type TokenOrder = Omit<
  Extract<TokenFacts, { type: 'token_issue' }>,
  'type' | 'token_id' | 'expires_at'
> & {
  /** Null means without end. */
  seconds: number | null
}

export type IssueAnswer = {
  /** Null for a retry: the token was in the first answer. */
  token: string | null
  /** The token as it is listed from now on. */
  issued: TokenView
  next_event_id: number
}

export async function issue(
  context: Context,
  call: { op: string; agent: string; input: object & { idempotency_key?: string | undefined } },
  decide: (tx: Tx, now: Instant) => Promise<TokenOrder>,
  make: typeof makeSecret = makeSecret,
): Promise<IssueAnswer> {
  const token_id = context.makeId('token')
  const { secret, hash } = await make(token_id)
  const { issued, next_event_id } = await commit(context, call, async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    const { seconds, ...wanted } = await decide(tx, now)
    const wish = seconds === null ? null : plusSeconds(now, seconds)
    // (3)
    const end = await endOf(tx, context.caller.principal)
    const expires_at = end !== null && (wish === null || wish > end) ? end : wish
    const facts = { type: 'token_issue', token_id, ...wanted, expires_at } as const
    const event = { agent: call.agent, at: now, summary: '' }
    tx.recordStoreEvent({ ...event, facts })
    tx.keep(TOKEN_HASH, { token_id, hash })
    const token: Token = evolveRecord(TOKENS, null, facts, event)
    return { issued: viewToken({ ...token, hash, page_hash: '', last_used_at: '' }, now) }
  })
  return { token: issued.token_id === token_id ? secret : null, issued, next_event_id }
}
