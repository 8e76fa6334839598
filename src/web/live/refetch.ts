// Events say what happened and where. This table lists the cached query results that each event makes stale.

import type { Query, QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../ops/catalogue.ts'
import type { LiveEvent } from '../api/stream.ts'

type Refetch = {
  events: string
  lists: readonly OperationName[]
  one?: OperationName
}

const DESK = ['desk', 'desk list'] as const
const AGENTS = ['agent list', 'agent status'] as const
const MAIL = ['mail history', 'mail count', 'mail receipts'] as const
const CHANNELS = ['workflow channels', 'workflow channel'] as const
const WAKING = ['desk', ...AGENTS, 'agent reach', 'wake explain', 'workflow channel'] as const

const REFETCH: readonly Refetch[] = [
  {
    events: 'request_',
    lists: ['request list', ...DESK, 'mail history', 'mail count'],
    one: 'request get',
  },
  { events: 'effect_', lists: [], one: 'request get' },
  {
    events: 'delivery_',
    lists: [...DESK, ...AGENTS, 'mail receipts', 'wake explain', ...CHANNELS],
  },
  { events: 'channel_', lists: [...CHANNELS, ...DESK] },
  {
    events: 'document_',
    lists: [
      'workflow context doc list',
      'workflow context doc read',
      'workflow context doc history',
    ],
  },
  { events: 'instance_', lists: CHANNELS },
  { events: 'agent_', lists: [...WAKING, 'agent policies'] },
  { events: 'workspace_', lists: ['workspace list', 'desk list'] },
  { events: 'person_', lists: ['person settings'] },
  { events: 'desk_', lists: DESK },
  { events: 'requirement_', lists: ['agent policies'] },
  { events: 'wake_', lists: [...WAKING, 'wake log'] },
  {
    events: 'push_',
    lists: [...DESK, ...MAIL, 'push history'],
    one: 'push show',
  },
  {
    events: 'mail_',
    lists: [...DESK, ...AGENTS, ...MAIL],
    one: 'show',
  },
  {
    events: 'thread_',
    lists: [...DESK, 'list', ...AGENTS, 'agent reach', ...MAIL],
    one: 'show',
  },
]

export function refetchAfter(queries: QueryClient, events: readonly LiveEvent[]): void {
  const stale = new Set<string>()
  for (const { event_type, thread_id } of events) {
    for (const { events: begin, lists, one } of REFETCH) {
      if (!event_type.startsWith(begin)) continue
      for (const name of lists) stale.add(name)
      if (one !== undefined) stale.add(`${one} ${thread_id}`)
    }
  }
  const isStale = ({ queryKey: [name, input] }: Query) =>
    stale.has(String(name)) ||
    Object.values(input ?? {}).some((value) => stale.has(`${name} ${value}`))
  for (const query of queries.getQueryCache().findAll({ predicate: isStale })) {
    askAgain(queries, query)
  }
  void queries.invalidateQueries({ predicate: isStale })
}

const asked = new WeakSet<Query>()

/**
 * A query's first response may be older than an event that arrives while it loads. The query client doesn't refetch and
 * would treat the response as fresh, so the query is fetched again after it.
 */
function askAgain(queries: QueryClient, query: Query): void {
  const { promise, queryKey, state } = query
  if (state.data !== undefined || promise === undefined || asked.has(query)) return
  asked.add(query)
  const again = () => {
    asked.delete(query)
    void queries.invalidateQueries({ queryKey })
  }
  promise.then(again, again)
}
