// Finds the jump of a clock that was ahead when something was written. The log stays in order, so what is written later
// has the time of the jump, too. What lapses goes by the clock; only what was granted during the jump lasts longer.

import { TOKENS } from '../../core/identity/token-record.ts'
import type { Finding, Keeper } from '../../core/keeping/keeper.ts'
import type { Store } from '../../core/store.ts'
import { isLive } from '../../core/threads/lease.ts'
import { epochMs, type Instant, plusSeconds } from '../../core/time.ts'
import { relative } from '../kit/drawing/text.ts'
import { eachPage, MOST_PROBLEMS } from './doctor-pages.ts'

/** Clocks are set back by moments all the time, and nobody need hear of it. */
const SLACK_SECONDS = 60

export async function checkClock(store: Store, keeper: Keeper): Promise<Finding> {
  const now = await store.now()
  const latest = plusSeconds(now, SLACK_SECONDS)
  const event = await keeper.firstEventAfter(latest)
  const granted = [
    ...(await leasesFrom(keeper, latest, now)),
    ...(await tokensFrom(keeper, latest)),
  ]
  if (event === null && granted.length === 0) {
    return { check: 'clock', ok: true, detail: 'no event is ahead of the clock' }
  }
  const parts: string[] = []
  if (event !== null) {
    const { event_id, event_type, agent, created_at } = event
    const ahead = relative(created_at, epochMs(now))
    parts.push(
      `event ${event_id} (${event_type} by ${agent}) is dated ${created_at}, ${ahead} by the clock, which says ${now}; until then new events get that time, and what lapses goes by the clock`,
    )
  }
  if (granted.length > 0) {
    const named = granted.slice(0, MOST_PROBLEMS).join(', ')
    parts.push(`granted while the clock was ahead, and good for longer than was asked: ${named}`)
  }
  return {
    check: 'clock',
    ok: false,
    detail: parts.join('; '),
    warning: true,
    remedy:
      "set the clock if it is wrong now; to end what was granted, let its holder renew the lease, which counts from now, or use 'inbox cancel' or 'inbox token revoke'",
  }
}

/** Live leases that were taken or renewed after this moment. */
async function leasesFrom(keeper: Keeper, after: Instant, now: Instant): Promise<string[]> {
  const found: string[] = []
  await eachPage(keeper.leasesPage, '', (lease) => {
    const { thread_id, agent_id, expires_at, lease_seconds } = lease
    if (isLive(lease, now) && plusSeconds(expires_at, -lease_seconds) > after) {
      found.push(`the lease of ${thread_id} (${agent_id}) until ${expires_at}`)
    }
    return thread_id
  })
  return found
}

/** Tokens, sessions and codes that were issued after this moment and that end. */
async function tokensFrom(keeper: Keeper, after: Instant): Promise<string[]> {
  const found: string[] = []
  const page = (from: string, limit: number) => keeper.recordsPage(TOKENS, from, limit)
  await eachPage(page, '', ({ token_id, kind, issued_at, expires_at, revoked_at }) => {
    if (issued_at > after && revoked_at === null && expires_at !== null) {
      found.push(`${kind} ${token_id} until ${expires_at}`)
    }
    return token_id
  })
  return found
}
