// A person's changes to threads of the desk, each with its setup; part of ACTS in acts.ts.

import { connect } from '../../src/index.ts'
import type { TestStore } from '../worlds/store.ts'
import type { Act } from './acts.ts'

const ME = { agent: 'user' }
const LATER = '2090-01-01T00:00:00.000Z'

/** Two pushes, both read. */
async function pushes({ address }: TestStore) {
  const user = await connect(address)
  const threads: string[] = []
  for (const comments of ['One', 'Two']) {
    threads.push((await user.push({ agent: 'lead', comments })).entry_id)
  }
  await user.deskMark({ ...ME, threads, as: 'read' })
  await user.close()
  return { ...ME, threads }
}

export const DESK_ACTS: Record<string, Act> = {
  // Both pushes are kept unread and snoozed.
  'snooze threads': {
    op: 'deskSnooze',
    adds: 4,
    keyed: true,
    scene: async (store) => ({ ...(await pushes(store)), until: LATER }),
  },
  'put threads away': { op: 'deskSnooze', adds: 2, keyed: true, scene: pushes },
  'bring threads back': {
    op: 'deskUnsnooze',
    adds: 4,
    keyed: true,
    scene: async (store) => {
      const those = await pushes(store)
      const user = await connect(store.address)
      await user.deskSnooze({ ...those, until: LATER })
      await user.close()
      return those
    },
  },
  'mark threads as unread': {
    op: 'deskMark',
    adds: 2,
    keyed: true,
    scene: async (store) => ({ ...(await pushes(store)), as: 'unread' }),
  },
}
