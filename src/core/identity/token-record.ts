// The record of a token. Its digest and the time it was last used are outside the log.

import { isPerson } from '../agents/agent.ts'
import { type Caller, GRANTS, TOOL_SETS } from '../principal.ts'
import type { PruneRule, StoreRecord, WithIds } from '../record.ts'
import {
  absentOr,
  choice,
  type FactsOf,
  ID,
  INSTANT,
  listOf,
  NAME,
  nullOr,
  pick,
  text,
  word,
} from '../shape.ts'
import type { Token } from './token.ts'
import { LONGEST_LABEL } from './workspace.ts'
import { WORKSPACES } from './workspace-record.ts'

export const TOKEN_KINDS = ['token', 'session', 'code'] as const

/** The system isn't listed: it acts in its own name, without a token. */
export const TOKEN_HOLDERS = ['agent', 'person', 'service'] as const satisfies readonly Caller[]

export const TOKEN_FIELDS = {
  token_id: word('the id of a token', (id) => /^tok_[0-9a-z]{26}$/.test(id)),
  kind: choice(TOKEN_KINDS),
  principal_kind: choice(TOKEN_HOLDERS),
  principal_name: NAME,
  workspace_id: nullOr(ID),
  /** An empty list means all. */
  sets: listOf(choice(TOOL_SETS), 0),
  /** The additional rights of a service; empty for agents and people. */
  may: listOf(choice(GRANTS), 0),
  label: text({ max: LONGEST_LABEL, orEmpty: true }),
  issued_by: NAME,
  issued_at: INSTANT,
  /** Null means it does not expire. */
  expires_at: nullOr(INSTANT),
  revoked_at: nullOr(INSTANT),
}

const FACTS = {
  token_issue: {
    ...pick(TOKEN_FIELDS, 'token_id', 'kind', 'principal_kind', 'principal_name'),
    ...pick(TOKEN_FIELDS, 'workspace_id', 'sets', 'label', 'expires_at'),
    may: absentOr(listOf(choice(GRANTS), 1)),
  },
  token_revoke: pick(TOKEN_FIELDS, 'token_id'),
}
export type TokenFacts = FactsOf<typeof FACTS>

export const TOKENS: StoreRecord<Token, TokenFacts> & WithIds<'token'> & { prune: PruneRule } = {
  table: 'tokens',
  one: 'token',
  key: 'token_id',
  prefix: 'tok',
  fields: TOKEN_FIELDS,
  facts: FACTS,
  events: {
    token_issue: {
      makes: ({ may = [], ...facts }, { agent, at }) => ({
        ...facts,
        may,
        issued_by: agent,
        issued_at: at,
      }),
    },
    token_revoke: {
      changes: (_, { at }) => ({ revoked_at: at }),
    },
  },
  prune: { query: 'tokens_prunable' },
  mustFollow(before, { type }) {
    if (type === 'token_revoke' && (before?.revoked_at ?? null) !== null) {
      throw new Error('token_revoke of a token that was revoked')
    }
  },
  admit(facts, { rows }) {
    if (facts.type !== 'token_issue') return
    const { principal_kind, principal_name, workspace_id, may } = facts
    if (may !== undefined && principal_kind !== 'service') {
      throw new Error(`it grants ${may.join(' and ')} to no service`)
    }
    if ((principal_kind === 'person') !== isPerson(principal_name)) {
      throw new Error(`${principal_name} is no ${principal_kind}`)
    }
    if (workspace_id !== null && rows(WORKSPACES).get(workspace_id)?.removed_at !== null) {
      throw new Error('its workspace is not there')
    }
  },
}
