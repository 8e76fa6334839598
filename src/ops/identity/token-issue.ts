import { isPerson, isReserved, personId, USER } from '../../core/agents/agent.ts'
import { field, quote, refuse } from '../../core/error.ts'
import { TOKEN_HASH, type Token, type TokenHolder } from '../../core/identity/token.ts'
import { TOKENS, type TokenFacts } from '../../core/identity/token-record.ts'
import { LONGEST_LABEL } from '../../core/identity/workspace.ts'
import { GRANTS, TOOL_SETS } from '../../core/principal.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { introduceAll } from '../agents/introduce.ts'
import {
  endOf,
  mustBeNoAgent,
  mustBeNoService,
  mustBeOwnPerson,
  mustBeUnlimited,
  mustKnowPerson,
} from '../agents/known-person.ts'
import { aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { choices, flag, type Input, id, int, name, text } from '../kit/field.ts'
import { type Context, mutation, PEOPLE } from '../kit/operation.ts'
import { makeSecret } from './identify.ts'
import { TOKEN, type TokenView, viewToken } from './token-list.ts'
import { mustBeAgent, presentWorkspace } from './workspace-view.ts'

const DAY = 86_400

const FIELDS = {
  name: name("who it is for; without it, the workspace's default agent", { positional: true }),
  service: flag('issue it for a program that is neither an agent nor a person'),
  workspace: id('the only workspace whose pushes it is for'),
  sets: choices(TOOL_SETS, 'only these tools and operations', { leftOut: 'all' }),
  may: choices(GRANTS, 'for a service: additional rights'),
  label: text('a note for people: where it is used', { max: LONGEST_LABEL }),
  days: int('how many days it is valid', { min: 1, max: 3650, leftOut: 'until it is revoked' }),
}

export const tokenIssue = mutation({
  name: 'token issue',
  example: 'token issue worker',
  summary: 'Create a token for an agent, a person or a program, and show it once.',
  about:
    "A caller that presents the token to a server (Authorization: Bearer) counts as the one it was issued for, in this store only. user and user:NAME are people; every other name is an agent, or with --service a program that maintains the store. With --workspace the token can push only from that folder and see only its pushes, and is for the workspace's default agent unless a name is given; for a person or a service it gives access only to these pushes. With --may decide a service can decide requests as people do. The store keeps only a digest, so revoke and replace a lost token.",
  fields: FIELDS,
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check(input) {
    if (input.name === undefined && (input.workspace === undefined || input.service))
      throw refuse.invalid_input`${field('name')} is missing: say who the token is for, or give ${field('workspace')}`
    if (input.may !== undefined && !input.service)
      throw refuse.invalid_input`${field('may')} is for services: a person decides without it, and an agent never does`
    const isForPushes =
      input.workspace !== undefined && (input.service || isPerson(input.name ?? ''))
    if (isForPushes && input.sets?.some((set) => set !== 'workspace'))
      throw refuse.invalid_input`a token of a person or a service for one workspace is for its pushes alone; leave out ${field('sets')}, or ${field('workspace')}`
    if (input.name === undefined) return
    if (input.service && (isPerson(input.name) || isReserved(input.name)))
      throw refuse.invalid_input`${quote(input.name)} cannot be the name of a service`
    if (!isPerson(input.name)) mustBeAgent(input.name, 'the name')
    else if (personId(input.name) !== input.name)
      throw refuse.invalid_input`${quote(input.name)} does not name a person; write user:NAME`
  },
  async run(context, input): Promise<IssueAnswer> {
    mustBeUnlimited(context.caller.principal)
    const by = context.caller.agent ?? USER
    if (input.name !== undefined && isPerson(input.name)) {
      mustBeOwnPerson(context.caller.principal, input.name)
    }
    const call = { op: 'token issue', agent: by, input }
    return issue(context, call, (tx, now) => decide(tx, input, { by, now }))
  },
  answer: {
    token: orNull(aText('the secret that a caller shows; null for a retry')),
    issued: TOKEN,
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawIssued(answer, page),
})

async function decide(
  tx: Tx,
  wish: Input<typeof FIELDS>,
  told: { by: string; now: Instant },
): Promise<TokenOrder> {
  const workspace = wish.workspace === undefined ? null : await presentWorkspace(tx, wish.workspace)
  const holder = wish.name ?? (workspace?.default_agent as string)
  const principal_kind = kindOf(holder, wish.service ?? false)
  if (principal_kind === 'person') await mustKnowPerson(tx, holder)
  if (principal_kind === 'service') await mustBeNoAgent(tx, holder)
  if (principal_kind === 'agent') {
    await mustBeNoService(tx, holder, told.now)
    await introduceAll(tx, [holder], told)
  }
  return {
    kind: 'token',
    principal_kind,
    principal_name: holder,
    workspace_id: workspace?.workspace_id ?? null,
    sets: wish.sets ?? [],
    ...(wish.may === undefined || wish.may.length === 0 ? {} : { may: wish.may }),
    label: wish.label ?? '',
    seconds: wish.days === undefined ? null : wish.days * DAY,
  }
}

function kindOf(name: string, isService: boolean): TokenHolder {
  if (isService) return 'service'
  return isPerson(name) ? 'person' : 'agent'
}

export type TokenOrder = Omit<
  Extract<TokenFacts, { type: 'token_issue' }>,
  'type' | 'token_id' | 'expires_at'
> & {
  seconds: number | null
}

export type IssueAnswer = {
  /** Null for a retry: only the first answer has the token. */
  token: string | null
  issued: TokenView
  next_event_id: number
}

/**
 * Issues a token, a sign-in code or any other credential whose secret is shown once.
 *
 * (1) The secret is made outside the transaction and isn't part of its result: the result is kept for retries and would
 *     keep the secret with it.
 * (2) A retry with the same idempotency key therefore finds the token issued and its secret gone.
 * (3) A token issued with another token doesn't outlive it.
 */
export async function issue(
  context: Context,
  call: { op: string; agent: string; input: object & { idempotency_key?: string | undefined } },
  decide: (tx: Tx, now: Instant) => Promise<TokenOrder>,
  make: typeof makeSecret = makeSecret,
): Promise<IssueAnswer> {
  const token_id = context.makeId('token')
  const { secret, hash } = await make(token_id)
  const { issued, next_event_id } = await commit(context, call, async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    const { seconds, ...wanted } = await decide(tx, now)
    const wish = seconds === null ? null : plusSeconds(now, seconds)
    // Don't outlive the caller's token; see (3).
    const end = await endOf(tx, context.caller.principal)
    const expires_at = end !== null && (wish === null || wish > end) ? end : wish
    const facts = { type: 'token_issue', token_id, ...wanted, expires_at } as const
    const event = { agent: call.agent, at: now }
    tx.recordStoreEvent({ ...event, facts })
    tx.keep(TOKEN_HASH, { token_id, hash })
    const token: Token = evolveRecord(TOKENS, null, facts, event)
    return { issued: viewToken({ ...token, hash, page_hash: '', last_used_at: '' }, now) }
  })
  return { token: issued.token_id === token_id ? secret : null, issued, next_event_id }
}
