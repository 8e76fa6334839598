// A letter is a message before it's sent. This module gives it recipients, a thread and a hop count.

import { isRole, queueOf } from '../../core/agents/address.ts'
import {
  type Agent,
  isOrchestrator,
  isPerson,
  ORCHESTRATOR,
  type SeenAgent,
} from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import type { NamedMessage } from '../../core/inbox/inbox-reads.ts'
import { KINDS } from '../../core/kinds.ts'
import type { PostWish } from '../../core/mail/mail.ts'
import { isClaimed, type Principal } from '../../core/principal.ts'
import type { Tx } from '../../core/store.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import { hopsOf, type Message } from '../../core/threads/message.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { kindOf, type MailType } from '../../core/vocabulary.ts'
import { introduce } from '../agents/introduce.ts'
import { warnOfRole, warnOfStranger } from '../agents/strangers.ts'
import { agentNamed, resolve } from '../inbox/resolve.ts'
import { lockThread, summaryOf } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'

export type Letter = {
  from: string
  to?: string | undefined
  type?: MailType | undefined
  subject?: string | undefined
  body?: string | undefined
  metadata?: string | undefined
  issue?: string | undefined
  about_agent?: string | undefined
  in_reply_to?: string | undefined
  expires_seconds?: number | undefined
}

/** `state` is the thread of the message being answered; null if the letter starts a thread. */
export type AddressedLetter = {
  state: ThreadState | null
  now: Instant
  posting: PostWish
  addressee: SeenAgent | null
  /** A warning that no one has this name or role yet. */
  warning: string | undefined
}

export async function addressLetter(
  { caller }: Pick<Context, 'caller'>,
  tx: Tx,
  letter: Letter,
): Promise<AddressedLetter> {
  const isByClaim = isClaimed(caller.principal)
  const { from, type = 'custom' } = letter
  const target = letter.to === undefined ? null : agentNamed(letter.to)
  const [begun, known, named, addressee, answered, got] = await Promise.all([
    tx.now(),
    tx.agent(from),
    tx.knownAgents([from]),
    target === null ? null : tx.agent(target),
    letter.in_reply_to === undefined ? null : tx.message(letter.in_reply_to),
    letter.in_reply_to === undefined ? [] : tx.named(from, [letter.in_reply_to]),
  ])
  if (letter.in_reply_to !== undefined) {
    await mustBeAnswerable(tx, letter.in_reply_to, { from, known, isByClaim, answered, got })
  }
  // Lock names before threads, as every writer that needs both does.
  const isNew = known === null && !isPerson(from)
  const takes = answered === null
  const agent = isNew ? await introduce(tx, from, { by: from, now: begun, takes }) : known
  const isStranger = target !== null && addressee === null && target !== from
  // A stop message is only for agents that exist, and a limited token can't introduce agents.
  const isWelcome = isStranger && type !== 'cancel' && !isLimited(caller.principal)
  const hearer = isWelcome
    ? await introduce(tx, target, { by: from, now: begun, takes: false })
    : addressee
  const warning = isWelcome ? await warnOfStranger(tx, target, from) : undefined
  const locked = answered === null ? null : await lockThread(tx, answered.thread_id)
  const now = locked?.now ?? begun
  const mayReachPeople = locked !== null && opensWay(locked.state.thread, from)
  const to = letter.to ?? whoWrote(answered as Message, from)
  const one = target === null ? undefined : hearer
  const sender = { from, agent, isClaimed: isByClaim, now, addressee: one, mayReachPeople }
  const recipients = await resolve(tx, sender, to, type)
  const posting: PostWish = {
    from,
    address: to,
    recipients,
    kind: kindOf(type),
    words: {
      summary: summaryOf({ summary: letter.subject, body: letter.body }),
      body: letter.body ?? '',
      payload_json: letter.metadata ?? '{}',
      in_reply_to: letter.in_reply_to,
      issue_id: letter.issue,
      agent_id: letter.about_agent,
      hops: hopsOf(from, answered, named[0]?.hops ?? null),
    },
    expires_at:
      letter.expires_seconds === undefined ? null : plusSeconds(now, letter.expires_seconds),
  }
  return {
    state: locked?.state ?? null,
    now,
    posting,
    addressee,
    warning: warning ?? (await warnOfQueue(tx, recipients)),
  }
}

/** No warning for the orchestrator, because mail for it often arrives before there is one. */
async function warnOfQueue(tx: Tx, [recipient = '']: string[]): Promise<string | undefined> {
  if (!isRole(recipient) || recipient === queueOf(ORCHESTRATOR)) return undefined
  return warnOfRole(tx, recipient.slice('role:'.length))
}

function isLimited(principal: Principal | undefined): boolean {
  return principal?.sets !== undefined || principal?.workspace_id !== undefined
}

/**
 * An agent that replies takes part in the thread from then on and sees all of it. So it may only reply to a message
 * that it sent or received, or that's waiting for its role. Mail between others is refused as if it didn't exist.
 * Threads that every agent can see are exempt: if letters aren't allowed there, they're refused later, with a hint
 * about how to reply.
 */
async function mustBeAnswerable(
  tx: Tx,
  messageId: string,
  asked: {
    from: string
    known: Agent | null
    isByClaim: boolean
    answered: Message | null
    got: NamedMessage[]
  },
): Promise<void> {
  const { from, known, isByClaim, answered, got } = asked
  const isTrusted = isPerson(from) || (!isByClaim && isOrchestrator(from, known))
  if (answered !== null) {
    if (isTrusted || answered.from_agent === from || isFor(got)) return
    const role = known?.role ?? ''
    if (role !== '' && isFor(await tx.named(queueOf(role), [messageId]))) return
    const state = await tx.thread(answered.thread_id)
    if (state !== null && KINDS[state.thread.kind].sight.agent === 'all') return
  }
  const whose = isTrusted ? 'to answer' : `that ${from} sent or got`
  throw refuse.not_found`there is no message ${messageId} ${whose}; see ${operation('mail history')}`
}

/** Whether the sender started the thread and its kind lets the sender reach people, even if it may not elsewhere. */
function opensWay({ kind, created_by }: Thread, from: string): boolean {
  return created_by === from && KINDS[kind].letters?.reachPeople === true
}

function isFor(named: readonly NamedMessage[]): boolean {
  return named.some(({ state }) => state !== null)
}

function whoWrote({ message_id, from_agent }: Message, from: string): string {
  if (from_agent !== from && from_agent !== SYSTEM) return from_agent
  throw refuse.invalid_input`${field('to')} is missing: ${message_id} is from ${from_agent}; say who this is for`
}
