// Requests for use in tests.

import type { World } from './world.ts'

export const LIMIT = { target: 'api', current: { limit: 1 }, proposed: { limit: 2 } }

/** Ann requests a configuration change. Returns the request's id. */
export async function asked(
  world: World,
  input: Partial<Parameters<World['inbox']['requestCreate']>[0]> = {},
): Promise<string> {
  const { request_id } = await world.inbox.requestCreate({
    agent: 'ann',
    type: 'config_change',
    title: 'Raise the limit',
    payload: JSON.stringify(LIMIT),
    ...input,
  })
  return request_id
}

/** The titles of the requests in a list. */
export async function titles(
  world: World,
  input: Parameters<World['inbox']['requestList']>[0] = {},
): Promise<string[]> {
  return (await world.inbox.requestList(input)).requests.map(({ title }) => title)
}

/** The subjects of an agent's unread mail. */
export async function unreadOf(world: World, agent: string): Promise<string[]> {
  return (await world.inbox.mailPeek({ agent })).messages.map(({ subject }) => subject)
}
