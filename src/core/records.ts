// All records, which are everything in the log besides threads. Add a line here for a new record.

import { AGENTS } from './agents/agent-record.ts'
import { PEOPLE } from './agents/person-record.ts'
import { SETTINGS } from './agents/settings-record.ts'
import { SNOOZES } from './desk/snooze-record.ts'
import { TOKENS } from './identity/token-record.ts'
import { WORKSPACES } from './identity/workspace-record.ts'
import { PUSHES } from './pushes/push-record.ts'
import { listRecords, type PruneRule } from './record.ts'
import { AGENT_RUNS } from './requests/agent-run-record.ts'
import { EFFECT_COMMANDS } from './requests/effect-command-record.ts'
import { EFFECTS } from './requests/effect-record.ts'
import { REQUESTS } from './requests/request-record.ts'
import { REQUIREMENTS } from './requests/requirement-record.ts'
import { WAKES } from './waking/wake-record.ts'
import { DOCUMENT_REVISIONS } from './workflows/document-record.ts'
import { INSTANCES } from './workflows/instance-record.ts'

const ALL = {
  pushes: PUSHES,
  requests: REQUESTS,
  effects: EFFECTS,
  effectCommands: EFFECT_COMMANDS,
  requirements: REQUIREMENTS,
  agent_runs: AGENT_RUNS,
  agents: AGENTS,
  people: PEOPLE,
  person_settings: SETTINGS,
  snoozes: SNOOZES,
  instances: INSTANCES,
  document_revisions: DOCUMENT_REVISIONS,
  wakes: WAKES,
  workspaces: WORKSPACES,
  tokens: TOKENS,
}

export const RECORDS = listRecords(Object.values(ALL))

type ListedRecord = (typeof ALL)[keyof typeof ALL]
type FactsIn<Record> = Record extends { types?: { facts: infer Facts } } ? Facts : never

export type StoreFacts = FactsIn<Exclude<ListedRecord, { kind: string }>>
export type ThreadRecordFacts = FactsIn<Extract<ListedRecord, { kind: string }>>

/** The singular nouns of the records whose ids this program generates. */
export type NamedRecord = Extract<ListedRecord, { prefix: string }>['one']

/** The records whose old rows are pruned. */
export type PrunedRecord = {
  [Name in keyof typeof ALL]: (typeof ALL)[Name] extends { prune: PruneRule } ? Name : never
}[keyof typeof ALL]
