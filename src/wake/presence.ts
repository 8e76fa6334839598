// A broker notes in the store, outside the log, that it runs. So a caller that asks whether a sleeping
// agent will be started gets a true answer. After a broker was killed, its note is believed for a while
// longer.

import type { Store } from '../core/store.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import type { Chore } from './wait.ts'

/** No agent can have this name. */
const BROKER = '(broker)'

const SAID_EVERY_SECONDS = 60
const BELIEVED_SECONDS = 150

export function presence(store: Store): Chore & { end: () => Promise<void> } {
  let again: Instant | undefined
  const say = async (seconds: number | null) => {
    await store.write(async (tx) => {
      const now = await tx.now()
      again = plusSeconds(now, SAID_EVERY_SECONDS)
      tx.sight(BROKER, now, seconds === null ? null : plusSeconds(now, seconds))
      return {}
    })
  }
  return {
    async dueMs() {
      return again === undefined ? 0 : Math.max(0, epochMs(again) - epochMs(await store.now()))
    },
    run: () => say(BELIEVED_SECONDS),
    async end() {
      if (again !== undefined) await say(null)
    },
  }
}

export async function isBrokerThere(store: Pick<Store, 'waitsUntil' | 'now'>): Promise<boolean> {
  const [until, now] = await Promise.all([store.waitsUntil(BROKER), store.now()])
  return until !== null && until > now
}
