// The record of a token. Its digest, and when it was last used, are outside the log.

import { isPerson } from '../agents/agent.ts'
import { absentOr, choice, ID, INSTANT, listOf, NAME, nullOr, text, word } from '../fact-shape.ts'
import { type Caller, GRANTS, type Grant, TOOL_SETS } from '../principal.ts'
import type { PruneRule, StoreRecord } from '../record.ts'
import type { Token } from './token.ts'
import { LONGEST_LABEL } from './workspace.ts'
import { WORKSPACES } from './workspace-record.ts'

export const TOKEN_KINDS = ['token', 'session', 'code'] as const

/** The system signs for itself and shows no token. */
export const TOKEN_HOLDERS = ['agent', 'person', 'service'] as const satisfies readonly Caller[]

export type TokenFacts =
  | ({ type: 'token_issue'; may?: Grant[] } & Omit<
      Token,
      'may' | 'issued_by' | 'issued_at' | 'revoked_at'
    >)
  | { type: 'token_revoke'; token_id: string }

const TOKEN_ID = word('the id of a token', (id) => /^tok_[0-9a-z]{26}$/.test(id))

export const TOKENS: StoreRecord<Token, TokenFacts> & {
  one: 'token'
  prefix: string
  prune: PruneRule
} = {
  table: 'tokens',
  one: 'token',
  key: 'token_id',
  prefix: 'tok',
  columns: {
    token_id: 'plain',
    kind: 'plain',
    principal_kind: 'plain',
    principal_name: 'plain',
    workspace_id: 'plain',
    sets: 'words',
    may: 'words',
    label: 'plain',
    issued_by: 'plain',
    issued_at: 'plain',
    expires_at: 'plain',
    revoked_at: 'plain',
  },
  events: {
    token_issue: {
      facts: {
        token_id: TOKEN_ID,
        kind: choice(TOKEN_KINDS),
        principal_kind: choice(TOKEN_HOLDERS),
        principal_name: NAME,
        workspace_id: nullOr(ID),
        sets: listOf(choice(TOOL_SETS), 0),
        may: absentOr(listOf(choice(GRANTS), 1)),
        label: text({ max: LONGEST_LABEL, orEmpty: true }),
        expires_at: nullOr(INSTANT),
      },
      makes: ({ type: _, may = [], ...fields }, { agent, at }) => ({
        ...fields,
        may,
        issued_by: agent,
        issued_at: at,
        revoked_at: null,
      }),
    },
    token_revoke: {
      facts: { token_id: TOKEN_ID },
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
