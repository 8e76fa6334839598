// Agent runs for use in tests.

import type { World } from './world.ts'

type Review = Parameters<World['inbox']['requestReview']>[0]
export type Asked = Awaited<ReturnType<World['inbox']['requestReview']>>

export const CHANGE = { kind: 'edit', path: 'a.md', summary: 'Say it shorter' }

/** Ann submits one change for review. */
export function review(world: World, input: Partial<Review> = {}): Promise<Asked> {
  return world.inbox.requestReview({
    agent: 'ann',
    review: 'r1',
    title: 'Shorter words',
    body: 'Please **look**.',
    target_path: 'docs',
    changes: JSON.stringify([CHANGE]),
    ...input,
  })
}

/** The agent run with this id. */
export async function runOf(world: World, { agent_run_id }: Pick<Asked, 'agent_run_id'>) {
  const { agent_runs } = await world.inbox.agentRuns({ agent_run: agent_run_id })
  return agent_runs[0]
}

/** The request with this id, as people see it. */
export async function requestIn(world: World, request: string) {
  return (await world.inbox.requestGet({ request })).request
}
