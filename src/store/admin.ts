// The keeper's side of a store, the same on both engines but for what each engine supplies.

import type { LoggedEvent } from '../core/event.ts'
import { evolve, type ReadMark } from '../core/evolve.ts'
import type { Lease } from '../core/lease.ts'
import type { Artifact, Message } from '../core/message.ts'
import { toEvent } from '../core/replay.ts'
import { LOADING, type StoreAdmin } from '../core/store.ts'
import { readSetting, type ThreadRow, toThread } from './reads.ts'
import type { Session } from './session.ts'
import { type Write, writesFor } from './unit-of-work.ts'

const STORE_ID = 'store_id'

export type EngineKeeper = Pick<StoreAdmin, 'backup' | 'inspect'> & {
  /** Runs the writes in one transaction. */
  batch(writes: Write[]): Promise<void>
  raiseNextEventId(past: number): Promise<void>
}

export function makeAdmin(session: Session, engine: EngineKeeper): StoreAdmin {
  return {
    async log(after, limit) {
      const events = await session.all<LoggedEvent>('log_events', { after, limit })
      const upto = events.at(-1)?.event_id
      if (upto === undefined) return []
      const [messages, artifacts] = await Promise.all([
        session.all<Omit<Message, 'artifacts'>>('log_messages', { after, upto }),
        session.all<Artifact>('log_artifacts', { after, upto }),
      ])
      const byId = new Map<string, Message>(
        messages.map((message) => [message.message_id, { ...message, artifacts: [] }]),
      )
      for (const artifact of artifacts) byId.get(artifact.message_id)?.artifacts.push(artifact)
      return events.map((event) => ({
        event,
        message: event.message_id === null ? null : (byId.get(event.message_id) ?? null),
      }))
    },

    async threadsPage(after, limit) {
      return (await session.all<ThreadRow>('threads_page', { after, limit })).map(toThread)
    },
    leasesPage: (after, limit) => session.all<Lease>('leases_page', { after, limit }),
    readsPage: (after, limit) =>
      session.all<ReadMark>('reads_page', {
        after_thread: after?.thread_id ?? '',
        after_agent: after?.agent_id ?? '',
        limit,
      }),
    setting: (name) => readSetting(session, name),

    async storeId(fresh) {
      const known = await readSetting(session, STORE_ID)
      if (known !== null) return known
      // Two may be first at once: one insert wins, and both read the winner's.
      await engine.batch([{ query: 'setting_put_new', params: { name: STORE_ID, value: fresh } }])
      return (await readSetting(session, STORE_ID)) ?? fresh
    },

    async load(batch) {
      const writes: Write[] = [{ query: 'setting_put', params: { name: LOADING, value: 'yes' } }]
      for (const { before, entry } of batch) {
        const event = toEvent(entry.event, entry.message)
        writes.push(...writesFor(before, evolve(before, event), event))
        writes.push({ query: 'event_insert_at', params: { ...entry.event } })
      }
      await engine.batch(writes)
    },

    async finishLoad({ floor, store }) {
      const writes: Write[] = [
        { query: 'setting_put', params: { name: 'event_floor', value: String(floor) } },
        { query: 'setting_delete', params: { name: LOADING } },
      ]
      if (store !== null) {
        writes.push({ query: 'setting_put', params: { name: STORE_ID, value: store } })
      }
      await engine.batch(writes)
      await engine.raiseNextEventId(floor)
    },

    backup: (file) => engine.backup(file),
    inspect: () => engine.inspect(),
  }
}
