// Short ids, read alike on both engines. The queries are made when one is asked for: no everyday command carries them.

import type { ShortIdLooks } from '../../core/threads/short-id-reads.ts'
import type { Querier } from '../querier.ts'

export function makeShortIdLooks(querier: Querier): ShortIdLooks {
  return {
    async like(what, range, limit) {
      const { likeQuery } = await import('./seldom.ts')
      return querier.all(likeQuery(what), { ...range, limit })
    },
  }
}
