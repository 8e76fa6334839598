import type { LoggedPush } from '../../core/keeping/keeper.ts'
import type { PushFilter, PushItem, PushLooks } from '../../core/pushes/push-reads.ts'
import type { Artifact } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { count, first, inLogOrder, type Querier, readFittingRows } from '../querier.ts'
import { compare } from '../threads/thread-row.ts'

export type EntryRow = Omit<LoggedPush, 'artifacts'>
type ItemRow = Omit<PushItem, 'artifacts'>
type Place = { created_at: Instant; event_id: number | null }

export function makePushLooks(querier: Querier): PushLooks {
  return {
    pushes: (filter) => listPushes(querier, filter),
    async push(entryId, reader) {
      const params = { ...EVERYTHING, thread_id: entryId, reader, limit: 1 }
      const rows = await readFittingRows(querier, 'pushes_list', params, newestFirst)
      return (await withArtifacts(querier, rows))[0] ?? null
    },
    unreadPushes: (recipient, { form, workspaceId } = {}) =>
      count(querier, 'pushes_unread', { recipient, form, workspace_id: workspaceId }),
    trashedPushes: ({ workspaceId, from }) =>
      count(querier, 'pushes_trashed', { workspace_id: workspaceId, from_agent: from }),
  }
}

const EVERYTHING = {
  thread_id: undefined,
  open: undefined,
  trashed: undefined,
  workspace_id: undefined,
  form: undefined,
  from_agent: undefined,
  unread_only: undefined,
  before_at: undefined,
  before_event: undefined,
}

async function listPushes(querier: Querier, filter: PushFilter): Promise<PushItem[]> {
  const { reader, limit, form, before } = filter
  const place =
    before === undefined
      ? undefined
      : await first(querier.all<Place>('push_place', { thread_id: before }))
  if (place === null) return []
  const params = {
    ...EVERYTHING,
    reader,
    form,
    limit,
    open: filter.trashed ? undefined : 1,
    trashed: filter.trashed ? 1 : undefined,
    workspace_id: filter.workspaceId,
    from_agent: filter.from,
    unread_only: filter.unreadOnly ? 1 : undefined,
    before_at: place?.created_at,
    // If the push has been deleted since, only its time is known.
    before_event: place === undefined ? undefined : (place.event_id ?? 0),
  }
  return withArtifacts(querier, await readFittingRows(querier, 'pushes_list', params, newestFirst))
}

function newestFirst(a: ItemRow, b: ItemRow): number {
  return compare(b.created_at, a.created_at) || inLogOrder(b, a)
}

export async function withArtifacts<Row extends { message_id: string }>(
  querier: Querier,
  rows: Row[],
): Promise<(Row & { artifacts: Artifact[] })[]> {
  if (rows.length === 0) return []
  const messages = rows.map(({ message_id }) => message_id)
  const artifacts = await querier.all<Artifact>('pushes_artifacts', { messages })
  artifacts.sort((a, b) => compare(a.artifact_id, b.artifact_id))
  const own = Map.groupBy(artifacts, ({ message_id }) => message_id)
  return rows.map((row) => ({ ...row, artifacts: own.get(row.message_id) ?? [] }))
}
