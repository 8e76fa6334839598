// Turns an address into recipients: once, inside the transaction that sends the message.

import { parseAddress, queueOf } from '../../core/agents/address.ts'
import {
  type Agent,
  isAvailable,
  isPerson,
  type MessageSender,
  mustReachPeople,
  ORCHESTRATOR,
  type SeenAgent,
  statusOf,
  USER,
} from '../../core/agents/agent.ts'
import { ROLE_TURN } from '../../core/agents/sighting.ts'
import { operation, refuse } from '../../core/error.ts'
import { mustBeFor } from '../../core/inbox/direction.ts'
import type { Tx } from '../../core/store.ts'
import { findReached, mustOutrank } from '../../core/threads/cascade.ts'
import type { Instant } from '../../core/time.ts'
import type { MailType } from '../../core/vocabulary.ts'
import { INSTANCES } from '../../core/workflows/instance-record.ts'

type AgentHead = Pick<Agent, 'agent_id' | 'declared_status'>

export type MailSender = MessageSender & {
  now: Instant
  /** The agent that the address names, if it has already been read from the store. */
  addressee?: AgentHead | null | undefined
  /** True in a thread where the sender may write to people even if it may not elsewhere. */
  mayReachPeople?: boolean
}

export function agentNamed(text: string): string | null {
  const address = parseAddress(text)
  return address.to === 'agent' ? address.agent_id : null
}

export async function resolve(
  tx: Tx,
  sender: MailSender,
  text: string,
  type: MailType,
): Promise<string[]> {
  // An agent that is off may have started others that aren't, so it can still be canceled.
  const pick = type === 'cancel' ? ({ agent_id }: AgentHead) => agent_id : mustBeOn
  const recipients = await named(tx, sender, text, pick)
  const person = recipients.find(isPerson)
  if (person !== undefined) mustBeFor(type, person, 'person')
  return type === 'cancel' ? cascade(tx, sender, text, recipients) : recipients
}

async function named(
  tx: Tx,
  sender: MailSender,
  text: string,
  pick: (agent: AgentHead) => string,
): Promise<string[]> {
  const { from, now } = sender
  const address = parseAddress(text)
  const others = (agents: SeenAgent[]) => agents.filter(({ agent_id }) => agent_id !== from)
  switch (address.to) {
    case 'agent': {
      const { addressee } = sender
      const agent = addressee === undefined ? await tx.agent(address.agent_id) : addressee
      if (agent !== null) return [pick(agent)]
      // The agent was just introduced by this message, and isn't in the tables yet.
      if (address.agent_id === from) return [from]
      throw refuse.not_found`there is no agent ${address.agent_id}; see ${operation('agent list')}, or have it registered with ${operation('agent register', { agent: address.agent_id })}`
    }
    case 'orchestrator':
      return [await orchestrator(tx, pick)]
    case 'role':
      if (address.role === ORCHESTRATOR) return [await orchestrator(tx, pick)]
      return [await nextOf(tx, address.role, from, now)]
    case 'broadcast':
      return others(await tx.agents({}))
        .filter((agent) => ['running', 'idle'].includes(statusOf(agent, now)))
        .map(({ agent_id }) => agent_id)
    case 'person': {
      if (!sender.mayReachPeople) mustReachPeople(sender, text)
      const { person_id } = address
      if (person_id === USER || person_id === from || (await tx.hasPerson(person_id))) {
        return [person_id]
      }
      throw refuse.not_found`there is no person ${person_id}; add them with ${operation('person add', { name: person_id })}, or write to user`
    }
    case 'instance': {
      const members = others(await membersOf(tx, address.instance))
      const there = members.filter((agent) => statusOf(agent, now) !== 'off')
      if (there.length > 0) return there.map(({ agent_id }) => agent_id)
      throw refuse.not_found`no other agent of instance ${address.instance} is there; see ${operation('agent list')}`
    }
  }
}

/** The agents of an instance: those of its latest run or, if it never had a runner, all that carry its name. */
async function membersOf(tx: Tx, name: string): Promise<SeenAgent[]> {
  const instance = await tx.rowOf(INSTANCES, name)
  if (instance === null) return tx.agents({ instance: name })
  const agents = await Promise.all(instance.members.map(({ agent_id }) => tx.agent(agent_id)))
  return agents.filter((agent) => agent !== null)
}

/** An agent declared off is off, no matter when it was last seen. */
export function mustBeOn({ agent_id, declared_status }: AgentHead): string {
  if (declared_status !== 'off') return agent_id
  const others = agent_id === ORCHESTRATOR ? '' : 'write to its role or to orchestrator, or '
  throw refuse.invalid_state`${agent_id} is off; ${others}turn it on with ${operation('agent status', { agent: agent_id, status: 'idle' })}`
}

async function orchestrator(tx: Tx, pick: (agent: AgentHead) => string): Promise<string> {
  const [agent] = await tx.agents({ role: ORCHESTRATOR })
  return agent === undefined ? queueOf(ORCHESTRATOR) : pick(agent)
}

/** The next available member in turn, or the role's queue if none is available. */
export async function nextOf(tx: Tx, role: string, from: string, now: Instant): Promise<string> {
  // Lock the turn before reading the members, so that concurrent senders take turns.
  const last = await tx.lockTurn(role)
  const names = (await tx.agents({ role }))
    .filter((agent) => agent.agent_id !== from && isAvailable(agent, now))
    .map(({ agent_id }) => agent_id)
    .sort()
  const next = names.find((name) => name > last) ?? names[0]
  if (next === undefined) return queueOf(role)
  tx.keep(ROLE_TURN, { role, last_agent: next })
  return next
}

/** A stop message goes only to agents that exist: one that took it from a queue later would stop for no reason. */
async function cascade(
  tx: Tx,
  { from, agent, isClaimed, now }: MailSender,
  text: string,
  targets: string[],
): Promise<string[]> {
  const agents = await tx.agents({})
  const known = new Map(agents.map((one) => [one.agent_id, one]))
  const sender = { from, role: isClaimed ? '' : (agent?.role ?? '') }
  const there = findReached(agents, sender, targets).filter((agentId) => {
    const one = known.get(agentId)
    return agentId !== from && one !== undefined && statusOf(one, now) !== 'off'
  })
  for (const target of targets) {
    const one = known.get(target)
    if (one === undefined)
      throw refuse.not_found`${text} reaches no agent that could be cancelled; see ${operation('agent list')}`
    // If the list is empty, the agent itself is off and so are all agents below it.
    if (there.length === 0) mustBeOn(one)
    mustOutrank(agents, sender, target)
  }
  return there
}
