import { USER } from '../../core/agents/agent.ts'
import { operation, refuse } from '../../core/error.ts'
import { tokenIdIn } from '../../core/identity/token.ts'
import { CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { TOKEN, viewToken } from './token-list.ts'

export const tokenRevoke = mutation({
  name: 'token revoke',
  example: 'token revoke t2e6ks',
  summary: 'Revoke a token or a session. Its next use is refused.',
  about:
    'Give its id, or the token itself if you found one where it should not be. Revoking it again changes nothing.',
  fields: {
    token: required(id('its id, or the token itself', { positional: true })),
  },
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input) {
    const by = context.caller.agent ?? USER
    const tokenId = tokenIdIn(input.token) ?? input.token
    const { idempotency_key } = input
    // The input is stored for retries, so it must contain the id rather than the secret.
    const call = { op: 'token revoke', agent: by, input: { token: tokenId, idempotency_key } }
    return commit(context, call, async (tx) => {
      await tx.lockRecords()
      const [now, token] = await Promise.all([tx.now(), tx.token(tokenId)])
      if (token === null)
        throw refuse.not_found`there is no such token; see ${operation('token list', { all: true })}`
      if (token.revoked_at !== null) return { revoked: viewToken(token, now) }
      const facts = { type: 'token_revoke', token_id: tokenId } as const
      tx.recordStoreEvent({ agent: by, at: now, facts })
      return { revoked: viewToken({ ...token, revoked_at: now }, now) }
    })
  },
  answer: { revoked: TOKEN, next_event_id: CURSOR },
  lines: async ({ revoked }, page) => (await import('./drawing.ts')).drawTokens([revoked], page),
})
