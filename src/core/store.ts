// The store port. Two engines implement it (SQLite, PostgreSQL); one contract suite holds both to it.
//
// A write is a unit of work: it reads under locks, decides with the pure core, and records events.
// What it records is buffered and goes to the database at the end, in one batch with the commit, so
// that no lock ever waits for a client. A unit of work may run more than once (a lost connection, a
// deadlock): it must decide from what it reads, and have no effect but record().
//
// What a store answers stands in the files whose names end in -reads: reads run inside and outside a unit of work,
// looks only outside.

import type { AgentLooks, AgentReads } from './agents/agent-reads.ts'
import type { StoreEvent, ThreadEvent } from './event.ts'
import type { IdentityReads } from './identity/identity-reads.ts'
import type { InboxReads, ReceiptReads } from './inbox/inbox-reads.ts'
import type { Keeper } from './keeping/keeper.ts'
import type { OldRecords, RetentionLooks } from './keeping/retention-reads.ts'
import type { ThreadKind } from './kinds.ts'
import type { Turn } from './pushes/push.ts'
import type { PushLooks } from './pushes/push-reads.ts'
import type { RecordReads } from './record.ts'
import type { PrunedRecord } from './records.ts'
import type { ThreadState } from './threads/evolve.ts'
import type { LogLooks, LogReads } from './threads/log-reads.ts'
import type { Message } from './threads/message.ts'
import type { ThreadLooks, ThreadReads } from './threads/thread-reads.ts'
import type { Instant } from './time.ts'
import type { Wake } from './waking/wake.ts'
import type { WakeLooks, WakeReads } from './waking/wake-reads.ts'

/** A thread under this transaction's lock, and the moment read after the lock was taken. */
export type Locked = { state: ThreadState; now: Instant }

export interface Reads
  extends ThreadReads,
    LogReads,
    InboxReads,
    ReceiptReads,
    AgentReads,
    IdentityReads,
    RecordReads,
    WakeReads {
  now(): Promise<Instant>
}

export interface Looks
  extends ThreadLooks,
    LogLooks,
    AgentLooks,
    PushLooks,
    WakeLooks,
    RetentionLooks {}

export interface Tx extends Reads {
  /** Locks one thread for the rest of the transaction; null when there is none. */
  lock(threadId: string): Promise<Locked | null>
  /** Locks these, in one order everywhere: two who lock the same threads must not wait for each other. What does
   *  not exist is left out. */
  lockAll(threadIds: Iterable<string>): Promise<Locked[]>
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
  prune(want: { threads: string[]; records: OldRecords; before: Instant }): Promise<Pruned>
}

export type Pruned = {
  threads: number
  messages: number
  events: number
  keys: number
  kinds: Record<ThreadKind, { threads: number; messages: number }>
} & Record<PrunedRecord, number>

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

export interface Store extends Reads, Looks {
  readonly engine: 'sqlite' | 'postgres'
  /** Where it is, without any secret: for messages to people. */
  readonly place: string
  write<T>(work: (tx: Tx) => Promise<T>, idempotency?: Idempotency): Promise<Written<T>>
  /** What was written under this key; null when nothing was yet. */
  answered(idempotency: Idempotency): Promise<Written<unknown> | null>
  /** Each wait asks for its own: an answer given to one would be missing for the others. */
  lookout(): Lookout
  /** For doctor, export, import and backup: the tables as they are. */
  keeper(): Promise<Keeper>
  close(): Promise<void>
}
