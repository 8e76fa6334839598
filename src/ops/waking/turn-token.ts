// A token for one turn, which identifies the agent to the server that woke it. The token stops working when the
// supervisor ends the wake or a broker finds the wake lost, and expires if neither happens.

import { SYSTEM } from '../../core/event.ts'
import { TOKEN_HASH, tokenOfWake } from '../../core/identity/token.ts'
import type { Store } from '../../core/store.ts'
import { plusSeconds } from '../../core/time.ts'
import { WAKES, type Wake } from '../../core/waking/wake-record.ts'
import { makeSecret } from '../identity/identify.ts'

/** If the wake is already over, the token isn't recorded and doesn't work. */
export async function issueForTurn(
  store: Store,
  { wake_id, agent_id, token }: Pick<Wake, 'wake_id' | 'agent_id' | 'token'>,
  seconds: number,
): Promise<string> {
  const token_id = tokenOfWake(wake_id)
  const { secret, hash } = await makeSecret(token_id)
  await store.write(async (tx) => {
    await tx.lockRecords()
    const wake = await tx.lockRow(WAKES, wake_id)
    const [before, now] = await Promise.all([tx.token(token_id), tx.now()])
    const isOver = wake === null || wake.ended_at !== null || wake.token !== token
    if (isOver || before !== null) return null
    const facts = {
      type: 'token_issue',
      token_id,
      kind: 'token',
      principal_kind: 'agent',
      principal_name: agent_id,
      workspace_id: null,
      sets: [],
      label: wake_id,
      expires_at: plusSeconds(now, seconds),
    } as const
    tx.recordStoreEvent({ agent: SYSTEM, at: now, facts: { ...facts, sets: [] } })
    tx.keep(TOKEN_HASH, { token_id, hash })
    return null
  })
  return secret
}
