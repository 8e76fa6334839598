// The mutations: each runs one operation and then returns the item's current state.

import { quote, refuse } from '../../../core/error.ts'
import type { LinkAnswer } from '../../../ops/requests/request-link.ts'
import type { GraphCall } from './calls.ts'
import { entriesOf, type GraphItem, type ItemLink, itemNamed } from './items.ts'
import { mustBeOwn } from './queries.ts'
import { inSnakeCase, lower } from './scalars.ts'

type GivenText = string | null
type WithRetryKey = { idempotencyKey?: GivenText }
type AboutRevision<Input> = WithRetryKey & { id: string; revision: number; input?: Input | null }

/** The fields of a request that have another name or case here. All others are only spelled differently. */
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

export const MUTATIONS = {
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
