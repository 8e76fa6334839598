// Whoever writes or is written to on a work thread is known from then on, so that it can be answered.

import { isRole, parseAddress, queueOf } from '../../core/agents/address.ts'
import { type Agent, isPerson, ORCHESTRATOR } from '../../core/agents/agent.ts'
import type { KnownAgent } from '../../core/agents/agent-reads.ts'
import { AGENTS } from '../../core/agents/agent-record.ts'
import { refuse } from '../../core/error.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { takeQueued } from '../inbox/take.ts'

/** Makes the names known that are not yet, under the lock of a thread. One read when all are. */
export async function introduceAll(
  tx: Tx,
  names: readonly string[],
  told: { by: string; now: Instant },
): Promise<void> {
  const answering = { ...told, takes: false }
  const { strangers } = await acquainted(tx, names)
  for (const name of strangers) await introduce(tx, name, answering)
}

/** Which agents among these names are known, and of which nothing is. */
export async function acquainted(
  tx: Tx,
  names: readonly string[],
): Promise<{ known: KnownAgent[]; strangers: string[] }> {
  const agents = [...new Set(names)].filter((name) => !isPerson(name) && !isRole(name))
  const known = await tx.knownAgents(agents)
  const strangers = agents.filter((name) => !known.some(({ agent_id }) => agent_id === name))
  return { known, strangers }
}

/**
 * Whom work is for: the orchestrator may be an agent of another name, and a role is whoever claims it. As long
 * as nobody has that role its work waits for whoever will: to be written to makes nobody the orchestrator.
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
  // Somebody may be registering it just now, and knows more of it than its name.
  await tx.lockAgents()
  const known = await tx.agent(agentId)
  if (known !== null) return known
  if (agentId === ORCHESTRATOR) await mustBeFree(tx)
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
  tx.recordStoreEvent({ agent: by, at: now, summary: '', facts })
  const agent = evolveRecord(AGENTS, null, facts, { agent: by, at: now })
  // What waited for an orchestrator is its own from now on. Not while it answers: that may be in a
  // thread of these, and what is taken here cannot be answered here. Its first read takes it then.
  if (takes) {
    const seen = { ...agent, seen_at: now, waiting_until: null, leased_until: null }
    await takeQueued(tx, seen, now)
  }
  return agent
}

async function mustBeFree(tx: Tx): Promise<void> {
  const [other] = await tx.agents({ role: ORCHESTRATOR })
  if (other === undefined) return
  throw refuse(
    'invalid_state',
    `${other.agent_id} is the orchestrator; write as ${other.agent_id}, and to it by that name`,
    { orchestrator: other.agent_id },
  )
}
