// A request as an inbox item. A list already has most fields; the others are looked up on demand, once per item.

import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import type { EffectView } from '../../../ops/requests/request-effects.ts'
import type { RequestAnswer } from '../../../ops/requests/request-get.ts'
import type { RequestView } from '../../../ops/requests/request-view.ts'
import type { ActivityView, RevisionView } from '../../../ops/requests/timeline.ts'
import type { GraphCall } from './calls.ts'
import { orNull, upper } from './scalars.ts'

export type GraphItem = { view: RequestView; whole: () => Promise<RequestAnswer> }

type ActivityEntry = ActivityView & { request_id: string }
type LinkedThread = RequestAnswer['links'][number]
export type ItemLink = { request_id: string; thread_id: string }

export function itemOf(view: RequestView, call: GraphCall): GraphItem {
  let known: Promise<RequestAnswer> | undefined
  return {
    view,
    whole() {
      known ??= lookUp(view.request_id, call)
      return known
    },
  }
}

export async function itemNamed(id: string, call: GraphCall): Promise<GraphItem> {
  const answer = await lookUp(id, call)
  return { view: answer.request, whole: async () => answer }
}

function lookUp(request: string, { ask }: GraphCall): Promise<RequestAnswer> {
  return ask<RequestAnswer>('request get', { request })
}

export function entriesOf({ request, activity }: RequestAnswer): ActivityEntry[] {
  return activity.map((one) => ({ ...one, request_id: request.request_id }))
}

function isComment({ action }: ActivityView): boolean {
  return action === 'comment'
}

const latest = ({ revisions }: RequestAnswer) => revisions.at(-1) as RevisionView

function configOf(answer: RequestAnswer) {
  const { request, decision } = answer
  return request.status === 'approved' && decision !== null
    ? decision.payload
    : latest(answer).payload
}

/** The notes of a decision stay when the request is resubmitted. */
function notesOf({ activity }: RequestAnswer): string | null {
  const decided = activity.findLast(({ to }) => to !== null && to !== 'pending')
  return orNull(decided?.notes ?? '')
}

const ON_VIEW = {
  id: ({ view }: GraphItem) => view.request_id,
  tenantId: (_: GraphItem, __: object, { tenant }: GraphCall) => tenant,
  type: ({ view }: GraphItem) => view.type,
  status: ({ view }: GraphItem) => upper(view.status),
  title: ({ view }: GraphItem) => view.title,
  revision: ({ view }: GraphItem) => view.revision,
  requesterId: ({ view }: GraphItem) => view.requester,
  recipientId: ({ view }: GraphItem) => orNull(view.recipient),
  entityType: ({ view }: GraphItem) => orNull(view.entity_type),
  entityId: ({ view }: GraphItem) => orNull(view.entity_id),
  workspaceId: ({ view }: GraphItem) => orNull(view.workspace_id),
  risk: ({ view }: GraphItem) => upper(view.risk),
  policy: ({ view }: GraphItem) => upper(view.policy),
  deciders: ({ view }: GraphItem) => view.deciders,
  editable: ({ view }: GraphItem) => view.editable,
  configSha256: ({ view }: GraphItem) => view.payload_sha256,
  decidedBy: ({ view }: GraphItem) => view.decided_by,
  decidedAt: ({ view }: GraphItem) => view.decided_at,
  expiresAt: ({ view }: GraphItem) => view.expires_at,
  overdue: ({ view }: GraphItem) => view.overdue,
  onExpiry: ({ view }: GraphItem) => upper(view.on_expiry),
  escalateTo: ({ view }: GraphItem) => orNull(view.escalate_to),
  escalatedAt: ({ view }: GraphItem) => view.escalated_at,
  remindAt: ({ view }: GraphItem) => view.remind_at,
  createdAt: ({ view }: GraphItem) => view.created_at,
  held({ view: { held_move: move, held_by: by, held_until: until } }: GraphItem) {
    return move === null ? null : { move, by, until }
  },
  usedAt: ({ view }: GraphItem) => view.used_at,
  usedBy: ({ view }: GraphItem) => view.used_by,
}

const LOOKED_UP = {
  description: async ({ whole }: GraphItem) => latest(await whole()).description,
  consequence: async ({ whole }: GraphItem) => latest(await whole()).consequence,
  config: async ({ whole }: GraphItem) => configOf(await whole()),
  reviewNotes: async ({ whole }: GraphItem) => notesOf(await whole()),
  answer: async ({ whole }: GraphItem) => (await whole()).decision?.answer ?? null,
  decisionValues: async ({ whole }: GraphItem) => (await whole()).decision?.values ?? null,
  warrant: async ({ whole }: GraphItem) => (await whole()).decision?.warrant ?? null,
  actions: async ({ whole }: GraphItem) => (await whole()).actions,
  revisions: async ({ whole }: GraphItem) => (await whole()).revisions,
  async changes(
    { view, whole }: GraphItem,
    { fromRevision, toRevision }: { fromRevision?: number; toRevision?: number },
    { ask }: GraphCall,
  ) {
    if (fromRevision == null && toRevision == null) return (await whole()).changes
    const between = { from_revision: fromRevision, to_revision: toRevision }
    const raw = { request: view.request_id, ...between }
    return (await ask<RequestAnswer>('request get', raw)).changes
  },
  comments: async ({ whole }: GraphItem) => entriesOf(await whole()).filter(isComment),
  async links({ view, whole }: GraphItem): Promise<ItemLink[]> {
    const { request_id } = view
    return (await whole()).links.map(({ thread_id }) => ({ request_id, thread_id }))
  },
  effect: async ({ whole }: GraphItem) => (await whole()).effect,
  agentWorkspaceRun: async ({ whole }: GraphItem) => (await whole()).agent_run,
  linkedThreads: async ({ whole }: GraphItem) => (await whole()).links,
  activity: async ({ whole }: GraphItem) => entriesOf(await whole()),
  updatedAt: async ({ view, whole }: GraphItem) =>
    (await whole()).activity.at(-1)?.at ?? view.created_at,
}

/** The activity log's names for actions. */
const ACTIONS: Record<string, string> = {
  create: 'created',
  approve: 'approved',
  reject: 'rejected',
  revise: 'revision_requested',
  resubmit: 'resubmitted',
  cancel: 'cancelled',
  expire: 'expired',
  comment: 'commented',
  link: 'linked',
  unlink: 'unlinked',
  hold: 'held',
  escalate: 'escalated',
  remind: 'reminded',
  undo: 'undone',
  use: 'used',
}

export function actionOf({ action }: ActivityView): string {
  return `inbox_item.${ACTIONS[action] ?? action}`
}

export const ITEM_TYPES = {
  InboxItem: { ...ON_VIEW, ...LOOKED_UP },
  InboxItemRevision: {
    revision: ({ revision }: RevisionView) => revision,
    title: ({ title }: RevisionView) => title,
    description: ({ description }: RevisionView) => description,
    consequence: ({ consequence }: RevisionView) => consequence,
    config: ({ payload }: RevisionView) => payload,
    configSha256: ({ payload_sha256 }: RevisionView) => payload_sha256,
    submittedBy: ({ by }: RevisionView) => by,
    createdAt: ({ at }: RevisionView) => at,
  },
  InboxItemComment: {
    id: ({ message_id }: ActivityEntry) => message_id,
    inboxItemId: ({ request_id }: ActivityEntry) => request_id,
    tenantId: (_: ActivityEntry, __: object, { tenant }: GraphCall) => tenant,
    authorId: ({ actor }: ActivityEntry) => actor,
    content: ({ notes }: ActivityEntry) => notes,
    createdAt: ({ at }: ActivityEntry) => at,
  },
  InboxItemLink: {
    id: ({ request_id, thread_id }: ItemLink) => `${request_id}:${thread_id}`,
    inboxItemId: ({ request_id }: ItemLink) => request_id,
    tenantId: (_: ItemLink, __: object, { tenant }: GraphCall) => tenant,
    linkedType: () => 'thread',
    linkedId: ({ thread_id }: ItemLink) => thread_id,
  },
  InboxItemEffect: {
    state: ({ state }: EffectView) => state,
    attempt: ({ attempt }: EffectView) => attempt,
    queuedAt: ({ queued_at }: EffectView) => queued_at,
    startedAt: ({ started_at }: EffectView) => started_at,
    endedAt: ({ ended_at }: EffectView) => ended_at,
    exitCode: ({ exit_code }: EffectView) => exit_code,
    reason: ({ reason }: EffectView) => orNull(reason),
  },
  LinkedThread: {
    id: ({ thread_id }: LinkedThread) => thread_id,
    kind: ({ kind }: LinkedThread) => kind,
    title: ({ subject }: LinkedThread) => subject,
    status: ({ status }: LinkedThread) => status,
  },
  ActivityLogEntry: {
    id: ({ event_id }: ActivityEntry) => String(event_id),
    tenantId: (_: ActivityEntry, __: object, { tenant }: GraphCall) => tenant,
    actorId: ({ actor }: ActivityEntry) => actor,
    action: actionOf,
    entityType: () => 'inbox_item',
    entityId: ({ request_id }: ActivityEntry) => request_id,
    fromStatus: ({ from }: ActivityEntry) => upper(from),
    toStatus: ({ to }: ActivityEntry) => upper(to),
    revision: ({ revision }: ActivityEntry) => revision,
    notes: ({ notes }: ActivityEntry) => notes,
    createdAt: ({ at }: ActivityEntry) => at,
  },
}

/** Whether a list requests fields that need a lookup per item. */
export function looksUpItems({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const isAsked = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((one) => {
      if (one.kind === Kind.FRAGMENT_SPREAD) return isAsked(fragments[one.name.value]?.selectionSet)
      const isOne = one.kind === Kind.FIELD && Object.hasOwn(LOOKED_UP, one.name.value)
      return isOne || isAsked(one.selectionSet)
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => isAsked(selectionSet))
}
