// Ends waits and streams when the token they were opened with is revoked or expires. A revocation is an event in the
// log. An expiration isn't, so it's determined by the store's clock, not by this process's.

import type { Principal } from '../../core/principal.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import type { Chore } from '../../wake/wait.ts'

export type TokenEnds = {
  /** Calls `over` when the token expires or is revoked. The returned function cancels that. */
  hold: (by: Principal, over: () => void) => () => void
  end: (tokenId: string) => void
  /** Ends tokens as they expire. */
  expiring: Chore
}

type HeldToken = { expires_at: Instant | undefined; overs: Set<() => void> }

/** Calls `onSooner` if a newly held token expires before the chore would next run. */
export function makeTokenEnds(now: () => Promise<Instant>, onSooner: () => void): TokenEnds {
  const held = new Map<string, HeldToken>()
  /** Expired and revoked tokens. They're kept because a token can end between its check and `hold`. */
  const ended = new Set<string>()
  let due: Instant | undefined

  const end = (tokenId: string): void => {
    ended.add(tokenId)
    const overs = held.get(tokenId)?.overs ?? []
    held.delete(tokenId)
    for (const over of overs) over()
  }
  return {
    end,
    hold({ token_id: tokenId, expires_at }, over) {
      if (tokenId === undefined) return () => {}
      if (ended.has(tokenId)) over()
      const own: HeldToken = held.get(tokenId) ?? { expires_at, overs: new Set() }
      held.set(tokenId, own)
      own.overs.add(over)
      if (expires_at !== undefined && (due === undefined || expires_at < due)) onSooner()
      return () => {
        own.overs.delete(over)
        if (own.overs.size === 0 && held.get(tokenId) === own) held.delete(tokenId)
      }
    },
    expiring: {
      async dueMs() {
        due = [...held.values()].flatMap(({ expires_at }) => expires_at ?? []).sort()[0]
        return due === undefined ? null : Math.max(0, epochMs(due) - epochMs(await now()))
      },
      async run() {
        const at = await now()
        for (const [tokenId, { expires_at }] of held) {
          if (expires_at !== undefined && expires_at <= at) end(tokenId)
        }
      },
    },
  }
}
