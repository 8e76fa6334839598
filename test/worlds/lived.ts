// Fills a store as if it had been used for a month, and lists the problems that doctor finds.

import { blocked, held, task } from './scenes.ts'
import type { World } from './world.ts'

const DAY = 86_400

type Report = Awaited<ReturnType<World['inbox']['doctor']>>

/** Doctor's findings that aren't ok, except that the test server doesn't flush. */
export function ailments({ findings }: Report) {
  return findings.filter(({ ok, detail }) => !ok && !detail.includes('fsync off'))
}

/** Old and new threads, open, held and done: everything a log can contain. */
export async function lived(world: World) {
  const artifacts = [{ path: 'a', kind: 'file', metadata_json: '{ "n": 1.0 }' }]
  const { thread: done } = await held(world)
  await world.inbox.done({ agent: 'worker', thread: done, summary: 'Built', artifacts })
  await world.inbox.show({ thread: done, agent: 'lead', mark_read: true })
  const old = await task(world)
  const { thread: lapsed } = await held(world, 'worker', 60)
  await world.clock.advance(31 * DAY)
  await world.inbox.sweep({})
  const { thread: asking } = await blocked(world)
  const { thread: failed } = await held(world)
  await world.inbox.fail({ agent: 'worker', thread: failed, summary: 'No 🎉\n' })
  return { done, old, lapsed, asking, failed }
}
