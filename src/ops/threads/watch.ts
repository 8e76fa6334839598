import { type EventType, type EventView, QUIET_EVENTS } from '../../core/event.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import { WORK_STATUSES } from '../../core/threads/work.ts'
import { epochMs } from '../../core/time.ts'
import type { Chore } from '../../wake/wait.ts'
import { makeKnown } from '../agents/introduce.ts'
import { sweepLapsed } from '../inbox/sweep.ts'
import { THREAD, viewEvent } from '../inbox/view.ts'
import { aList, aRow, aText, CURSOR, EVENT_ID, INTERRUPTED, orNull, WOKE } from '../kit/answer.ts'
import { mustBeAboveFloor, mustBeInLog } from '../kit/cursor.ts'
import { choices, int, self } from '../kit/field.ts'
import { ANYONE, action, type Context } from '../kit/operation.ts'
import { TEXTS, WAIT_ARG } from '../kit/tool.ts'
import { describeWait, WAIT_FIELD, waitAs } from '../kit/waiting.ts'
import { CURSOR_ARG } from './message-fields.ts'

const EVENT = aRow<EventView>('event', 'what happened', {
  event_id: EVENT_ID,
  run_id: aText('the run, or empty'),
  task_id: aText('the task, or empty'),
  thread_id: aText('the thread, or empty'),
  event_type: aText('the type of event'),
  agent: aText('who did it'),
  status: aText('the status of the thread after it'),
  message_id: orNull(aText('its message')),
  summary: aText('the message in one line'),
  created_at: aText('when'),
})

export const watch = action({
  name: 'watch',
  example: 'watch --agent worker --after-event 0',
  summary: 'Block until something happens. Uses no CPU while it waits.',
  about:
    'Waits for activity by others on threads that the agent created or is assigned to, and on unclaimed work of its role; without an agent, on any thread. Starts now, or after --after-event; earlier events are never repeated. A claim or fetch that finds nothing returns a cursor; a watch from there misses no work. Renewals and read marks do not count as activity. The wait ends if the agent is told to stop. Watching also registers the agent.',
  fields: {
    agent: self('whose threads and work to watch'),
    status: choices(WORK_STATUSES, 'only events that leave a thread in one of these statuses', {
      leftOut: 'all',
    }),
    after_event: int('resume after this event'),
    timeout_seconds: WAIT_FIELD,
  },
  writes: 'marks',
  set: 'threads',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'cursor_expired'],
  async run(context, input) {
    const { store, bell, signal } = context
    const { agent } = input
    const [start] = await Promise.all([
      startingPoint(store, input.after_event),
      agent === undefined ? undefined : makeKnown(context, agent, 'agent'),
    ])
    let cursor = start
    const { principal } = context.caller
    const without = [...QUIET_EVENTS, ...(await unheard(principal))]
    const look = async () => {
      const end = await store.lastEventId()
      const events = await store.events({
        after: cursor,
        agent,
        statuses: input.status,
        without,
        pushesFrom: principal?.workspace_id,
        limit: 100,
      })
      // Check the floor after reading, because events pruned before the read would be missed silently.
      await mustBeAboveFloor(store, cursor)
      if (events.length > 0) return events
      // No event up to here was for this caller, so don't read them again.
      cursor = Math.max(cursor, end)
      return null
    }
    const waited = await waitAs(context, agent, {
      bell,
      about: agent === undefined ? undefined : [agent],
      look,
      lookout: store.lookout(),
      chores: [sweepWhenDue(context)],
      timeoutMs: input.timeout_seconds * 1000,
      signal,
    })
    if (waited.outcome !== 'found') {
      const interrupted = waited.outcome === 'interrupted' ? { interrupted: true as const } : {}
      return { woke: false, next_event_id: cursor, events: [], threads: [], ...interrupted }
    }
    const events = waited.value
    const ids = [...new Set(events.map((event) => event.thread_id))]
    const states = await Promise.all(ids.map((threadId) => store.thread(threadId)))
    return {
      woke: true,
      next_event_id: events.at(-1)?.event_id ?? cursor,
      events: events.map(viewEvent),
      threads: states.flatMap((state) => (state === null ? [] : [state.thread])),
    }
  },
  nothing: ({ woke }) => !woke,
  takesLong: (_, agent) => describeWait('work and news', agent),
  answer: {
    woke: WOKE,
    next_event_id: CURSOR,
    events: aList(EVENT, 'what happened'),
    threads: aList(THREAD, 'the threads the events are about, in their current state'),
    interrupted: INTERRUPTED,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWatch(answer, page),
  tool: {
    name: 'thread_watch',
    does: 'Wait for news on your threads and for new work, of your role too. Repeat with after_event = next_event_id.',
    args: {
      after_event: CURSOR_ARG,
      status: { shape: TEXTS, about: 'only these' },
      timeout_seconds: WAIT_ARG,
    },
    nothing: 'Nothing yet. Call again with after_event = next_event_id.',
  },
})

async function startingPoint(store: Store, after: number | undefined): Promise<number> {
  if (after === undefined) return store.lastEventId()
  await mustBeInLog(store, after)
  return after
}

/** The events that a token limited to some sets doesn't get. Only a server has tokens, so commands don't load this. */
async function unheard(principal: Principal | undefined): Promise<EventType[]> {
  if (principal?.sets === undefined) return []
  return (await import('../inbox/event-types.ts')).eventTypesHiddenFrom(principal)
}

/** A lapse doesn't create an event, so a watch sweeps when one is due. */
function sweepWhenDue(context: Context): Chore {
  const { store } = context
  return {
    async dueMs() {
      const [next, now] = await Promise.all([store.nextLapse(), store.now()])
      return next === null ? null : Math.max(0, epochMs(next) - epochMs(now))
    },
    run: async () => void (await sweepLapsed(context)),
  }
}
