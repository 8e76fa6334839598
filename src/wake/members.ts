// The agents of an instance, when its run begins: those of the file are known and on, and those that it no longer names
// are off.

import type { Agent } from '../core/agents/agent.ts'
import { refuse } from '../core/error.ts'
import { SYSTEM } from '../core/event.ts'
import { operation, sentence } from '../core/sentence.ts'
import type { Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import { type Instance, type Member, memberOf } from '../core/workflows/instance.ts'
import type { BeginWish } from './instance.ts'

/** The members are agents like any other, from here on: known, on, and started by this instance's runner alone. */
export async function admitMembers(tx: Tx, want: BeginWish, now: Instant): Promise<void> {
  for (const member of want.members) await admitMember(tx, want, member, now)
}

/** Nobody starts an agent that the file does not name any more, and nobody waits for it. */
export async function dismissOthers(
  tx: Tx,
  { members }: Instance,
  want: BeginWish,
  now: Instant,
): Promise<string[]> {
  const gone: string[] = []
  for (const { agent_id } of members) {
    const known = memberOf(want, agent_id) === undefined ? await tx.agent(agent_id) : null
    if (known?.wake.runner !== want.instance) continue
    register(tx, want.by, now, { ...known, wake: {} })
    declare(tx, agent_id, 'off', now)
    gone.push(agent_id)
  }
  return gone
}

async function admitMember(
  tx: Tx,
  { by, instance, wake: settings = {} }: BeginWish,
  { agent_id }: Member,
  now: Instant,
): Promise<void> {
  const known = await tx.agent(agent_id)
  if (known !== null && known.wake.command !== undefined && known.wake.runner !== instance) {
    throw refuse(
      'invalid_state',
      sentence`${agent_id} is an agent with a wake command of its own; give the workflow's agent another name, or take the command back with ${operation('agent register', { agent: agent_id, wake_command: 'none' })}`,
      { agent_id },
    )
  }
  const wake = { ...settings[agent_id], runner: instance }
  if (known === null || JSON.stringify(known.wake) !== JSON.stringify(wake)) {
    register(tx, by, now, { ...known, agent_id, wake })
  }
  if (known?.declared_status === 'off') declare(tx, agent_id, 'dormant', now)
}

function register(
  tx: Tx,
  by: string,
  now: Instant,
  known: Partial<Agent> & Pick<Agent, 'agent_id' | 'wake'>,
): void {
  const { agent_id, wake, role = '', parent_agent_id = null, paired_person = null } = known
  const { source = 'workflow', may_write_to_user = false } = known
  const fields = { role, parent_agent_id, paired_person, source, may_write_to_user, wake }
  const facts = { type: 'agent_register', agent_id, ...fields } as const
  tx.recordStoreEvent({ agent: by, at: now, summary: '', facts })
}

function declare(tx: Tx, agent_id: string, status: 'off' | 'dormant', now: Instant): void {
  const facts = { type: 'agent_declare', agent_id, status } as const
  tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: status, facts })
}
