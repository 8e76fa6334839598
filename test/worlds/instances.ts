// Workflow instances for tests: a running team, and the messages in its channel.

import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { RUNNER_LEASE } from '../../src/core/workflows/instance.ts'
import { HELD_INSTANCES } from '../../src/core/workflows/instance-record.ts'
import { type SpeakWish, type SpokenEntry, sayTo } from '../../src/core/workflows/say.ts'
import { waitFor } from '../../src/wake/wait.ts'
import {
  type BeginWish,
  type BegunInstance,
  beginInstance,
  endInstance,
} from '../../src/workflows/instance-life.ts'

type Opened = Pick<Mailroom, 'store' | 'makeId'>

export function teamWish(instance: string, names: readonly string[]): BeginWish {
  return {
    instance,
    workflow: 'review',
    source: '/work/review.yaml',
    standalone: false,
    mode: 'run',
    provider: 'file',
    dir: `/work/.workflow/${instance}`,
    channel_file: 'channel.md',
    document: 'notes.md',
    documents: ['goals, and more.md'],
    members: names.map((name) => ({
      name,
      agent_id: `${name}@${instance}`,
      backend: 'command',
      model: '',
    })),
    by: 'user',
    pid: 4711,
  }
}

export function begin(
  { store, makeId }: Opened,
  more: Partial<BeginWish> = {},
  names: readonly string[] = ['reviewer', 'coder'],
): Promise<BegunInstance> {
  const wish = teamWish(more.instance ?? 'pr-1', names)
  return beginInstance(store, makeId, { ...wish, ...more })
}

export async function speak(
  { store, makeId }: Opened,
  from: string,
  text: string,
  more: Partial<SpeakWish> = {},
): Promise<SpokenEntry> {
  const wish = { instance: 'pr-1', from, text, ...more }
  const stamp = (now: string) => ({ now, messageId: makeId('message'), artifactIds: [] })
  const { value } = await store.write((tx) => sayTo(tx, wish, stamp))
  return value
}

/** Opens a world's store as its runner would, without going through the door. */
export async function besideDoor<T>(
  { address }: { address: string },
  use: (room: Mailroom) => Promise<T>,
): Promise<T> {
  const room = await openMailroom(address)
  try {
    return await use(room)
  } finally {
    await room.close()
  }
}

/** Starts a team in this world: reviewer and coder, in pr-1. */
export function beginIn(
  world: { address: string },
  more: Partial<BeginWish> = {},
): Promise<BegunInstance> {
  return besideDoor(world, (room) => begin(room, more))
}

/** Plays the runner: ends its instance on request. */
export async function obey(
  room: Pick<Mailroom, 'store' | 'bell'>,
  instance: string,
): Promise<void> {
  const { store, bell } = room
  const { token } = (await store.instance(instance)) ?? { token: '' }
  const look = async () => (await store.instance(instance))?.stop_at ?? null
  const { signal } = new AbortController()
  const wait = { bell, look, lookout: store.lookout(), chores: [], timeoutMs: 60_000, signal }
  const { outcome } = await waitFor(wait)
  if (outcome !== 'found') throw new Error(`nobody asked ${instance} to stop`)
  await endInstance(store, { instance, token }, 'stopped')
}

/** Makes it look as if the runner had been killed a while ago. */
export async function loseRunner(
  { store }: Pick<Mailroom, 'store'>,
  instance: string,
): Promise<void> {
  await store.write(async (tx) => {
    const held = await tx.lockRow(HELD_INSTANCES, instance)
    if (held === null) throw new Error(`no instance ${instance}`)
    const { token, pid, log, socket, url } = held
    const expires_at = '2020-01-01T00:00:00.000Z'
    tx.keep(RUNNER_LEASE, { instance, token, expires_at, pid, log, socket, url })
    return {}
  })
}
