// What the wake broker reads, alike on both engines.

import type { Reads, Store, WakeMail } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { Wake } from '../core/wake-fold.ts'
import { first, type Session } from './session.ts'

export function makeWakeReads(session: Session): Pick<Reads, 'wakeHistory' | 'wakeMail'> {
  return {
    async wakeHistory(agent_id, since) {
      const last = (which: { state?: string; cause?: string }) =>
        first(
          session.all<Wake>('wake_last', {
            agent_id,
            state: undefined,
            cause: undefined,
            ...which,
          }),
        )
      const [latest, good, timer, counted] = await Promise.all([
        last({}),
        last({ state: 'ended' }),
        last({ cause: 'timer' }),
        first(
          session.all<{ starts: number; first_start: Instant | null }>('wake_starts', {
            agent_id,
            since,
          }),
        ),
      ])
      return {
        last: latest,
        handed: good?.upto_event ?? 0,
        lastTimer: timer?.started_at ?? null,
        starts: counted?.starts ?? 0,
        firstStart: counted?.first_start ?? null,
      }
    },
    wakeMail: ({ agent, after, limit }) =>
      session.all<WakeMail>('wake_mail', { agent_id: agent, after, limit }),
  }
}

export function makeBrokerReads(
  session: Session,
): Pick<Store, 'wake' | 'wakes' | 'openWakes' | 'agentsConcerned'> {
  return {
    wake: (wake_id) => first(session.all<Wake>('wake_get', { wake_id })),
    wakes: ({ agent, limit }) => session.all<Wake>('wakes_list', { agent_id: agent, limit }),
    openWakes: (limit) => session.all<Wake>('wakes_open', { limit }),
    async agentsConcerned(after) {
      const [mailed, changed] = await Promise.all([
        session.all<{ agent_id: string }>('agents_mailed', { after }),
        session.all<{ payload_json: string }>('agent_events', { after }),
      ])
      const facts = changed.map(
        ({ payload_json }) => JSON.parse(payload_json) as { agent_id?: string },
      )
      const names = [...mailed, ...facts].flatMap(({ agent_id }) => agent_id ?? [])
      return [...new Set(names)]
    },
  }
}
