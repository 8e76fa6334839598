// A push as doors show it: the fields of the entries file, plus its current state.

import { isPerson, USER } from '../../core/agents/agent.ts'
import { callerBy, operation, refuse } from '../../core/error.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import { isPush, type Origin, type PushForm, storedOrigin } from '../../core/pushes/push.ts'
import type { PushItem } from '../../core/pushes/push-reads.ts'
import type { Store } from '../../core/store.ts'
import { epochMs } from '../../core/time.ts'
import { DOC, viewDoc } from '../inbox/view.ts'
import { sees, type Viewer, viewerNamed } from '../inbox/visible-thread.ts'
import {
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aRow,
  aText,
  maybe,
  orNull,
} from '../kit/answer.ts'
import type { Context } from '../kit/operation.ts'

/** Who is looking at pushes: a person, or an agent that looks at its own. */
export type PushViewer = {
  name: string
  isPerson: boolean
  /** The viewer for visibility checks. */
  by: Viewer
  /** Set if the caller isn't the reader. Showing the caller something doesn't mean that the reader has seen it. */
  isForAnother?: true
}

/** A service sees what the owner sees. A caller without a name is the owner. */
export function viewerOf(
  { caller }: Pick<Context, 'caller'>,
  given: string | undefined,
): PushViewer {
  const { principal } = caller
  if (principal?.kind === 'service' || principal?.kind === 'system') {
    return { name: USER, isPerson: true, by: principal, isForAnother: true }
  }
  const name = given ?? USER
  return { name, isPerson: isPerson(name), by: principal ?? viewerNamed(name) }
}

/** Like `viewerOf`, but refuses agents: only people can handle pushes. */
export function personLooking(
  context: Pick<Context, 'caller'>,
  given: string | undefined,
): PushViewer {
  const viewer = viewerOf(context, given)
  if (viewer.isPerson) return viewer
  throw refuse.forbidden`pushes are for people, and ${viewer.name} is an agent; leave ${callerBy('agent')} out, or name a person`
}

/** Returns the entry if it exists and this viewer may see it. Otherwise, refuses it as unknown. */
export async function visiblePush(
  store: Store,
  entryId: string,
  viewer: PushViewer,
): Promise<PushItem> {
  const [item, state] = await Promise.all([store.push(entryId, viewer.name), store.thread(entryId)])
  const thread = state?.thread
  const isSeen = isPush(thread) && (await sees(store, viewer.by, thread))
  if (item !== null && isSeen) return item
  const wasDeleted = viewer.isPerson && isSeen && thread.status === 'deleted'
  if (!wasDeleted) throw unknownPush(entryId)
  throw refuse.not_found`the push ${{ entry_id: entryId }} was deleted; see ${operation('push history')}`
}

export function unknownPush(entry_id: string) {
  return refuse.not_found`there is no push ${{ entry_id }}; see ${operation('push history')}`
}

export async function viewEntries(
  store: Store,
  items: readonly PushItem[],
  viewer: PushViewer,
): Promise<EntryView[]> {
  if (items.length === 0) return []
  const all = new Map((await store.workspaces()).map((one) => [one.workspace_id, one]))
  return items.map((item) => viewEntry(item, all.get(item.workspace_id), viewer))
}

function viewEntry(
  item: PushItem,
  workspace: Workspace | undefined,
  viewer: PushViewer,
): EntryView {
  const isThere = workspace !== undefined && workspace.removed_at === null
  const origin = storedOrigin(item.payload_json)
  // Anyone with the session id can resume the session, so only its owner gets the id.
  const { session: _, folder: __, ...open } = origin
  return {
    entry_id: item.thread_id,
    ts: epochMs(item.created_at),
    created_at: item.created_at,
    workspace_id: item.workspace_id,
    workspace_label: workspace?.label ?? item.workspace_label,
    workspace: item.workspace_id === '' ? 'none' : isThere ? 'present' : 'gone',
    agent: item.from_agent,
    form: item.form,
    subject: item.summary,
    docs: item.artifacts.map(viewDoc),
    comments: item.body,
    origin: viewer.isPerson && !viewer.isForAnother ? origin : open,
    unread: item.unread > 0,
    trashed_at: item.trashed_at,
    replies: item.message_count - 1,
    ...(item.imported_by === null ? {} : { imported_by: item.imported_by }),
  }
}

const ORIGIN = aRow<Origin>('origin', 'the session it came from, as far as known', {
  backend: maybe(aText('the program')),
  session: maybe(aText('its session; for people')),
  folder: maybe(aText('its folder; for people')),
  wake: maybe(aText('the wake it was made in')),
})

export const ENTRY = aRecord('entry', 'a push', {
  entry_id: aText('its id'),
  ts: aNumber('when it was pushed, in milliseconds since 1970'),
  created_at: aText('when'),
  workspace_id: aText('where it came from, or empty'),
  workspace_label: aText('the label of that workspace'),
  workspace: aText<'present' | 'gone' | 'none'>('present, gone or none'),
  agent: aText('who pushed it'),
  form: aText<PushForm>('push or notification'),
  subject: aText('the message in one line'),
  docs: aList(DOC, 'what it points at'),
  comments: aText('the text'),
  origin: ORIGIN,
  unread: aFlag('whether the reader has not read it'),
  trashed_at: orNull(aText('when it was trashed')),
  replies: aNumber('how many messages followed it'),
  imported_by: maybe(aText('who imported it, if it came from a file')),
})

export type EntryView = AnswerRecord<typeof ENTRY>
