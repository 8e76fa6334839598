// An entry is one message of a channel, as agents, people and files see it. Its text is the message's body. Mentions
// and priority are stored with it, because later readers can't know who was a member at the time.

import { isPerson, USER } from '../agents/agent.ts'
import { type SpokenEvent, SYSTEM, type ThreadEvent } from '../event.ts'
import { readStored } from '../shallow.ts'
import { newThread, type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import { firstLine, type Message } from '../threads/message.ts'
import type { Instance } from './instance.ts'
import { ENTRY_PRIORITIES, type EntryPriority } from './mentions.ts'

/** The maximum length of an entry. What doesn't fit goes into a document. */
export const ENTRY_LETTERS = 8000
/** A long message is cut at a line end if there is one this close to the limit, because it reads better. */
const NEAR = 400

const STARTED_WORDS = 'Workflow started'

export type ChannelEntry = {
  /** The message's id. */
  id: string
  /** The entry's position in the channel, counting from 1. */
  seq: number
  timestamp: string
  /** The name of a member, `user` or another person, or `system`. */
  from: string
  message: string
  mentions: string[]
  reply_to: string | null
}

export type EntryMessage = Pick<
  Message,
  'message_id' | 'seq' | 'from_agent' | 'body' | 'payload_json' | 'created_at' | 'in_reply_to'
>

type EntryNotes = { mentions: string[]; priority: EntryPriority }

export function entryOf(message: EntryMessage, instance: string): ChannelEntry {
  const { message_id: id, seq, from_agent, body, created_at, in_reply_to } = message
  return {
    id,
    seq,
    timestamp: created_at,
    from: nameIn(from_agent, instance),
    message: body,
    mentions: notesOf(readStored(message.payload_json)).mentions,
    reply_to: in_reply_to,
  }
}

/** Reads the metadata of an entry. Checks every field, because an imported channel can contain any data. */
export function notesOf(data: unknown): EntryNotes {
  const said = Object(data) as Partial<Record<keyof EntryNotes, unknown>>
  const mentions: unknown[] = Array.isArray(said.mentions) ? said.mentions : []
  const priority = ENTRY_PRIORITIES.find((one) => one === said.priority) ?? 'normal'
  return { mentions: mentions.filter((one) => typeof one === 'string'), priority }
}

/** The name that members use for each other, which is the id without the instance. */
export function nameIn(agentId: string, instance: string): string {
  const end = `@${instance}`
  return agentId.endsWith(end) ? agentId.slice(0, -end.length) : agentId
}

/** The recipient of a mention. */
export function recipientOf(name: string, { members }: Pick<Instance, 'members'>): string {
  return members.find((member) => member.name === name)?.agent_id ?? USER
}

export type EntryWish = EntryNotes & {
  from: string
  text: string
  recipients: string[]
  reply_to?: string | undefined
  hops: number
}

/** Opens a channel with the system's first entry. */
export function openChannel(
  want: { thread_id: string; instance: string; run: number; workflow: string },
  stamp: Stamp,
): SpokenEvent {
  const { thread_id, instance, run, workflow } = want
  const words = wordsOf({ text: STARTED_WORDS, mentions: [], priority: 'normal', hops: 0 })
  const said = { from: SYSTEM, to: `@${instance}`, kind: 'custom', words } as const
  // Only the thread records which instance and start it belongs to.
  const thread = newThread(thread_id, instance, String(run))
  return spokenEvent(thread, say(thread, said, stamp), {
    type: 'channel_open',
    subject: workflow,
    instance,
    recipients: [],
  })
}

export function sayInChannel({ thread }: ThreadState, want: EntryWish, stamp: Stamp): SpokenEvent {
  const { from, recipients, priority, reply_to } = want
  const words = { ...wordsOf(want), in_reply_to: reply_to }
  const to = `@${thread.run_id}`
  const message = say(thread, { from, to, kind: 'custom', words }, stamp)
  return spokenEvent(thread, message, { type: 'channel_say', recipients, priority })
}

/**
 * The system's entry about a message that couldn't be delivered. It replies to the message, and goes to its sender if
 * they can be reached.
 */
export function tellUnreached(
  state: ThreadState,
  told: {
    sender: string | null
    recipients: readonly string[]
    messages: number
    reason: string
    reply_to: string
    hops: number
  },
  stamp: Stamp,
): SpokenEvent {
  const { sender, recipients, messages, reason, reply_to, hops } = told
  const inside = (one: string) => nameIn(one, state.thread.run_id)
  const what = messages === 1 ? 'A message' : `${messages} messages`
  const text = `${what} did not reach ${recipients.map(inside).join(', ')}: ${reason}`
  const mentions = sender === null ? [] : [isPerson(sender) ? USER : inside(sender)]
  const whom = { mentions, recipients: sender === null ? [] : [sender] }
  const words = { from: SYSTEM, text, priority: 'normal', reply_to, hops } as const
  return sayInChannel(state, { ...whom, ...words }, stamp)
}

/** Ends a channel and expires the unread mentions of these recipients. */
export function endChannel(
  { thread }: ThreadState,
  want: { by: string; settles: string[] },
  now: string,
): ThreadEvent {
  const facts = { type: 'channel_end', settles: want.settles } as const
  return silentEvent(thread, want.by, now, facts, 'a new run began')
}

function wordsOf({ text, mentions, priority, hops }: Omit<EntryWish, 'from' | 'recipients'>) {
  return {
    summary: firstLine(text),
    body: text,
    payload_json: JSON.stringify({ mentions, priority }),
    hops,
  }
}

/** Cuts a message that's too long for one entry. The entry says where to find what was cut off. */
export function cutLong(text: string, file: string): { shown: string; rest: string } {
  const tail = (left: number) => `\n\n[the rest, ${left} letters, is in the document ${file}]`
  const room = ENTRY_LETTERS - tail(text.length).length
  const line = text.lastIndexOf('\n', room)
  const wanted = line > room - NEAR ? line : room
  // Don't split a surrogate pair.
  const at = text.slice(0, wanted).isWellFormed() ? wanted : wanted - 1
  const rest = text.slice(at).replace(/^\n/, '')
  return { shown: `${text.slice(0, at)}${tail(rest.length)}`, rest }
}
