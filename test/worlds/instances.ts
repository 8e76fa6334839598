// Instances for tests: a team that runs, and what is said in its channel.

import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { type SpeakWish, type SpokenEntry, sayTo } from '../../src/core/channels/say.ts'
import { type BeginWish, type BegunInstance, beginInstance } from '../../src/wake/instance.ts'

type Opened = Pick<Mailroom, 'store' | 'makeId'>

function teamWish(instance: string, names: readonly string[]): BeginWish {
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
      ...{ name, agent_id: `${name}@${instance}`, backend: 'command', model: '' },
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

/** The store of a world as its runner has it, beside the door. */
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

/** A team that runs in this world: reviewer and coder, in pr-1. */
export function beginIn(
  world: { address: string },
  more: Partial<BeginWish> = {},
): Promise<BegunInstance> {
  return besideDoor(world, (room) => begin(room, more))
}
