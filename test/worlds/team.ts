// A team (an orchestrator, ann and bob) and mail between its members.
import type { World } from './world.ts'

export type Sending = Parameters<World['inbox']['mailSend']>[0]

export async function team(world: World): Promise<void> {
  for (const agent of ['orchestrator', 'ann', 'bob']) {
    await world.inbox.agentRegister({ agent, status: 'idle' })
  }
}

export function mail(world: World, input: Partial<Sending> = {}) {
  return world.inbox.mailSend({ from: 'orchestrator', to: 'ann', body: 'Hello', ...input })
}
