import {
  buildSchema,
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql'
import { quote, Refusal, refuse } from '../../../core/error.ts'
import {
  type AgentRunList,
  type AgentRunView,
  unknownAgentRun,
} from '../../../ops/requests/agent-runs.ts'
import type { RequestAnswer } from '../../../ops/requests/request-get.ts'
import type { LinkAnswer } from '../../../ops/requests/request-link.ts'
import type { RequestList } from '../../../ops/requests/request-list.ts'
import type { GraphCall } from './calls.ts'
import {
  actionOf,
  entriesOf,
  type GraphItem,
  ITEM_TYPES,
  type ItemLink,
  itemNamed,
  itemOf,
  looksUpItems,
} from './items.ts'
import { giveScalars, inSnakeCase, lower, orNull, upper } from './scalars.ts'
import { SDL } from './sdl.gen.ts'

/** The maximum length of a list whose items can each be looked up. */
const LOOKED_UP_ITEMS = 50
const LONGEST_LOG = 1000

/** The filters that aren't just an operation's field in camel case. */
type ItemFilter = Record<string, unknown> & {
  tenantId?: string | null
  tab: string
  status?: string | null
  limit: number
}

type LogFilter = {
  tenantId?: string | null
  entityType: string
  entityId: string
  actorId?: string | null
  action?: string | null
  after?: string | null
  before?: string | null
  limit: number
}

type ItemPage = Omit<RequestList, 'requests'> & { items: GraphItem[] }

/** A tenant is a store, and a caller is known in only one store. */
function mustBeOwn(tenantId: string | null | undefined, { tenant }: GraphCall): void {
  if (tenantId == null || tenantId === tenant) return
  throw refuse.not_found`there is no tenant ${quote(tenantId)}; leave tenantId out, or give what /api/me calls store`
}

async function pageOf(
  _: unknown,
  { tenantId, requesterId: from, recipientId: to, tab, status, limit, ...rest }: ItemFilter,
  call: GraphCall,
  info: GraphQLResolveInfo,
): Promise<ItemPage> {
  mustBeOwn(tenantId, call)
  if (limit > LOOKED_UP_ITEMS && looksUpItems(info))
    throw refuse.invalid_input`limit ${limit} is for what a list itself has: at most ${LOOKED_UP_ITEMS} items come with their config, description, notes, comments or activity`
  call.list(limit)
  const words = { tab: lower(tab), status: lower(status) }
  const raw = { ...inSnakeCase(rest), ...words, from, to, limit }
  const { requests, ...page } = await call.ask<RequestList>('request list', raw)
  return { ...page, items: requests.map((view) => itemOf(view, call)) }
}

const QUERY_TYPES = {
  Query: {
    inboxItems: async (...asked: Parameters<typeof pageOf>) => (await pageOf(...asked)).items,
    inboxItemPage: pageOf,
    inboxItem(_: unknown, { tenantId, id }: { tenantId?: string; id: string }, call: GraphCall) {
      mustBeOwn(tenantId, call)
      return itemNamed(id, call)
    },
    async activityLog(_: unknown, filter: LogFilter, call: GraphCall) {
      mustBeOwn(filter.tenantId, call)
      const { entityType, entityId: request, actorId, action, after, before, limit } = filter
      if (entityType !== 'inbox_item')
        throw refuse.invalid_input`there is no log of ${quote(entityType)}; entityType is inbox_item, and entityId the id of one`
      if (limit < 1 || limit > LONGEST_LOG)
        throw refuse.invalid_input`limit ${limit} is out of range: 1 to ${LONGEST_LOG}`
      const answer = await call.ask<RequestAnswer>('request get', { request })
      return entriesOf(answer)
        .filter(
          (one) =>
            (actorId ?? one.actor) === one.actor &&
            (action ?? actionOf(one)) === actionOf(one) &&
            (after == null || one.at > after) &&
            (before == null || one.at < before),
        )
        .slice(-limit)
    },
  },
  InboxItemPage: {
    items: ({ items }: ItemPage) => items,
    hasMore: ({ has_more }: ItemPage) => has_more,
    nextBefore: ({ next_before }: ItemPage) => next_before,
    pending: ({ pending }: ItemPage) => pending,
    resolved: ({ resolved }: ItemPage) => resolved,
    types: ({ types }: ItemPage) => types,
  },
}

type GivenText = string | null
type WithRetryKey = { idempotencyKey?: GivenText }
type AboutRevision<Input> = WithRetryKey & { id: string; revision: number; input?: Input | null }

/** Fields of a request whose name or case differs here. All others differ only by being in camel case. */
type CreateInput = Record<string, unknown> & {
  tenantId?: GivenText
  risk?: GivenText
  policy?: GivenText
  onExpiry?: GivenText
}
type ApproveInput = NotesInput & {
  answer?: GivenText
  decisionValues?: unknown
  config?: unknown
}
type NotesInput = { reviewNotes?: GivenText; graceSeconds?: number | null }
type ResubmitInput = {
  title?: GivenText
  description?: GivenText
  config?: unknown
  consequence?: GivenText
}
type CommentInput = { inboxItemId: string; content: string }
type LinkInputs = { inboxItemId: string; linkedType: string; linkedId: string }

async function changeItem(
  call: GraphCall,
  name: string,
  { id, revision, idempotencyKey }: WithRetryKey & { id: string; revision?: number },
  more: Record<string, unknown> = {},
): Promise<GraphItem> {
  await call.ask(name, { request: id, revision, idempotency_key: idempotencyKey, ...more })
  return itemNamed(id, call)
}

function decide(
  call: GraphCall,
  name: string,
  given: AboutRevision<NotesInput>,
  more: Record<string, unknown> = {},
): Promise<GraphItem> {
  const { reviewNotes: notes, graceSeconds: grace_seconds } = given.input ?? {}
  return changeItem(call, name, given, { notes, grace_seconds, ...more })
}

const MUTATIONS = {
  async createInboxItem(
    _: unknown,
    { input, idempotencyKey }: WithRetryKey & { input: CreateInput },
    call: GraphCall,
  ) {
    const { tenantId, requesterId: agent, recipientId: to, ...named } = input
    const { config: payload, workspaceId: workspace, risk, policy, onExpiry, ...rest } = named
    mustBeOwn(tenantId, call)
    const { request_id } = await call.ask<{ request_id: string }>('request create', {
      ...inSnakeCase(rest),
      agent,
      to,
      payload,
      workspace,
      risk: lower(risk),
      policy: lower(policy),
      on_expiry: lower(onExpiry),
      idempotency_key: idempotencyKey,
    })
    return itemNamed(request_id, call)
  },
  approveInboxItem(_: unknown, given: AboutRevision<ApproveInput>, call: GraphCall) {
    const { answer, decisionValues: values, config: payload } = given.input ?? {}
    return decide(call, 'approve', given, { answer, values, payload })
  },
  rejectInboxItem: (_: unknown, given: AboutRevision<NotesInput>, call: GraphCall) =>
    decide(call, 'reject', given),
  requestRevisionInboxItem: (_: unknown, given: AboutRevision<NotesInput>, call: GraphCall) =>
    decide(call, 'request-revision', given),
  resubmitInboxItem(_: unknown, given: AboutRevision<ResubmitInput>, call: GraphCall) {
    const { config: payload, ...words } = given.input ?? {}
    return changeItem(call, 'resubmit', given, { payload, ...words })
  },
  cancelInboxItem(
    _: unknown,
    given: WithRetryKey & { id: string; input?: { reason?: GivenText } | null },
    call: GraphCall,
  ) {
    return changeItem(call, 'cancel-request', given, { reason: given.input?.reason })
  },
  undoInboxItemDecision: (_: unknown, given: WithRetryKey & { id: string }, call: GraphCall) =>
    changeItem(call, 'undo-decision', given),
  async addInboxItemComment(
    _: unknown,
    { input, idempotencyKey }: WithRetryKey & { input: CommentInput },
    call: GraphCall,
  ) {
    const { message_id } = await call.ask<{ message_id: string }>('comment', {
      request: input.inboxItemId,
      body: input.content,
      idempotency_key: idempotencyKey,
    })
    const { whole } = await itemNamed(input.inboxItemId, call)
    return entriesOf(await whole()).find((one) => one.message_id === message_id)
  },
  async addInboxItemLink(
    _: unknown,
    { input, idempotencyKey }: WithRetryKey & { input: LinkInputs },
    call: GraphCall,
  ): Promise<ItemLink> {
    const { inboxItemId: request, linkedType, linkedId: thread } = input
    if (linkedType !== 'thread')
      throw refuse.invalid_input`input.linkedType ${quote(linkedType)} cannot be linked; link a thread`
    await call.ask('request link', { request, thread, idempotency_key: idempotencyKey })
    return { request_id: request, thread_id: thread }
  },
  async removeInboxItemLink(
    _: unknown,
    { id, idempotencyKey }: WithRetryKey & { id: string },
    call: GraphCall,
  ): Promise<boolean> {
    const [request = '', thread, ...more] = id.split(':')
    if (thread === undefined || more.length > 0)
      throw refuse.not_found`there is no link ${quote(id)}; links of inboxItem has their ids`
    const raw = { request, thread, idempotency_key: idempotencyKey }
    return (await call.ask<LinkAnswer>('request unlink', raw)).changed
  },
}

// Deciding a review means deciding its request, so one operation changes both.
type ReviewInput = { responseMarkdown?: string | null; graceSeconds?: number | null }
type AboutReview = {
  runId: string
  reviewId: string
  revision: number
  input?: ReviewInput | null
  idempotencyKey?: string | null
}

async function runNamed(agent_run: string, { ask }: GraphCall): Promise<AgentRunView> {
  const { agent_runs } = await ask<AgentRunList>('agent runs', { agent_run })
  const [run] = agent_runs
  if (run === undefined) throw unknownAgentRun(agent_run)
  return run
}

/** Refuses the decision if the run has moved on to another review. */
function reviewOf({ agent_run_id, review_id, request_id }: AgentRunView, reviewId: string): string {
  if (request_id !== '' && review_id === reviewId) return request_id
  const why =
    request_id === ''
      ? 'has a review without an item; create it with /api/ops/request-backfill'
      : `is at review ${quote(review_id)}, but you named ${quote(reviewId)}; look at it again`
  throw new Refusal('invalid_state', `agent run ${agent_run_id} ${why}`, {
    agent_run_id,
    review_id,
  })
}

function makeReviewMutation(name: string) {
  return async (_: unknown, given: AboutReview, call: GraphCall): Promise<AgentRunView> => {
    const { runId, reviewId, revision, input, idempotencyKey } = given
    const request = reviewOf(await runNamed(runId, call), reviewId)
    await call.ask(name, {
      request,
      revision,
      notes: input?.responseMarkdown,
      grace_seconds: input?.graceSeconds,
      idempotency_key: idempotencyKey,
    })
    return runNamed(runId, call)
  }
}

const REVIEW_MUTATIONS = {
  acceptAgentWorkspaceReview: makeReviewMutation('approve'),
  cancelAgentWorkspaceReview: makeReviewMutation('reject'),
  resumeAgentWorkspaceRun: makeReviewMutation('request-revision'),
}

const RUN_TYPES = {
  AgentWorkspaceRun: {
    id: ({ agent_run_id }: AgentRunView) => agent_run_id,
    tenantId: (_: AgentRunView, __: object, { tenant }: GraphCall) => tenant,
    agentId: ({ agent_id }: AgentRunView) => agent_id,
    status: ({ status }: AgentRunView) => upper(status),
    reviewId: ({ review_id }: AgentRunView) => review_id,
    reviewStatus: ({ review_status }: AgentRunView) => upper(review_status),
    responseMarkdown: ({ response_markdown }: AgentRunView) => orNull(response_markdown),
    routing: ({ routing }: AgentRunView) => routing,
    warning: ({ warning }: AgentRunView) => orNull(warning),
    inboxItem({ request_id }: AgentRunView, _: object, call: GraphCall) {
      return request_id === '' ? null : itemNamed(request_id, call)
    },
    createdAt: ({ began_at }: AgentRunView) => began_at,
    updatedAt: ({ updated_at }: AgentRunView) => updated_at,
  },
}

type Resolver = GraphQLFieldResolver<unknown, GraphCall>

export const RESOLVERS = {
  ...QUERY_TYPES,
  ...ITEM_TYPES,
  ...RUN_TYPES,
  Mutation: { ...MUTATIONS, ...REVIEW_MUTATIONS },
} as unknown as Record<string, Record<string, Resolver>>

export function makeSchema(): GraphQLSchema {
  const schema = buildSchema(SDL, { noLocation: true })
  giveScalars(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const resolve = RESOLVERS[type.name]?.[field.name] ?? defaultFieldResolver
      field.resolve = isLeafType(getNamedType(field.type)) ? countValues(resolve) : resolve
    }
  }
  return schema
}

/** Counts the resolved values. Most are available synchronously, and counting doesn't change that. */
function countValues(resolve: Resolver): Resolver {
  return (source, args, call, info) => {
    const count = (value: unknown) => {
      call.spend(value)
      return value
    }
    const value = resolve(source, args, call, info)
    return value instanceof Promise ? value.then(count) : count(value)
  }
}
