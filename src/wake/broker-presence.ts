// A broker notes in the store, outside the log, that it's running, so that callers can find out whether a sleeping
// agent will be started. After a broker is killed, its note still counts for a while.

import { AGENT_WAITING } from '../core/agents/sighting.ts'
import type { Store } from '../core/store.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import type { Chore } from './wait.ts'

/** Not a valid agent name, so no agent can have it. */
const BROKER = '(broker)'

const NOTE_EVERY_SECONDS = 60
const BELIEVED_SECONDS = 150

export function makePresence(store: Store): Chore & { end: () => Promise<void> } {
  let again: Instant | undefined
  const note = async (seconds: number | null) => {
    await store.write(async (tx) => {
      const now = await tx.now()
      again = plusSeconds(now, NOTE_EVERY_SECONDS)
      const waiting_until = seconds === null ? '' : plusSeconds(now, seconds)
      tx.keep(AGENT_WAITING, { agent_id: BROKER, seen_at: now, waiting_until })
      return {}
    })
  }
  return {
    async dueMs() {
      return again === undefined ? 0 : Math.max(0, epochMs(again) - epochMs(await store.now()))
    },
    run: () => note(BELIEVED_SECONDS),
    async end() {
      if (again !== undefined) await note(null)
    },
  }
}

export async function isBrokerThere(store: Pick<Store, 'waitsUntil' | 'now'>): Promise<boolean> {
  const [until, now] = await Promise.all([store.waitsUntil(BROKER), store.now()])
  return until !== null && until > now
}
