// A log from outside, one entry at a time: what may follow what was admitted before. Whatever passes
// is a log this program could have written, so the store it makes replays, lists and exports.

import { isRole } from '../agents/address.ts'
import { isPerson, USER } from '../agents/agent.ts'
import {
  type DeliveryFacts,
  EVENTS,
  type Facts,
  type LoggedEvent,
  type ThreadEvent,
} from '../event.ts'
import type { TokenFacts } from '../identity/token.ts'
import type { WorkspaceFacts } from '../identity/workspace.ts'
import type { Delivery } from '../inbox/delivery.ts'
import { evolve, type ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import { isWorkedOn } from '../threads/thread.ts'
import type { LogEntry } from './keeper.ts'
import {
  applyStoreEvent,
  applyToDeliveries,
  inboxKey,
  isOfNoThread,
  type Replayed,
  toEvent,
  toStoreEvent,
} from './replay.ts'

export type Admitted = Omit<Replayed, 'reads' | 'messages' | 'problems'> & {
  lastEventId: number
  /** Where each message stands, for read marks. */
  messages: Map<string, { thread_id: string; seq: number }>
  artifacts: Set<string>
  /** Agents whose wake is not over. */
  awake: Set<string>
}

export function nothingAdmitted(): Admitted {
  return {
    lastEventId: 0,
    threads: new Map(),
    messages: new Map(),
    artifacts: new Set(),
    awake: new Set(),
    deliveries: new Map(),
    agents: new Map(),
    people: new Map(),
    wakes: new Map(),
    pushes: new Map(),
    workspaces: new Map(),
    tokens: new Map(),
  }
}

/** Adds the entry and returns the state before it; throws, having changed nothing, if it cannot be. */
export function admit(into: Admitted, { event, message }: LogEntry): ThreadState | null {
  if (event.event_id <= into.lastEventId) throw new Error('its event id is not after the last one')
  const before = into.threads.get(event.thread_id) ?? null
  mustSpeak(event, message)
  if (isOfNoThread(event)) {
    admitStoreEvent(into, event)
    into.lastEventId = event.event_id
    return null
  }
  mustBeOfThread(before, event)
  if (message !== null) mustBeNext(into, before, event, message)
  const change = toEvent(event, message)
  mustBeDelivered(into, change)
  const after = evolve(before, change)
  if (after.thread.status !== event.status) {
    throw new Error(`it says ${event.status}, but the log leads to ${after.thread.status}`)
  }
  into.lastEventId = event.event_id
  into.threads.set(event.thread_id, after)
  applyToDeliveries(into.deliveries, change, {
    event_id: event.event_id,
    assignee: before?.thread.assigned_to ?? null,
  })
  if (message !== null) {
    const { message_id, thread_id, seq } = message
    into.messages.set(message_id, { thread_id, seq })
    for (const { artifact_id } of message.artifacts) into.artifacts.add(artifact_id)
  }
  return before
}

function admitStoreEvent(into: Admitted, logged: LoggedEvent): void {
  const event = toStoreEvent(logged)
  const { facts } = event
  if (facts.type === 'wake_start') {
    if (into.awake.has(facts.agent_id)) {
      throw new Error('it wakes an agent whose last wake is not over')
    }
    if (facts.upto_event >= logged.event_id) throw new Error('it hands over mail from after it')
  }
  if (facts.type === 'wake_end' && into.wakes.get(facts.wake_id)?.agent_id !== facts.agent_id) {
    throw new Error('it ends the wake of another agent')
  }
  if (facts.type === 'workspace_add') mustBeFolderOfItsOwn(into, facts)
  if (facts.type === 'token_issue') mustBeForSomeone(into, facts)
  applyStoreEvent(into, event)
  if (facts.type === 'wake_start') into.awake.add(facts.agent_id)
  if (facts.type === 'wake_end') into.awake.delete(facts.agent_id)
}

function mustBeFolderOfItsOwn(
  { workspaces }: Admitted,
  { workspace_id, path }: Extract<WorkspaceFacts, { type: 'workspace_add' }>,
): void {
  for (const other of workspaces.values()) {
    if (other.path !== path) continue
    if (other.removed_at === null || other.workspace_id !== workspace_id) {
      throw new Error(`its folder is that of workspace ${other.workspace_id}`)
    }
  }
}

function mustBeForSomeone(
  { workspaces }: Admitted,
  { principal_kind, principal_name, workspace_id }: Extract<TokenFacts, { type: 'token_issue' }>,
): void {
  if ((principal_kind === 'person') !== isPerson(principal_name)) {
    throw new Error(`${principal_name} is no ${principal_kind}`)
  }
  if (workspace_id !== null && workspaces.get(workspace_id)?.removed_at !== null) {
    throw new Error('its workspace is not there')
  }
}

/** What an event says of deliveries must be there to be said of. */
function mustBeDelivered(into: Admitted, event: ThreadEvent): void {
  const { thread_id, agent, facts } = event
  if (facts.type === 'thread_send') mustBeAssigned(event.message, facts)
  if (facts.type === 'thread_claim') mustBeHanded(into, thread_id, facts.handed ?? [])
  if (facts.type === 'thread_read') {
    const read = into.messages.get(facts.message_id)
    if (read?.thread_id === thread_id && read.seq === facts.seq) return
    throw new Error('it marks a message as read that is not in the thread')
  }
  if (facts.type === 'push_send' && !facts.recipients.includes(USER)) {
    throw new Error(`it is not for ${USER}, and a push always is`)
  }
  if (facts.type === 'push_delete') mustRemoveAll(into, thread_id, facts.recipients)
  if (!('recipient' in facts)) return
  if (EVENTS[facts.type].by !== 'system' && agent !== facts.recipient)
    throw new Error('it is of deliveries to somebody else')
  if (facts.type === 'delivery_take') mustBeTakeable(into, thread_id, facts)
  else mustHaveAll(into, thread_id, facts)
}

function mustBeHanded(into: Admitted, threadId: string, handed: string[]): void {
  if (handed.every((id) => into.messages.get(id)?.thread_id === threadId)) return
  throw new Error('it hands over a message that is not in the thread')
}

/** Work is asked of whom it is assigned to; only of a role somebody else may hear of it. */
function mustBeAssigned(
  message: Message | null,
  { assigned_to, recipients }: Extract<Facts, { type: 'thread_send' }>,
): void {
  if (message?.to_agent !== assigned_to) throw new Error('it is assigned to somebody else')
  if ((recipients !== undefined) === isRole(assigned_to)) return
  throw new Error('recipients belong to work for a role, and to no other')
}

function deliveriesTo(into: Admitted, threadId: string, recipient: string): Delivery[] {
  return into.deliveries.get(inboxKey(threadId, recipient)) ?? []
}

function mustHaveAll(
  into: Admitted,
  threadId: string,
  { recipient, messages }: DeliveryFacts,
): void {
  const there = new Set(deliveriesTo(into, threadId, recipient).map((one) => one.message_id))
  if (messages.every((message) => there.has(message))) return
  throw new Error(`it is of a message that was not delivered to ${recipient} in this thread`)
}

/** What was delivered of a push goes with it, all of it. */
function mustRemoveAll(into: Admitted, threadId: string, recipients: string[]): void {
  const given = new Set(recipients)
  for (const [key, there] of into.deliveries) {
    const [thread, recipient] = key.split(' ')
    if (thread !== threadId || there.length === 0 || given.has(recipient ?? '')) continue
    throw new Error(`it leaves what was delivered to ${recipient}`)
  }
}

function mustBeTakeable(
  into: Admitted,
  threadId: string,
  { from, taken }: Extract<Facts, { type: 'delivery_take' }>,
): void {
  const [one, ...more] = taken
  // The event's id is the new delivery's place in the inbox, and two cannot have one place.
  if (one === undefined || more.length > 0) throw new Error('it does not take one message')
  // Who claims work takes over what was for others.
  const thread = into.threads.get(threadId)?.thread
  if (!isRole(from) && (thread === undefined || !isWorkedOn(thread))) {
    throw new Error(`it takes what was for ${from}`)
  }
  const queued = deliveriesTo(into, threadId, from).find(
    ({ message_id, state }) => message_id === one.message_id && state === 'queued',
  )
  const isSame =
    queued?.seq === one.seq && queued.kind === one.kind && queued.expires_at === one.expires_at
  if (!isSame) throw new Error(`it takes what is not in the queue ${from}`)
}

function mustBeOfThread(before: ThreadState | null, event: LoggedEvent): void {
  if (before === null) return
  const { of, in: place = of, begins } = EVENTS[event.event_type]
  if (begins !== undefined) throw new Error('its thread exists already')
  const { kind, run_id, task_id } = before.thread
  if (place !== kind && place !== 'any') {
    throw new Error(`${event.event_type} is not for a thread of ${kind}`)
  }
  if (event.run_id !== run_id || event.task_id !== task_id) {
    throw new Error('its run or task is not that of its thread')
  }
}

function mustSpeak(event: LoggedEvent, message: Message | null): void {
  if (event.message_id !== (message?.message_id ?? null)) {
    throw new Error('the event names a message the line does not hold')
  }
  const { says = [null] } = EVENTS[event.event_type]
  const fits = says === 'anything' ? message !== null : says.includes(message?.kind ?? null)
  if (!fits)
    throw new Error(`${event.event_type} does not go with ${message?.kind ?? 'no message'}`)
  // A blocked thread is shown with its question.
  if (event.event_type === 'thread_update') {
    const kind = event.status === 'blocked' ? 'question' : 'progress'
    if (message?.kind !== kind) throw new Error(`an update to ${event.status} says a ${kind}`)
  }
}

function mustBeNext(
  into: Admitted,
  before: ThreadState | null,
  event: LoggedEvent,
  message: Message,
): void {
  if (message.thread_id !== event.thread_id) throw new Error('its message is of another thread')
  if (into.messages.has(message.message_id)) throw new Error('its message was there before')
  const seq = (before?.thread.message_count ?? 0) + 1
  if (message.seq !== seq) throw new Error(`its message has seq ${message.seq}, not ${seq}`)
  const own = new Set<string>()
  for (const { artifact_id, message_id } of message.artifacts) {
    if (message_id !== message.message_id) throw new Error('its artifact is of another message')
    if (into.artifacts.has(artifact_id) || own.has(artifact_id)) {
      throw new Error('its artifact was there before')
    }
    own.add(artifact_id)
  }
}
