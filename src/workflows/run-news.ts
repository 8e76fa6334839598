// The news of a run: what the log says since the last look.

import { epochMs } from '../core/time.ts'
import { entryOf } from '../core/workflows/channel.ts'
import type { HeldInstance } from '../core/workflows/instance.ts'
import { hasFailedByItself } from '../wake/turn.ts'
import { agentFolder } from './kept-plan.ts'
import type { WorkflowPlan } from './plan.ts'
import type { Book } from './run-book.ts'
import type { RunnerContext } from './runner.ts'
import { readAgentState } from './turn-log.ts'

const EVENTS_AT_ONCE = 500

/** Tells the news of the log since the last look: entries, and turns that ended. */
export async function readNews(
  { store, tell }: Pick<RunnerContext, 'store' | 'tell'>,
  {
    cursor,
    instance,
    book,
    plan,
    folder,
  }: {
    cursor: number
    instance: HeldInstance | null
    book: Book
    plan: WorkflowPlan
    folder: string
  },
): Promise<{ cursor: number; isNews: boolean }> {
  let after = cursor
  let isNews = false
  for (;;) {
    const events = await store.events({ after, without: [], limit: EVENTS_AT_ONCE })
    for (const event of events) {
      after = event.event_id
      if (event.event_type === 'channel_say' && event.thread_id === instance?.thread_id) {
        const message = event.message_id === null ? null : await store.message(event.message_id)
        if (message === null) continue
        const entry = entryOf(message, plan.instance)
        book.hasSaid(`${entry.from}: ${entry.message}`)
        tell({ event: 'entry', ...entry })
        isNews = true
      } else if (event.event_type === 'wake_end') {
        const facts = JSON.parse(event.payload_json) as {
          agent_id: string
          wake_id: string
          state: string
          reason: string
        }
        const member = instance?.members.find(({ agent_id }) => agent_id === facts.agent_id)
        if (member === undefined) continue
        const { agent_id: agent, wake_id, state } = facts
        const wake = (await store.wakes({ agent, limit: 5 })).find((one) => one.wake_id === wake_id)
        const seconds =
          wake === undefined
            ? 0
            : (epochMs(wake.ended_at ?? wake.started_at) - epochMs(wake.started_at)) / 1000
        const { last } = readAgentState(agentFolder(folder, member.name))
        const reason = reasonOf(agentFolder(folder, member.name), facts)
        tell({ event: 'turn_end', agent, wake_id, state, reason, seconds, last })
        isNews = true
      }
    }
    if (events.length === 0) return { cursor: after, isNews }
  }
}

/** The backend's own words for a turn that failed by itself, where it had any. */
export function reasonOf(
  folder: string,
  { wake_id, reason }: { wake_id: string; reason: string },
): string {
  if (!hasFailedByItself(reason)) return reason
  const { failed } = readAgentState(folder)
  return failed?.wake === wake_id && failed.why !== '' ? failed.why : reason
}
