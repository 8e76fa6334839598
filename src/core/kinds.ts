// The kinds of threads. Each is declared in its subject's folder. To add one, declare it there and add a line here.

import { MAIL } from './mail/mail-kind.ts'
import { PUSH } from './pushes/push-kind.ts'
import { REQUEST } from './requests/request-kind.ts'
import { WORK } from './threads/work.ts'
import { CHANNEL } from './workflows/channel-kind.ts'
import { DOCUMENT } from './workflows/document-kind.ts'

export const KINDS = {
  work: WORK,
  mail: MAIL,
  push: PUSH,
  request: REQUEST,
  channel: CHANNEL,
  document: DOCUMENT,
}

export type ThreadKind = keyof typeof KINDS
export const THREAD_KINDS = Object.keys(KINDS) as ThreadKind[]

type Moves<K extends ThreadKind> = (typeof KINDS)[K]['moves']
export type ThreadStatus = { [K in ThreadKind]: keyof Moves<K> }[ThreadKind]
export type Move = { [K in ThreadKind]: keyof Moves<K>[keyof Moves<K>] }[ThreadKind]
type AnyMoves = Partial<Record<Move, ThreadStatus>>

/** Every status that any kind of thread can have. */
export const THREAD_STATUSES = [...new Set(THREAD_KINDS.flatMap(statusesOf))]

export function statusesOf(kind: ThreadKind): ThreadStatus[] {
  return Object.keys(KINDS[kind].moves) as ThreadStatus[]
}

/** The legal moves of a thread of this kind in this status; empty if the kind has no such status. */
export function movesOf(kind: ThreadKind, status: ThreadStatus): AnyMoves {
  const moves: Partial<Record<ThreadStatus, AnyMoves>> = KINDS[kind].moves
  return moves[status] ?? {}
}

export function isKind(name: string): name is ThreadKind {
  return Object.hasOwn(KINDS, name)
}
