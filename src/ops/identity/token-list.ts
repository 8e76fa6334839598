import { TOKEN_KINDS } from '../../core/identity/token-record.ts'
import { aList, CURSOR, MORE } from '../kit/answer.ts'
import { byDefault, flag, int, name } from '../kit/field.ts'
import { PEOPLE, query } from '../kit/operation.ts'
import { TOKEN, viewToken } from './token-view.ts'

export const tokenList = query({
  name: 'token list',
  example: 'token list',
  summary: 'List valid tokens and sessions: for whom, since when, when last used.',
  fields: {
    name: name('only those of this name', { positional: true }),
    all: flag('also sign-in codes, and tokens that have expired or were revoked'),
    limit: byDefault(int('how many to list, the latest first', { min: 1, max: 1000 }), 100),
  },
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input'],
  async run({ store }, input) {
    const next_event_id = await store.lastEventId()
    const now = await store.now()
    const { limit } = input
    const found = await store.tokens({
      kinds: input.all ? TOKEN_KINDS : ['token', 'session'],
      principal: input.name,
      goodAt: input.all ? undefined : now,
      limit: limit + 1,
    })
    const tokens = found.slice(0, limit).map((token) => viewToken(token, now))
    return { tokens, has_more: found.length > limit, next_event_id }
  },
  answer: { tokens: aList(TOKEN, 'newest first'), has_more: MORE, next_event_id: CURSOR },
  lines: async ({ tokens }, page) => (await import('./drawing.ts')).drawTokens(tokens, page),
})
