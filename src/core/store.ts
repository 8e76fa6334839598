// The store port. Two engines implement it (SQLite, PostgreSQL); one contract suite holds both to it.
//
// A write is a unit of work: it reads under locks, decides with the pure core, and records events.
// What it records is buffered and goes to the database at the end, in one batch with the commit, so
// that no lock ever waits for a client. A unit of work may run more than once (a lost connection, a
// deadlock): it must decide from what it reads, and have no effect but record().

import type { Agent, SeenAgent } from './agent.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import type { EventType, LoggedEvent, StoreEvent, ThreadEvent } from './event.ts'
import type { ReadMark, ThreadState } from './evolve.ts'
import type { StoreAdmin } from './keeper.ts'
import type { Lease } from './lease.ts'
import type { Artifact, Message } from './message.ts'
import type { Push, PushForm, Turn } from './push.ts'
import type { OldMail } from './retention.ts'
import type { Thread, ThreadKind, ThreadStatus, WorkStatus } from './thread.ts'
import type { Instant } from './time.ts'
import type { StoredToken, TokenKind } from './token.ts'
import type { MessageKind } from './vocabulary.ts'
import type { Wake } from './wake.ts'
import type { WakeHistory } from './waking.ts'
import type { Workspace } from './workspace.ts'

/** A thread under this transaction's lock, and the moment read after the lock was taken. */
export type Locked = { state: ThreadState; now: Instant }

export interface Reads {
  now(): Promise<Instant>
  thread(threadId: string): Promise<ThreadState | null>
  message(messageId: string): Promise<Message | null>
  /** The message that asks for the work: the thread's first that is not bookkeeping. */
  asking(threadId: string): Promise<Message | null>
  /** In their order, after one's place: so many, and no more than there is room for (page-bytes.ts). */
  messages(threadId: string, page: { after: number; limit: number }): Promise<Message[]>
  hasWritten(threadId: string, agent: string): Promise<boolean>
  lastEventId(): Promise<number>
  everHeld(threadId: string, agent: string): Promise<boolean>
  readMark(threadId: string, agent: string): Promise<ReadMark | null>
  agent(agentId: string): Promise<SeenAgent | null>
  agents(filter: AgentFilter): Promise<SeenAgent[]>
  hasPerson(personId: string): Promise<boolean>
  /** Those that were added: `user` need not be. */
  people(): Promise<string[]>
  pushRow(entryId: string): Promise<Push | null>
  /** Deliveries in the order of the log: so many, and no more than there is room for. */
  inbox(filter: InboxFilter): Promise<InboxItem[]>
  /** What is unread, without its texts, but for what one has written itself. */
  heads(filter: HeadFilter): Promise<InboxHead[]>
  /** How many are unread. */
  unread(recipient: string): Promise<number>
  /** Where the recipient's unread deliveries are, overdue ones too, from the first to the last of these events. */
  unreadPlaces(recipient: string, first: number, last: number): Promise<Place[]>
  /** Of these messages those that exist, with their way to this recipient. */
  named(recipient: string, messages: readonly string[]): Promise<NamedMessage[]>
  /** What the recipient has not read in these threads, overdue or not. */
  unreadIn(recipient: string, threads: readonly string[]): Promise<Place[]>
  /** Whether something in it was for this one. */
  hasGot(threadId: string, recipient: string): Promise<boolean>
  /** Of one message, or of all in its thread. */
  deliveriesOf(which: { thread_id: string; message_id?: string | undefined }): Promise<Delivery[]>
  /** Unread deliveries whose time has passed, the longest first. */
  expired(now: Instant, limit: number): Promise<Delivery[]>
  /** Agents that are off and have unread mail none the less. */
  offWithMail(limit: number): Promise<string[]>
  /** What was said but the bookkeeping. */
  sentBy(filter: SentFilter): Promise<Omit<Message, 'artifacts'>[]>
  /** Those of these names that are agents. */
  knownAgents(names: readonly string[]): Promise<KnownAgent[]>
  /** The wake in whose turn an agent acts. */
  runningWake(agentId: string): Promise<{ wake_id: string; hops: number } | null>
  /** The sessions in which it is at work, and may be no longer. */
  turnsOf(agentId: string): Promise<Turn[]>
  /** What is known of an agent's wakes; its starts are counted since this moment. */
  wakeHistory(agentId: string, since: Instant): Promise<WakeHistory>
  /** Unread mail that may wake an agent, in the order of the log. */
  wakeMail(filter: { agent: string; after: number; limit: number }): Promise<WakeMail[]>
  /** A word to stop that this recipient has not yet read. */
  stopFor(recipient: string): Promise<InboxItem | null>
  workspace(workspaceId: string): Promise<Workspace | null>
  /** Those that were removed too, the first added first. */
  workspaces(): Promise<Workspace[]>
  token(tokenId: string): Promise<StoredToken | null>
  /** The latest first. */
  tokens(filter: TokenFilter): Promise<StoredToken[]>
}

export type TokenFilter = {
  kinds: readonly TokenKind[]
  principal?: string | undefined
  workspace?: string | undefined
  /** Only those that are good at this moment. */
  goodAt?: Instant | undefined
  limit: number
}

export type WakeMail = Pick<Delivery, 'event_id' | 'kind' | 'presented_at' | 'presented_by'> &
  Pick<Message, 'from_agent' | 'hops' | 'imported_by'>

/** A push as one reader sees it: with its first message, and how much in it is unread. */
export type PushItem = Push &
  Pick<Message, 'message_id' | 'from_agent' | 'summary' | 'body' | 'payload_json' | 'imported_by'> &
  Pick<Thread, 'message_count' | 'status'> & {
    event_id: number
    unread: number
    artifacts: Artifact[]
  }

export type PushFilter = {
  /** Whose unread is counted. */
  reader: string
  trashed: boolean
  workspaceId?: string | undefined
  form?: PushForm | undefined
  from?: string | undefined
  unreadOnly?: boolean | undefined
  /** Only what comes after this entry in the list; nothing when there is none. */
  before?: string | undefined
  limit: number
}

export type AgentFilter = {
  role?: string | undefined
  instance?: string | undefined
  parent?: string | undefined
  /** Only so many, after this name. */
  after?: string | undefined
  limit?: number | undefined
}

export type Said = Pick<Message, 'message_id' | 'thread_id' | 'summary' | 'body' | 'created_at'>

/** By one agent, or in one thread, the latest first; of long texts only the beginning. */
export type SentFilter = ({ agent: string } | { thread: string; agent?: string | undefined }) & {
  /** Only what was sent before this one. */
  before?: Pick<Message, 'message_id' | 'created_at' | 'seq'> | undefined
  limit: number
}

/** With what says who may see it. */
export type SaidIn = Said & { thread_kind: ThreadKind; thread_by: string }

export type AgentNotes = { unread: Map<string, number>; said: Map<string, SaidIn> }

/** A delivery with the message it delivers. */
export type InboxItem = Delivery & Omit<Message, 'artifacts' | keyof Delivery>

/** As much of it as moving it takes. */
export type InboxHead = Delivery & Pick<Message, 'from_agent' | 'summary' | 'hops'>

/** `hops` is of the turn it is in; null when it is in none. */
export type KnownAgent = Pick<Agent, 'agent_id' | 'declared_status'> & { hops: number | null }

/** A delivery without what it delivers. */
export type Place = Pick<Delivery, 'event_id' | 'message_id' | 'thread_id' | 'state' | 'expires_at'>

/** A message and how far it has come to one recipient; nulls when it was not for that one. */
export type NamedMessage = Pick<Delivery, 'message_id' | 'thread_id'> & {
  state: DeliveryState | null
}

/** A message with the event that said it: a line of the history. */
export type HistoryItem = Omit<Message, 'artifacts'> & { event_id: number }

export type HistoryFilter = {
  before: number
  after?: number | undefined
  threadId?: string | undefined
  kinds?: readonly MessageKind[] | undefined
  since?: Instant | undefined
  until?: Instant | undefined
  /** Who must have sent or got it. */
  party?: string | undefined
  /** Who asks, when it may see only what it sent or got. */
  reader?: string | undefined
  /** In its subject or body, whatever the case of its letters from a to z. */
  text?: string | undefined
  limit: number
}

/** Newest first, no more than there is room for. `bottom` is how far the look went; there may be more below it. */
export type HistoryPage = { items: HistoryItem[]; bottom: number }

export type InboxFilter = {
  recipient: string
  unreadOnly: boolean
  /** Only what was sent after this event. */
  after: number
  /**
   * Only what was sent after this moment; and what was stored after the first message of this moment
   * and not yet presented, whatever its time: clocks of parallel writers may disagree. Where it is the
   * time of a message, what was stored before that and presented is left out, whatever its time.
   */
  since?: Instant | undefined
  kinds?: readonly MessageKind[] | undefined
  limit: number
}

export type HeadFilter = {
  recipient: string
  after: number
  /** Whose are left out. */
  notFrom?: string | undefined
  limit: number
}

export interface Tx extends Reads {
  /** Locks one thread for the rest of the transaction; null when there is none. */
  lock(threadId: string): Promise<Locked | null>
  /** Locks the best thread this agent could claim now: priority first, then oldest. */
  lockNext(agent: string): Promise<(Locked & { asking: Message | null }) | null>
  /** Locks up to `limit` threads whose lease has lapsed. */
  lockLapsed(limit: number): Promise<Locked[]>
  /** Buffers the event and the state it leads to; returns that state. */
  record(before: ThreadState | null, event: ThreadEvent): ThreadState
  /** Buffers what happened to no thread. */
  recordStoreEvent(event: StoreEvent): void
  /** Nobody else changes agents, workspaces or tokens until this transaction ends. Ask before reading. */
  lockAgents(): Promise<void>
  /** Nobody else decides about this agent's wakes until this transaction ends. Ask before reading them. */
  lockAgent(agentId: string): Promise<void>
  lockWake(wakeId: string): Promise<Wake | null>
  /** Notes, outside the log, that a wake runs and is believed until then. */
  keepWake(wakeId: string, expiresAt: Instant): void
  /** Whose turn it was last in a role; nobody else can ask until this transaction ends. */
  lockTurn(role: string): Promise<string>
  giveTurn(role: string, agent: string): void
  /** Notes, outside the log, that an agent was seen; and if that is said, until when it waits. */
  sight(agentId: string, at: Instant, waitingUntil?: Instant | null): void
  /** Notes, outside the log, that an agent is at work in a session; or is no longer, nor in any since before. */
  beginTurn(agentId: string, turn: Turn): void
  endTurn(agentId: string, session: string, before: Instant): void
  /** Keeps, outside the log, the digest of a token's secret. */
  keepHash(tokenId: string, hash: string): void
  /** Notes, outside the log, that a token was used. */
  sightToken(tokenId: string, at: Instant): void
  /** Notes, outside the log, that an agent called, at most once a minute: when what it did was
   *  recorded; if it did nothing, at the moment that is given, if one is. */
  sightCaller(agentId: string, at?: Instant): void
  /** Removes these with all that belongs to them, events included, and raises the log's floor. From
   *  before a moment, also keys, and words on agents that later ones have replaced. */
  prune(want: {
    threads: string[]
    wakes: string[]
    tokens: string[]
    before: Instant
  }): Promise<Pruned>
}

export type Pruned = {
  threads: number
  messages: number
  events: number
  keys: number
  wakes: number
  tokens: number
  kinds: Record<ThreadKind, { threads: number; messages: number }>
}

export type MailTotals = { messages: number; unread: number; old: number }

/** Makes a retry return the first answer instead of acting twice. */
export type Idempotency = {
  agent: string
  key: string
  requestHash: string
  /** Made by us for one call, not by the caller: nothing can have been stored under it before. */
  fresh: boolean
}

/** What a unit of work returned, and the last event it recorded (or the last in the log if none). */
export type Written<T> = { value: T; eventId: number; replayed: boolean }

export type ThreadFilter = {
  statuses: readonly ThreadStatus[]
  agent?: string | undefined
  createdBy?: string | undefined
  assignedTo?: string | undefined
  /** Only what comes after this place in the list. */
  before?: Pick<Thread, 'updated_at' | 'thread_id'> | undefined
  limit: number
}

export type Candidate = { thread: Thread; lease: Lease | null; claimable: boolean }

export type FetchFilter = {
  agent: string
  /** Absent: whatever the agent could claim. Given: exactly these, each marked claimable or not. */
  statuses?: readonly ThreadStatus[] | undefined
  unreadOnly: boolean
  limit: number
}

export type EventFilter = {
  after: number
  /** By others, in threads it made or is assigned. */
  agent?: string | undefined
  /** The same, and whatever was delivered to it. */
  party?: string | undefined
  statuses?: readonly ThreadStatus[] | undefined
  without: readonly EventType[]
  /** Of what happens to pushes, only to those from this workspace. */
  pushesFrom?: string | undefined
  limit: number
}

export type ReplyFilter = {
  threadId: string
  after: number
  notFrom: string
  kinds: readonly MessageKind[]
}

export type PruneFilter = { before: Instant; unreadToo: boolean; limit: number }

export type Counts = {
  threads: Record<WorkStatus, number>
  messages: number
  events: number
}

export type Question = Pick<Message, 'summary' | 'created_at'>

export type Overview = {
  counts: Counts
  oldest_pending: Thread | null
  blocked: { thread: Thread; question: Question }[]
  leases: { thread: Thread; lease: Lease }[]
}

/**
 * Where a write is on its way. Tests stop a process at each of these and look at what is left; the
 * names are the same on both engines.
 */
export const POINTS = ['begun', 'decided', 'written', 'committed'] as const
export type Point = (typeof POINTS)[number]

/** The backstop of one wait: what it asks, and how often, should no bell be heard. */
export type Lookout = {
  everyMs: number
  /** Whether anything may have been committed since the last call. */
  changed(): Promise<boolean>
}

export interface Store extends Reads {
  readonly engine: 'sqlite' | 'postgres'
  /** Where it is, without any secret: for messages to people. */
  readonly place: string
  write<T>(work: (tx: Tx) => Promise<T>, idempotency?: Idempotency): Promise<Written<T>>
  /** The log's end, and the moment of the look at it. */
  standing(): Promise<{ end: number; now: Instant }>
  /** The same, and how one thread stands. */
  standingOf(threadId: string): Promise<{ end: number; now: Instant; state: ThreadState | null }>
  threads(filter: ThreadFilter): Promise<Thread[]>
  fetch(filter: FetchFilter): Promise<Candidate[]>
  /** So many, and no more than there is room for. */
  events(filter: EventFilter): Promise<LoggedEvent[]>
  reply(filter: ReplyFilter): Promise<{ event_id: number; message: Message } | null>
  eventOfMessage(threadId: string, messageId: string): Promise<number | null>
  lastOwnEvent(threadId: string, agent: string): Promise<number>
  /** Of the agents from the first to the last of these names: what is unread, and what each last said of its
   *  progress, of which long texts are cut. */
  agentNotes(first: string, last: string): Promise<AgentNotes>
  /** The highest event id that retention has removed; 0 when none. */
  floor(): Promise<number>
  history(filter: HistoryFilter): Promise<HistoryPage>
  /** Newest first: so many, and no more than there is room for. */
  pushes(filter: PushFilter): Promise<PushItem[]>
  push(entryId: string, reader: string): Promise<PushItem | null>
  /** How many a person has not read, or keeps unread. */
  unreadPushes(
    reader: string,
    which?: { form?: PushForm | undefined; workspaceId?: string | undefined },
  ): Promise<number>
  /** When the next lease lapses or the next delivery expires. */
  nextLapse(): Promise<Instant | null>
  wake(wakeId: string): Promise<Wake | null>
  /** The latest first. */
  wakes(filter: { agent?: string | undefined; limit: number }): Promise<Wake[]>
  /** Wakes that have not ended, those that are believed the shortest first. */
  openWakes(limit: number): Promise<Wake[]>
  /** Until when it is said to wait, whether it is an agent or not; null where nothing is said. */
  waitsUntil(agentId: string): Promise<Instant | null>
  /** Agents of which something changed after this event that may lead to a wake. */
  agentsConcerned(after: number): Promise<string[]>
  overview(limit: number): Promise<Overview>
  prunable(filter: PruneFilter): Promise<Thread[]>
  /** Mail that may go, quietest first. */
  prunableMail(limit: number): Promise<OldMail[]>
  /** Pushes that were put away or deleted before then. */
  prunablePushes(before: Instant, limit: number): Promise<Thread[]>
  /** Wakes that were over by then and from which nothing is to be known any more. */
  prunableWakes(before: Instant, limit: number): Promise<string[]>
  /** Tokens, sessions and codes that were good for nothing by then. */
  prunableTokens(before: Instant, limit: number): Promise<string[]>
  /** Messages of mail, those somebody has yet to read, and the threads quiet since before then. */
  mailTotals(before: Instant): Promise<MailTotals>
  /** Each wait asks for its own: an answer given to one would be missing for the others. */
  lookout(): Lookout
  /** For doctor, export, import and backup: the tables as they are. */
  admin(): Promise<StoreAdmin>
  close(): Promise<void>
}
