// What the wake broker reads, alike on both engines.

import type { Delivery } from '../../core/inbox/delivery.ts'
import type { Instant } from '../../core/time.ts'
import type { Wake } from '../../core/waking/wake.ts'
import type { WakeLooks, WakeMail, WakeReads } from '../../core/waking/wake-reads.ts'
import { first, type Session } from '../session.ts'

export function makeWakeReads(session: Session): WakeReads {
  return {
    runningWake: (agent_id) =>
      first(session.all<{ wake_id: string; hops: number }>('wake_running', { agent_id })),
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
      const [latest, good, timer, counted, mail] = await Promise.all([
        last({}),
        last({ state: 'ended' }),
        last({ cause: 'timer' }),
        first(
          session.all<{ starts: number; first_start: Instant | null }>('wake_starts', {
            agent_id,
            since,
          }),
        ),
        session.all<Taken>('wake_took', { agent_id }),
      ])
      return {
        last: latest,
        handed: good?.upto_event ?? 0,
        lastTimer: timer?.started_at ?? null,
        starts: counted?.starts ?? 0,
        firstStart: counted?.first_start ?? null,
        tookAt: mail.flatMap(takenAt).sort().at(-1) ?? null,
      }
    },
    wakeMail: ({ agent, after, limit }) =>
      session.all<WakeMail>('wake_mail', { agent_id: agent, after, limit }),
  }
}

export function makeWakeLooks(session: Session): WakeLooks {
  return {
    wakes: ({ agent, limit }) => session.all<Wake>('wakes_list', { agent_id: agent, limit }),
    openWakes: (limit) => session.all<Wake>('wakes_open', { limit }),
    async waitsUntil(agent_id) {
      const row = await first(session.all<{ until: Instant | '' }>('waits_until', { agent_id }))
      return row?.until || null
    },
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

type Taken = Pick<Delivery, 'presented_at' | 'presented_by' | 'read_at'>

/** Mail that a turn was given does not count: the agent did not take it by itself. */
function takenAt({ presented_at, presented_by, read_at }: Taken): Instant[] {
  const taken = presented_by === 'wake' ? null : presented_at
  return [taken, read_at].filter((at) => at !== null)
}
