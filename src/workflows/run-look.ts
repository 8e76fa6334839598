// How a run stands at this moment: of each agent whether it works, what waits for it, and what keeps it from going on. The
// same rules that start agents are asked, so a run never ends while one of them would still start somebody.

import type { Reads } from '../core/store.ts'
import type { HeldInstance } from '../core/workflows/instance.ts'
import { isToStop } from '../core/workflows/instance.ts'
import type { Owner } from '../wake/wake-life.ts'
import { situationOf } from '../wake/wake-life.ts'
import type { AgentLook } from './ending.ts'

export type MemberLook = AgentLook & {
  agent_id: string
  name: string
  /** Since when its turn runs; null between turns. */
  since: string | null
  unread: number
}

export type TurnBook = {
  /** Whether the agent may have another turn in this run. */
  mayTakeTurn: (agentId: string) => boolean
  /** The agents of which mail was given up. */
  gaveUp: { has: (agentId: string) => boolean }
}

export async function lookAtMembers(
  store: Reads,
  instance: HeldInstance,
  {
    owner,
    book,
    offsetMinutes,
  }: {
    owner: Owner
    book: TurnBook
    offsetMinutes: (epochMs: number) => number
  },
): Promise<MemberLook[]> {
  return Promise.all(
    instance.members.map(async ({ agent_id, name }): Promise<MemberLook> => {
      const [situation, unread] = await Promise.all([
        situationOf(store, agent_id, offsetMinutes, owner),
        store.unread(agent_id),
      ])
      const gaveUp = book.gaveUp.has(agent_id)
      const still = { isWorking: false, waiting: 0, tooFar: 0, isSpent: false, isLeased: false }
      if (situation === null) return { ...still, agent_id, name, gaveUp, unread, since: null }
      const { agent, now, history, mail, ruling } = situation
      const open = history.last !== null && history.last.ended_at === null ? history.last : null
      // An agent that was told to stop, or is off, starts no more: its mail holds nobody up.
      const isOff = agent.declared_status === 'off' || isToStop(instance, agent_id)
      const mayStill = ruling.wakes || ruling.again !== null
      const waiting = open !== null || isOff || !mayStill ? 0 : mail.count
      return {
        agent_id,
        name,
        gaveUp,
        unread,
        since: open?.started_at ?? null,
        isWorking: open !== null,
        waiting,
        tooFar: isOff ? 0 : mail.tooFar,
        isSpent: waiting > 0 && !book.mayTakeTurn(agent_id),
        isLeased: (agent.leased_until ?? '') > now,
      }
    }),
  )
}
