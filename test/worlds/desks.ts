// The rows on a person's desk, and times relative to now, for use in tests.

import type { World } from './world.ts'

type Look = Parameters<World['inbox']['deskList']>[0]

export async function rowsOn(world: World, wish: Look = {}) {
  return (await world.inbox.deskList(wish)).rows
}

export async function idsOn(world: World, wish: Look = {}): Promise<string[]> {
  return (await rowsOn(world, wish)).map(({ thread_id }) => thread_id)
}

/** The time this many seconds from now, by the store's clock. */
export async function inSeconds(world: World, seconds: number): Promise<string> {
  const now = await world.clock.advance(0)
  return new Date(Date.parse(now) + seconds * 1000).toISOString()
}
