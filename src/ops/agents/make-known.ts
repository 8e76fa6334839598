// An agent that asks for work, watches, or is set up to read its mail is known, so that it can be written to.

import { isPerson, ORCHESTRATOR } from '../../core/agents/agent.ts'
import type { Context } from '../kit/operation.ts'
import { introduce } from './introduce.ts'

export async function makeKnown(
  { store, caller }: Pick<Context, 'store' | 'caller'>,
  agent: string,
  source: string,
): Promise<void> {
  const kind = caller.principal?.kind ?? 'agent'
  // Mail for the orchestrator waits for whichever agent becomes it.
  if (kind !== 'agent' || isPerson(agent) || agent === ORCHESTRATOR) return
  if ((await store.agent(agent)) !== null) return
  await store.write(async (tx) => {
    const told = { by: agent, now: await tx.now(), takes: false, source }
    await introduce(tx, agent, told)
    return {}
  })
}
