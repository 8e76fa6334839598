// The store port. Two engines implement it (SQLite, PostgreSQL); one contract suite tests both.
//
// A write is a unit of work: it reads under locks, makes decisions in the pure core, and records events. Those are
// buffered and sent to the database at the end, in one batch with the commit, so that no lock is held while waiting for
// a client. A unit of work may run more than once (after a lost connection or a deadlock), so it must base its
// decisions on what it reads, and have no effects except record() and keep().
//
// The queries are declared in the -reads.ts files of each subject: reads run inside and outside a unit of work, looks
// only outside.

import type { AgentLooks, AgentReads } from './agents/agent-reads.ts'
import type { DeskLooks, DeskReads } from './desk/desk-reads.ts'
import type { Refusal } from './error.ts'
import type { StoreEvent, ThreadEvent } from './event.ts'
import type { IdentityReads } from './identity/identity-reads.ts'
import type { InboxReads } from './inbox/inbox-reads.ts'
import type { Keeper } from './keeping/keeper.ts'
import type { OldRecords, RetentionLooks } from './keeping/retention-reads.ts'
import type { ThreadKind } from './kinds.ts'
import type { Note } from './note.ts'
import type { PushLooks } from './pushes/push-reads.ts'
import type { RecordOf, RecordReads } from './record.ts'
import type { PrunedRecord } from './records.ts'
import type { RequestLooks, RequestReads } from './requests/request-reads.ts'
import type { ThreadState } from './threads/evolve.ts'
import type { LogLooks, LogReads } from './threads/log-reads.ts'
import type { Message } from './threads/message.ts'
import type { ThreadLooks, ThreadReads } from './threads/thread-reads.ts'
import type { Instant } from './time.ts'
import type { WakeLooks, WakeReads } from './waking/wake-reads.ts'
import type {
  ChannelLooks,
  ChannelReads,
  DocumentLooks,
  DocumentReads,
  OverviewLooks,
} from './workflows/workflow-reads.ts'

/** A thread locked by this transaction, and the time read after the lock was taken. */
export type LockedThread = { state: ThreadState; now: Instant }

export interface Reads
  extends ThreadReads,
    LogReads,
    InboxReads,
    AgentReads,
    IdentityReads,
    RecordReads,
    DeskReads,
    ChannelReads,
    DocumentReads,
    RequestReads,
    WakeReads {
  now(): Promise<Instant>
}

export interface Looks
  extends ThreadLooks,
    LogLooks,
    AgentLooks,
    PushLooks,
    DeskLooks,
    ChannelLooks,
    DocumentLooks,
    OverviewLooks,
    RequestLooks,
    WakeLooks,
    RetentionLooks {}

export interface Tx extends Reads {
  /** Locks one thread for the rest of the transaction; null if there is no such thread. */
  lock(threadId: string): Promise<LockedThread | null>
  /**
   * Locks these threads, always in the same order so that two writers that lock the same threads can't deadlock.
   * Threads that don't exist are left out.
   */
  lockAll(threadIds: Iterable<string>): Promise<LockedThread[]>
  /** Locks the best thread this agent could claim now: highest priority first, then oldest. */
  lockNext(agent: string): Promise<(LockedThread & { asking: Message | null }) | null>
  /** Locks up to `limit` threads whose lease has lapsed. */
  lockLapsed(limit: number): Promise<LockedThread[]>
  /** Assigns the event and its message their time in the log, and buffers them with the resulting state. */
  record(before: ThreadState | null, event: ThreadEvent): ThreadState
  /** Buffers an event without a thread. */
  recordStoreEvent(event: StoreEvent): void
  /** Keeps other transactions from changing agents, workspaces, tokens and the like. Call it before reading them. */
  lockRecords(): Promise<void>
  /**
   * Locks the row of a record until this transaction ends, and returns it; null when there is none. A transaction
   * that makes a decision about an agent's wakes locks the agent before it reads them. The row of an agent run is
   * locked after the thread of its review.
   */
  lockRow<Row>(record: RecordOf<Row>, key: string): Promise<Row | null>
  /** The member that last had a turn in the role. Other transactions can't ask for it until this one ends. */
  lockTurn(role: string): Promise<string>
  /** Writes a note, which is outside the log. */
  keep<Values extends object>(note: Note<Values>, values: Values): void
  /**
   * Notes that an agent called, at most once every twenty seconds. The time is that of the agent's first event in this
   * transaction, or `at` if it has none.
   */
  sightCaller(agentId: string, at?: Instant): void
  /**
   * Removes these threads and records with everything that belongs to them, including events, and raises the log's
   * floor. Also removes idempotency keys and superseded agent_declare events from before a given time. With `upto`,
   * keeps threads that have an event after it, so that the floor does not rise above it.
   */
  prune(want: {
    threads: string[]
    records: OldRecords
    before: Instant
    upto?: number | undefined
  }): Promise<PruneTotals>
}

export type PruneTotals = {
  threads: number
  messages: number
  events: number
  keys: number
  kinds: Record<ThreadKind, { threads: number; messages: number }>
} & Record<PrunedRecord, number>

/** Makes a retry return the first result instead of acting twice. */
export type Idempotency = {
  agent: string
  key: string
  requestHash: string
  /** True if the key was generated for this call, not passed by the caller, so nothing can be stored under it yet. */
  fresh: boolean
}

/** The value a unit of work returned, and its last event (or the last in the log if it recorded nothing). */
export type WriteResult<T> = { value: T; eventId: number; replayed: boolean }

/**
 * The points that every write passes through. Tests stop a process at each of them and inspect the result. Both engines
 * use the same names.
 */
export const POINTS = ['begun', 'decided', 'written', 'committed'] as const
export type Point = (typeof POINTS)[number]

/** The fallback for a wait that gets no ring: what it checks, and how often. */
export type Lookout = {
  everyMs: number
  /** Whether anything may have been committed since the last call. */
  changed(): Promise<boolean>
}

export interface Store extends Reads, Looks {
  readonly engine: 'sqlite' | 'postgres'
  /** The store's address with secrets removed, to show to people. */
  readonly place: string
  write<T>(work: (tx: Tx) => Promise<T>, idempotency?: Idempotency): Promise<WriteResult<T>>
  /**
   * Like write, for a caller with this token. The transaction refuses the write if the token is no longer valid, so the
   * order in the log alone determines whether the write or the revocation came first.
   */
  writeWith(tokenId: string): Store['write']
  /** The result stored under this key; null if there is none yet. */
  answered(idempotency: Idempotency): Promise<WriteResult<unknown> | null>
  /** Use one per wait, because a change reported to one wait would be missed by the others. */
  lookout(): Lookout
  /**
   * Resolves, with the reason, when this process can no longer use the store because its file was removed or
   * replaced.
   */
  readonly gone: Promise<Refusal>
  /** Throws the refusal that a write would get now, if any. Adds nothing to the log. */
  mustTakeWrites(): Promise<void>
  /** Access to the stored tables, for doctor, export, import and backup. */
  keeper(): Promise<Keeper>
  close(): Promise<void>
}
