import type { Delivery } from '../../core/inbox/delivery.ts'
import type { Instant } from '../../core/time.ts'
import type { WakeLooks, WakeMail, WakeReads } from '../../core/waking/wake-reads.ts'
import type { Wake, WakeCause } from '../../core/waking/wake-record.ts'
import { first, type Querier } from '../querier.ts'

export function makeWakeReads(querier: Querier): WakeReads {
  return {
    runningWake: (agent_id) =>
      first(querier.all<{ wake_id: string; hops: number }>('wake_running', { agent_id })),
    async wakeHistory(agent_id, since) {
      const last = (cause: WakeCause | undefined) =>
        first(querier.all<Wake>('wake_last', { agent_id, cause }))
      const [open, latest, good, timer, counted, mail] = await Promise.all([
        first(querier.all<Wake>('wake_open', { agent_id })),
        last(undefined),
        first(querier.all<{ handed: number | null }>('wake_handed', { agent_id })),
        last('timer'),
        first(
          querier.all<{ starts: number; first_start: Instant | null }>('wake_starts', {
            agent_id,
            since,
          }),
        ),
        querier.all<TakenDelivery>('wake_took', { agent_id }),
      ])
      return {
        last: open ?? latest,
        handed: good?.handed ?? 0,
        lastTimer: timer?.started_at ?? null,
        starts: counted?.starts ?? 0,
        firstStart: counted?.first_start ?? null,
        tookAt: mail.flatMap(takenAt).sort().at(-1) ?? null,
      }
    },
    wakeMail: ({ agent, after, limit }) =>
      querier.all<WakeMail>('wake_mail', { agent_id: agent, after, limit }),
  }
}

export function makeWakeLooks(querier: Querier): WakeLooks {
  return {
    wakes: ({ agent, limit }) => querier.all<Wake>('wakes_list', { agent_id: agent, limit }),
    openWakes: (limit) => querier.all<Wake>('wakes_open', { limit }),
    async waitsUntil(agent_id) {
      const row = await first(querier.all<{ until: Instant | '' }>('waits_until', { agent_id }))
      return row?.until || null
    },
    async agentsConcerned(after) {
      const [mailed, changed] = await Promise.all([
        querier.all<{ agent_id: string }>('agents_mailed', { after }),
        querier.all<{ payload_json: string }>('agent_events', { after }),
      ])
      const facts = changed.map(
        ({ payload_json }) => JSON.parse(payload_json) as { agent_id?: string },
      )
      const names = [...mailed, ...facts].flatMap(({ agent_id }) => agent_id ?? [])
      return [...new Set(names)]
    },
  }
}

type TakenDelivery = Pick<Delivery, 'presented_at' | 'presented_by' | 'read_at'>

/** Mail passed to a turn doesn't count: the agent didn't take it on its own. */
function takenAt({ presented_at, presented_by, read_at }: TakenDelivery): Instant[] {
  const taken = presented_by === 'wake' ? null : presented_at
  return [taken, read_at].filter((at) => at !== null)
}
