// Everything that the log holds beside threads. A new record is a line here.

import { AGENTS } from './agents/agent-record.ts'
import { PEOPLE } from './agents/person-record.ts'
import { TOKENS } from './identity/token-record.ts'
import { WORKSPACES } from './identity/workspace-record.ts'
import { PUSHES } from './pushes/push-record.ts'
import { listRecords } from './record.ts'
import { WAKES } from './waking/wake-record.ts'

const ALL = [PUSHES, AGENTS, PEOPLE, WAKES, WORKSPACES, TOKENS] as const

export const RECORDS = listRecords(ALL)

type Listed = (typeof ALL)[number]
type FactsIn<Record> = Record extends { types?: { facts: infer Facts } } ? Facts : never

/** The facts of events that are of no thread. */
export type StoreFacts = FactsIn<Exclude<Listed, { kind: string }>>
/** The facts of events that change what a thread has beside its messages. */
export type ThreadRecordFacts = FactsIn<Extract<Listed, { kind: string }>>
