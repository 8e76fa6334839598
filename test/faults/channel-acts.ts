// Writes by agents and people to a workflow's channel, each with its setup; part of ACTS in acts.ts.

import { begin, besideDoor, speak } from '../worlds/instances.ts'
import type { TestStore } from '../worlds/store.ts'
import type { Act } from './acts.ts'

const CODER = 'coder@pr-1'

/** A running team, and two mentions of the coder. */
function mentioned(store: TestStore): Promise<string> {
  return besideDoor(store, async (room) => {
    await begin(room)
    const { entry } = await speak(room, 'reviewer@pr-1', '@coder one')
    await speak(room, 'reviewer@pr-1', '@coder two')
    return entry.id
  })
}

export const CHANNEL_ACTS: Record<string, Act> = {
  'send to a channel': {
    op: 'workflowContextSend',
    adds: 1,
    keyed: true,
    scene: async (store) => {
      await mentioned(store)
      return { agent: CODER, message: 'Done, @reviewer and @user' }
    },
  },
  // The answer acts on the mention in the same transaction.
  'answer a mention': {
    op: 'workflowContextSend',
    adds: 1,
    keyed: true,
    scene: async (store) => {
      const reply_to = await mentioned(store)
      return { agent: CODER, message: 'Done, @reviewer', reply_to }
    },
  },
  'acknowledge mentions': {
    op: 'workflowContextAck',
    adds: 0,
    keyed: true,
    scene: async (store) => ({ agent: CODER, until: await mentioned(store) }),
  },
  'turn off an agent that was mentioned': {
    op: 'agentStatus',
    adds: 0,
    keyed: true,
    scene: async (store) => {
      await mentioned(store)
      return { agent: CODER, status: 'off' }
    },
  },
}
