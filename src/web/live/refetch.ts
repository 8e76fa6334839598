// An event names what happened and where. This table says which answers are no longer true after it.

import type { QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../ops/catalogue.ts'
import type { LiveEvent } from './stream.ts'

type Refetch = {
  /** The beginning of the event's type. */
  events: string
  /** Lists, whatever their filter. */
  lists: readonly OperationName[]
  /** The operation that shows the one thread, and the field that names it. */
  one?: { op: OperationName; field: string }
}

const REFETCH: readonly Refetch[] = [
  {
    events: 'request_',
    lists: ['request list', 'desk', 'desk list', 'desk days', 'mail history', 'mail count'],
    one: { op: 'request get', field: 'request' },
  },
  {
    events: 'delivery_',
    lists: [
      'desk',
      'desk list',
      'desk days',
      'agent list',
      'agent status',
      'mail receipts',
      'wake explain',
      'workflow channels',
      'workflow channel',
    ],
  },
  { events: 'channel_', lists: ['workflow channels', 'workflow channel', 'desk', 'desk list'] },
  {
    events: 'document_',
    lists: [
      ...(['workflow context doc list', 'workflow context doc read'] as const),
      'workflow context doc history',
    ],
  },
  { events: 'instance_', lists: ['workflow channels', 'workflow channel'] },
  {
    events: 'agent_',
    lists: [
      ...(['desk', 'agent list', 'agent status', 'agent reach', 'wake explain'] as const),
      ...(['agent policies', 'workflow channel'] as const),
    ],
  },
  { events: 'workspace_', lists: ['workspace list', 'desk list', 'desk days'] },
  { events: 'person_', lists: ['person settings'] },
  { events: 'desk_', lists: ['desk', 'desk list', 'desk days'] },
  { events: 'requirement_', lists: ['agent policies'] },
  {
    events: 'wake_',
    lists: [
      ...(['desk', 'agent list', 'agent status', 'agent reach', 'wake log'] as const),
      ...(['wake explain', 'workflow channel'] as const),
    ],
  },
  {
    events: 'push_',
    lists: [
      ...(['desk', 'desk list', 'desk days', 'push history', 'mail history'] as const),
      ...(['mail count', 'mail receipts'] as const),
    ],
    one: { op: 'push show', field: 'entry' },
  },
  {
    events: 'mail_',
    lists: [
      ...(['desk', 'desk list', 'desk days', 'agent list', 'agent status'] as const),
      ...(['mail history', 'mail count', 'mail receipts'] as const),
    ],
    one: { op: 'show', field: 'thread' },
  },
  {
    events: 'thread_',
    lists: [
      ...([
        'desk',
        'desk list',
        'desk days',
        'list',
        'agent list',
        'agent status',
        'agent reach',
      ] as const),
      ...(['mail history', 'mail count', 'mail receipts'] as const),
    ],
    one: { op: 'show', field: 'thread' },
  },
]

export function refetchAfter(queries: QueryClient, events: readonly LiveEvent[]): void {
  const stale = new Set<OperationName>()
  const threads = new Map<Refetch, Set<string>>()
  for (const { event_type, thread_id } of events) {
    for (const rule of REFETCH) {
      if (!event_type.startsWith(rule.events)) continue
      for (const name of rule.lists) stale.add(name)
      const known = threads.get(rule) ?? new Set()
      threads.set(rule, known.add(thread_id))
    }
  }
  for (const name of stale) void queries.invalidateQueries({ queryKey: [name] })
  for (const [{ one }, ids] of threads) {
    if (one === undefined) continue
    void queries.invalidateQueries({
      predicate: ({ queryKey: [name, input] }) =>
        name === one.op && ids.has(String((input as Record<string, unknown>)?.[one.field])),
    })
  }
}
