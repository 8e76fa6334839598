// Plays through a channel to show whether its guards hold. Can load the sources from elsewhere, for tests that remove a
// guard.

import { join } from 'node:path'
import type { Mailroom } from '../../src/bin/compose.ts'
import type { Client } from '../../src/index.ts'
import type { beginInstance } from '../../src/workflows/instance-life.ts'
import { teamWish } from '../worlds/instances.ts'
import { DAWN, type TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'

const SOURCE = join(import.meta.dir, '../../src')
const CODER = { agent: 'coder@pr-1' }
const REVIEWER = { agent: 'reviewer@pr-1' }

type Sources = {
  openMailroom: (address: string) => Promise<Mailroom>
  connect: (address: string) => Promise<Client>
  beginInstance: typeof beginInstance
}

export type ChannelScene = {
  /** The states of two mentions that were shown, after one was answered and other messages followed. */
  states: string[]
  /** The number of entries acknowledged up to the moment when two arrived, one of which had been shown. */
  acknowledged: number
  /** The refusal code that a second runner got, or `begun`. */
  second: string
  /** The mentions in a message whose author mentions itself. */
  own: string[]
}

export async function channelScene(store: TestStore, source = SOURCE): Promise<ChannelScene> {
  const parts = ['bin/compose.ts', 'index.ts', 'workflows/instance-life.ts'].map((file) =>
    join(source, file),
  )
  const loaded: object[] = await Promise.all(parts.map((part) => import(part)))
  const { openMailroom, connect, beginInstance } = Object.assign({}, ...loaded) as Sources
  const room = await openMailroom(store.address)
  await store.clock.set(DAWN)
  const wish = teamWish('pr-1', ['reviewer', 'coder'])
  await beginInstance(room.store, room.makeId, wish)
  const inbox = await connect(store.address)
  const say = (who: { agent: string }, message: string, reply_to?: string) =>
    inbox.workflowContextSend({ ...who, message, ...(reply_to ? { reply_to } : {}) })
  const statesOf = async (recipient: string) => {
    const rows = await store.sql(
      'select recipient, state from deliveries where recipient = ? order by event_id',
      recipient,
    )
    return rows.map((row) => `${row.recipient} ${row.state}`)
  }
  const shown = async ({ agent }: { agent: string }, limit: number) => {
    await inbox.workflowContextInbox({ agent, limit })
    const isShown = (one: string) => one.endsWith('presented')
    await until(async () => (await statesOf(agent)).filter(isShown).length === limit, 'it is shown')
  }
  const { id } = await say(REVIEWER, '@coder one')
  await say(REVIEWER, '@coder two')
  await shown(CODER, 2)
  await say(CODER, 'I am at it')
  await say(CODER, 'Done with one', id)
  const states = await statesOf(CODER.agent)
  await say(CODER, '@reviewer a')
  await say(CODER, '@reviewer b')
  await shown(REVIEWER, 1)
  const { acknowledged } = await inbox.workflowContextAck({ ...REVIEWER, until: DAWN })
  const second = await beginInstance(room.store, room.makeId, wish).then(
    () => 'begun',
    ({ code }: { code: string }) => code,
  )
  const { mentions: own } = await say(CODER, '@coder it is me')
  await inbox.close()
  await room.close()
  return { states, acknowledged, second, own }
}
