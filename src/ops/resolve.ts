// From an address to recipients: once, when a message is sent, inside its transaction.

import { parseAddress, queueOf } from '../core/address.ts'
import {
  type Agent,
  isAvailable,
  isPerson,
  mustReachPeople,
  ORCHESTRATOR,
  type SeenAgent,
  statusOf,
  USER,
} from '../core/agent.ts'
import { refuse } from '../core/error.ts'
import type { Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'

export type Sender = { from: string; agent: Agent | null; now: Instant }

export async function resolve(tx: Tx, sender: Sender, text: string): Promise<string[]> {
  const { from, now } = sender
  const address = parseAddress(text)
  const others = (agents: SeenAgent[]) => agents.filter(({ agent_id }) => agent_id !== from)
  switch (address.to) {
    case 'agent': {
      const agent = await tx.agent(address.agent_id)
      if (agent === null) {
        throw refuse(
          'not_found',
          `there is no agent ${address.agent_id}; see 'inbox agent list', or register it first`,
        )
      }
      mustNotBeOff(agent, now)
      return [agent.agent_id]
    }
    case 'orchestrator':
      return [await orchestrator(tx, now)]
    case 'role':
      if (address.role === ORCHESTRATOR) return [await orchestrator(tx, now)]
      return [await nextOf(tx, address.role, others, now)]
    case 'broadcast':
      return others(await tx.agents({}))
        .filter((agent) => ['running', 'idle'].includes(statusOf(agent, now)))
        .map(({ agent_id }) => agent_id)
    case 'person': {
      mustReachPeople(sender.agent, from, text)
      const { person_id } = address
      if (person_id !== USER && !(await tx.hasPerson(person_id))) {
        throw refuse(
          'not_found',
          `there is no person ${person_id}; add them with 'inbox person add', or write to user`,
        )
      }
      return [person_id]
    }
    case 'instance': {
      const members = others(await tx.agents({ instance: address.instance }))
      const there = members.filter((agent) => statusOf(agent, now) !== 'off')
      if (there.length > 0) return there.map(({ agent_id }) => agent_id)
      throw refuse('not_found', `nobody of the instance ${address.instance} is there`)
    }
  }
}

function mustNotBeOff(agent: SeenAgent, now: Instant): void {
  if (statusOf(agent, now) !== 'off') return
  throw refuse(
    'invalid_state',
    `${agent.agent_id} is off; write to its role or to orchestrator, or turn it on with 'inbox agent status'`,
  )
}

async function orchestrator(tx: Tx, now: Instant): Promise<string> {
  const [agent] = await tx.agents({ role: ORCHESTRATOR })
  if (agent === undefined) return queueOf(ORCHESTRATOR)
  mustNotBeOff(agent, now)
  return agent.agent_id
}

/** The next in turn of those who can take it; the role's queue when nobody can. */
async function nextOf(
  tx: Tx,
  role: string,
  others: (agents: SeenAgent[]) => SeenAgent[],
  now: Instant,
): Promise<string> {
  // Before the members are read: the turn's lock makes parallel senders take turns.
  const last = await tx.lockTurn(role)
  const names = others(await tx.agents({ role }))
    .filter((agent) => isAvailable(agent, now))
    .map(({ agent_id }) => agent_id)
    .sort()
  const next = names.find((name) => name > last) ?? names[0]
  if (next === undefined) return queueOf(role)
  tx.giveTurn(role, next)
  return next
}

/** Whoever writes is there: known from now on, so that it can be answered. */
export async function knownSender(tx: Tx, from: string, now: Instant): Promise<SeenAgent | null> {
  if (isPerson(from)) return null
  const known = await tx.agent(from)
  if (known === null) registerName(tx, from, now, from)
  return known
}

/** An agent of which nothing is known but its name. */
export function registerName(tx: Tx, agentId: string, now: Instant, by: string): void {
  tx.recordAgent({
    agent: by,
    at: now,
    summary: '',
    facts: {
      type: 'agent_register',
      agent_id: agentId,
      role: agentId === ORCHESTRATOR ? ORCHESTRATOR : '',
      parent_agent_id: null,
      paired_person: null,
      source: 'agent',
      may_write_to_user: false,
      wake: {},
    },
  })
}
