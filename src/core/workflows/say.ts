// Writes an entry to the channel of an instance. Agents' tools, the kickoff, `workflow send` and the web page all use this.
// Every name the text mentions gets a delivery, in the same transaction.

import { isPerson, USER } from '../agents/agent.ts'
import { field, operation, quote, Refusal, refuse, sentence } from '../error.ts'
import { type SpokenEvent, SYSTEM } from '../event.ts'
import type { LockedThread, Tx } from '../store.ts'
import type { Stamp } from '../threads/commands.ts'
import { hopsOf } from '../threads/message.ts'
import {
  type ChannelEntry,
  ENTRY_LETTERS,
  entryOf,
  nameIn,
  recipientOf,
  sayInChannel,
} from './channel.ts'
import { type Instance, memberOf } from './instance.ts'
import { INSTANCES } from './instance-record.ts'
import { mentionable, mentionsIn, priorityOf, strangersIn, type TextRange } from './mentions.ts'

/** How many entries an agent may write in one turn. */
const ENTRIES_IN_TURN = 100

export type SpeakWish = {
  instance: string
  /** The id of an agent or person, or `system`. */
  from: string
  text: string
  /** The id of the entry this one replies to. */
  replyTo?: string | undefined
  /** Names to deliver the entry to, even if the text doesn't mention them. */
  to?: readonly string[] | undefined
  /** The ranges of the text where mentions count. If absent, all mentions count. */
  within?: readonly TextRange[] | undefined
  /** The shortened entry, if the end of a long message went into a document. All mentions in the message count. */
  shown?: string | undefined
}

export type SpokenEntry = {
  entry: ChannelEntry
  thread_id: string
  recipients: string[]
  /** Mentioned names that don't exist here, and the names that do. */
  strangers: string[]
  names: string[]
  event: SpokenEvent
}

/** `makeStamp` creates the message id. It gets the time at which the channel was locked. */
export async function sayTo(
  tx: Tx,
  want: SpeakWish,
  makeStamp: (now: string) => Stamp,
): Promise<SpokenEntry> {
  const { instance: name, from, text, replyTo } = want
  mustFit(want)
  const [known, answered] = await Promise.all([
    tx.knownAgents([from]),
    replyTo === undefined ? null : tx.message(replyTo),
  ])
  const { instance, locked } = await lockChannel(tx, name)
  const { thread } = locked.state
  mustTakePart(instance, from)
  if (replyTo !== undefined && answered?.thread_id !== thread.thread_id)
    throw refuse.not_found`there is no entry ${replyTo} in the channel of ${name}; see ${operation('workflow context read')}`
  await mustLeaveRoom(tx, from, thread.thread_id)
  const self = isPerson(from) ? USER : nameIn(from, name)
  const names = mentionable(instance.members)
  const called = (want.to ?? []).map((one) => calledBy(one, instance, names))
  const rules = { names, self, within: want.within }
  const inText = mentionsIn(text, rules)
  const mentions = [...new Set([...called, ...inText])].filter((one) => one !== self)
  const wish = {
    from,
    text: want.shown ?? text,
    mentions,
    priority: priorityOf(text, mentions),
    recipients: mentions.map((one) => recipientOf(one, instance)),
    reply_to: replyTo,
    hops: from === SYSTEM ? 0 : hopsOf(from, answered, known[0]?.hops ?? null),
  }
  const event = sayInChannel(locked.state, wish, makeStamp(locked.now))
  tx.record(locked.state, event)
  const { thread_id } = thread
  const entry = entryOf(event.message, name)
  const { recipients } = wish
  return { entry, thread_id, recipients, strangers: strangersIn(text, rules), names, event }
}

/** Locks the channel of the instance. A new start may replace the channel between reading it and locking it. */
async function lockChannel(
  tx: Tx,
  name: string,
): Promise<{ instance: Instance; locked: LockedThread }> {
  for (let asked = ''; ; ) {
    const instance = await tx.rowOf(INSTANCES, name)
    if (instance === null) throw unknownInstance(name)
    if (instance.thread_id === '') throw withoutContext(instance)
    const locked = await tx.lock(instance.thread_id)
    if (locked?.state.thread.status === 'open' && instance.state === 'running') {
      return { instance, locked }
    }
    if (locked === null || instance.thread_id === asked || instance.state === 'ended') {
      throw hasEnded(name)
    }
    asked = instance.thread_id
  }
}

export function unknownInstance(name: string) {
  const said = sentence`there is no instance ${quote(name)}; see ${operation('workflow list')}`
  return new Refusal('not_found', said, { instance: name })
}

export function withoutContext({
  instance,
  standalone,
}: Pick<Instance, 'instance' | 'standalone'>) {
  const to = standalone ? instance : `@${instance}`
  return refuse.invalid_state`${{ instance }} has no context, and so no channel; write to it with ${operation('workflow send', { message: 'TEXT', to })}`
}

function hasEnded(instance: string) {
  return refuse.invalid_state`the run of ${{ instance }} has ended, so no agent would read this; run or resume it first`
}

function mustFit({ text, shown = text }: SpeakWish): void {
  if (text.trim() === '') throw refuse.invalid_input`${field('message')} is empty: say something`
  // Callers split longer messages (src/ops/workflows/say-entry.ts), because that requires writing a file.
  if (shown.length > ENTRY_LETTERS)
    throw refuse.invalid_input`${field('message')} has ${shown.length} characters, and an entry at most ${ENTRY_LETTERS}; put the rest into a document`
}

/** Keeps an agent from flooding the channel, so that others can still read it. */
async function mustLeaveRoom(tx: Tx, from: string, thread: string): Promise<void> {
  if (from === SYSTEM || isPerson(from)) return
  const said = await tx.entriesInTurn({ agent: from, thread, limit: ENTRIES_IN_TURN })
  if (said < ENTRIES_IN_TURN) return
  throw refuse.invalid_state`${from} has sent ${ENTRIES_IN_TURN} entries in this turn, the most that are allowed; put the rest into a document, or end the turn`
}

function mustTakePart(instance: Instance, from: string): void {
  if (from === SYSTEM || isPerson(from) || memberOf(instance, from) !== undefined) return
  throw refuse.forbidden`${from} takes no part in ${instance.instance}; its agents are ${instance.members.map(({ agent_id }) => agent_id).join(', ')}`
}

/** `coder`, `@coder` and `coder@pr-123` all name the same member. */
function calledBy(text: string, { instance, members }: Instance, names: string[]): string {
  const name = nameIn(text.startsWith('@') ? text.slice(1) : text, instance)
  if (names.includes(name)) return name
  throw refuse.not_found`${field('to')} ${quote(text)} is not a member of ${instance}; use one of ${[...members.map((one) => one.name), USER].join(', ')}`
}
