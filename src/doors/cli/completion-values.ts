// The values that completion offers from the store, each with a short description: the threads that moved last, agents,
// pending requests and the latest pushes. The shell asks at every press of Tab, so a missing or unreadable store offers
// nothing and prints no error.

import { shortId } from '../../core/short-id.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { AgentView } from '../../ops/agents/agent-view.ts'
import { call } from '../../ops/call.ts'
import { oneLine } from '../../ops/kit/drawing/text.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import type { RequestView } from '../../ops/requests/request-view.ts'
import type { StoreValues } from './completion-scripts.ts'
import type { Io } from './io.ts'

const MOST = 50

type ValueSource = {
  operation: () => Promise<unknown>
  /** Each value and its description. */
  values: (answer: never) => [string, string][]
}

const SOURCES: Record<StoreValues, ValueSource> = {
  ids: {
    operation: async () => (await import('../../ops/threads/list.ts')).list,
    values: ({ threads }: { threads: Thread[] }) =>
      threads.map((one) => [shortId(one.thread_id), one.subject]),
  },
  agents: {
    operation: async () => (await import('../../ops/agents/agent-list.ts')).agentList,
    values: ({ agents }: { agents: AgentView[] }) =>
      agents.map(({ agent_id, status, role }) => [agent_id, `${status} ${role}`.trimEnd()]),
  },
  requests: {
    operation: async () => (await import('../../ops/requests/request-list.ts')).requestList,
    values: ({ requests }: { requests: RequestView[] }) =>
      requests.map(({ request_id, title }) => [shortId(request_id), title]),
  },
  pushes: {
    operation: async () => (await import('../../ops/pushes/push-history.ts')).pushHistory,
    values: ({ entries }: { entries: { entry_id: string; comments: string }[] }) =>
      entries.map(({ entry_id, comments }) => [shortId(entry_id), comments]),
  },
}

export async function listStoreValues(io: Io, asked: StoreValues): Promise<string> {
  const open = async () => io.open(io.locate(undefined), { absent: 'null', more: [] })
  const store = await open().catch(() => null)
  if (store === null) return ''
  try {
    const house = { ...store, shell: { ...store.shell, say: () => {} } }
    const { signal } = new AbortController()
    const { operation, values } = SOURCES[asked]
    const op = (await operation()) as Operation
    const question = { op, raw: { limit: MOST }, door: 'cli', signal } as const
    const { result, afterAnswer } = await call(async () => house, question)
    await afterAnswer()
    return values(result as never)
      .map(([value, about]) => `${value}\t${oneLine(about)}\n`)
      .join('')
  } finally {
    await store.close()
  }
}
