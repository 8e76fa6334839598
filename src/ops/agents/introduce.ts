// An agent that claims work, writes, or is written to in a work thread becomes known, so that others can write back.

import { isRole, parseAddress, queueOf } from '../../core/agents/address.ts'
import { type Agent, isPerson, ORCHESTRATOR, UNSEEN } from '../../core/agents/agent.ts'
import type { KnownAgent } from '../../core/agents/agent-reads.ts'
import { AGENTS } from '../../core/agents/agent-record.ts'
import { operation, refuse } from '../../core/error.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { instanceIn, memberOf } from '../../core/workflows/instance.ts'
import { INSTANCES } from '../../core/workflows/instance-record.ts'
import { takeRoleQueue } from '../inbox/role-queue.ts'
import type { Context } from '../kit/operation.ts'

/** Introduces the names that aren't known yet, under a thread's lock. If all are known, this takes a single read. */
export async function introduceAll(
  tx: Tx,
  names: readonly string[],
  told: { by: string; now: Instant },
): Promise<void> {
  const { strangers } = await sortKnown(tx, names)
  await introduceStrangers(tx, strangers, told)
}

export async function introduceStrangers(
  tx: Tx,
  strangers: readonly string[],
  told: { by: string; now: Instant },
): Promise<void> {
  for (const name of strangers) await introduce(tx, name, { ...told, takes: false })
}

export async function sortKnown(
  tx: Tx,
  names: readonly string[],
): Promise<{ known: KnownAgent[]; strangers: string[] }> {
  const agents = [...new Set(names)].filter((name) => !isPerson(name) && !isRole(name))
  const known = await tx.knownAgents(agents)
  const strangers = agents.filter((name) => !known.some(({ agent_id }) => agent_id === name))
  return { known, strangers }
}

/**
 * Returns the assignee of work. The orchestrator may be an agent with a different name, and work for a role is assigned
 * to the role until a member claims it. While there's no orchestrator, its work waits: an agent doesn't become the
 * orchestrator by being written to.
 */
export async function assigneeOf(tx: Tx, to: string): Promise<string> {
  const address = parseAddress(to)
  if (address.to === 'agent') return address.agent_id
  const isOrchestrator = address.to === 'role' && address.role === ORCHESTRATOR
  if (address.to !== 'orchestrator' && !isOrchestrator) return to
  const [agent] = await tx.agents({ role: ORCHESTRATOR })
  return agent?.agent_id ?? queueOf(ORCHESTRATOR)
}

export async function introduce(
  tx: Tx,
  agentId: string,
  {
    by,
    now,
    takes = true,
    source = 'agent',
  }: { by: string; now: Instant; takes?: boolean; source?: string },
): Promise<Agent> {
  // Another call may be registering the agent right now with more than its name.
  await tx.lockRecords()
  const known = await tx.agent(agentId)
  if (known !== null) return known
  if (agentId === ORCHESTRATOR) await mustBeFree(tx)
  if (by !== agentId) await Promise.all([mustBeFew(tx, agentId), mustNotBeMissing(tx, agentId)])
  const facts = {
    type: 'agent_register',
    agent_id: agentId,
    role: agentId === ORCHESTRATOR ? ORCHESTRATOR : '',
    parent_agent_id: null,
    paired_person: null,
    source,
    may_write_to_user: false,
    wake: {},
  } as const
  tx.recordStoreEvent({ agent: by, at: now, facts })
  const agent = evolveRecord(AGENTS, null, facts, { agent: by, at: now })
  // A new orchestrator takes over the mail that was waiting for one, unless it's in the middle of a reply: the reply
  // may be in one of those threads, and mail that's taken here can't also be answered here. In that case, its first
  // read takes the mail.
  if (takes) {
    await takeRoleQueue(tx, { ...agent, ...UNSEEN, seen_at: now }, now)
  }
  return agent
}

/** If this many names were written to but never used, it can't be an accident. */
const MOST_UNSEEN = 10_000

async function mustBeFew(tx: Tx, agentId: string): Promise<void> {
  if ((await tx.unseenAgents(MOST_UNSEEN)) < MOST_UNSEEN) return
  throw refuse.invalid_state`${MOST_UNSEEN} names are known here that no agent ever used; write to one in ${operation('agent list')}, or have ${agentId} registered with ${operation('agent register', { agent: agentId })}`
}

/** An agent doesn't join a workflow by being written to, so a name that isn't a member's is a typo. */
async function mustNotBeMissing(tx: Tx, agentId: string): Promise<void> {
  const instance = agentId.includes('@') ? await tx.rowOf(INSTANCES, instanceIn(agentId)) : null
  if (instance === null || memberOf(instance, agentId) !== undefined) return
  const members = instance.members.map(({ agent_id }) => agent_id).join(', ')
  throw refuse.not_found`there is no agent ${agentId}; the agents of ${instance.instance} are ${members}`
}

async function mustBeFree(tx: Tx): Promise<void> {
  const [other] = await tx.agents({ role: ORCHESTRATOR })
  if (other === undefined) return
  throw refuse.invalid_state`${{ orchestrator: other.agent_id }} is the orchestrator; write as ${other.agent_id}, and to it by that name`
}

/** An agent that asks for work, watches, or is set up to read its mail becomes known, so that it can be written to. */
export async function makeKnown(
  { store, caller }: Pick<Context, 'store' | 'caller'>,
  agent: string,
  source: string,
): Promise<void> {
  const kind = caller.principal?.kind ?? 'agent'
  // Mail for the orchestrator waits until an agent takes that role.
  if (kind !== 'agent' || isPerson(agent) || agent === ORCHESTRATOR) return
  if ((await store.agent(agent)) !== null) return
  await store.write(async (tx) => {
    const told = { by: agent, now: await tx.now(), takes: false, source }
    await introduce(tx, agent, told)
    return {}
  })
}
