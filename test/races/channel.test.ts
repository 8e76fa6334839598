// Many writers post in one channel while its members wait for their mentions, acknowledge them and answer some, and
// while runs of the workflow start and end. Every mention reaches its member once, or expires with its run.

import { expect, test } from 'bun:test'
import { type Client, connect } from '../../src/index.ts'
import { endInstance } from '../../src/workflows/instance-life.ts'
import { begin, besideDoor } from '../worlds/instances.ts'
import { ENGINES, withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

const MEMBERS = ['ann', 'bob', 'cyd'] as const
const WRITERS = 5
const EACH = 24

/** Messages mention one member, several or none. A writer's mention of itself isn't delivered. */
function messageOf(writer: number, n: number): string {
  const called = MEMBERS.filter((_, i) => ((writer * 7 + n * 3) >> i) & 1)
  return [`${writer}.${n}`, ...called.map((name) => `@${name}`)].join(' ')
}

type Seen = { id: string; text: string }

test.each([...ENGINES])('%s: every mention is delivered exactly once', (engine) =>
  withStore(engine, async (store) => {
    await besideDoor(store, (room) => begin(room, {}, MEMBERS))
    const sent: { text: string; mentions: string[] }[] = []
    let isOver = false
    const readers = MEMBERS.map(async (name) => {
      const agent = `${name}@pr-1`
      const client = await connect(store.address, { agent })
      const handled: Seen[] = []
      const looks = await readAll(client, agent, handled, () => isOver)
      await client.close()
      return { name, handled, looks }
    })
    const writing = Array.from({ length: WRITERS }, async (_, writer) => {
      // Some members write too, and so do people.
      const from = writer < MEMBERS.length ? `${MEMBERS[writer]}@pr-1` : 'user'
      const client = await connect(store.address, { agent: from })
      for (let n = 0; n < EACH; n++) {
        const message = messageOf(writer, n)
        const { mentions } = await client.workflowContextSend({ message, instance: 'pr-1' })
        sent.push({ text: message, mentions })
      }
      await client.close()
    })
    await Promise.all(writing)
    isOver = true
    for (const { name, handled } of await Promise.all(readers)) {
      const due = sent.flatMap(({ text, mentions }) => (mentions.includes(name) ? [text] : []))
      // The member acknowledged or answered each of its mentions, once each.
      expect(handled.map(({ text }) => text).toSorted()).toEqual(due.toSorted())
    }
    const left = await store.sql("select * from deliveries where state in ('queued', 'presented')")
    expect(left).toEqual([])
    const places = await store.sql('select seq from messages order by seq')
    expect(places.map(({ seq }) => Number(seq))).toEqual(places.map((_, i) => i + 1))
    expect(await contradictions(store, [])).toEqual([])
    expect(await findingsOf(store.address)).toEqual([])
  }),
)

/** Waits as a member. Handles each mention once: by answering it, acknowledging its id, or reading the channel. */
async function readAll(
  client: Client,
  agent: string,
  handled: Seen[],
  isOver: () => boolean,
): Promise<number> {
  let looks = 0
  for (;;) {
    const isLast = isOver()
    // The next read that doesn't wait returns mentions again if they were shown but not handled.
    const isWait = looks % 2 === 1
    const more = isWait ? { timeout_seconds: 1 } : {}
    const { messages } = await client.workflowContextInbox({ agent, limit: 5, ...more })
    looks += 1
    const [first, ...rest] = messages
    if (first === undefined) {
      if (isLast && !isWait) return looks
      continue
    }
    const seen = (one: typeof first) => ({ id: one.entry.id, text: one.entry.message })
    if (looks % 3 === 0) {
      // Handle only the first one; the others remain.
      const reply_to = first.entry.id
      await client.workflowContextSend({ agent, message: 'So be it.', reply_to })
      handled.push(seen(first))
      continue
    }
    const last = rest.at(-1) ?? first
    const { acknowledged } = await client.workflowContextAck({ agent, until: last.entry.id })
    expect(acknowledged).toBe(messages.length)
    handled.push(...messages.map(seen))
  }
}

test.each([...ENGINES])('%s: mentions expire when their run ends', (engine) =>
  withStore(engine, async (store) => {
    const runs = besideDoor(store, async (room) => {
      let held = await begin(room, {}, MEMBERS)
      for (let n = 0; n < 8; n++) {
        const { token } = held
        expect(await endInstance(room.store, { instance: 'pr-1', token }, 'idle')).toBe(true)
        held = await begin(room, {}, MEMBERS)
      }
    })
    const refused = new Set<string>()
    const writing = Array.from({ length: 4 }, async () => {
      const client = await connect(store.address, { agent: 'user' })
      for (let n = 0; n < 15; n++) {
        const said = client.workflowContextSend({ instance: 'pr-1', message: '@ann @bob go' })
        await said.catch((error) => refused.add(error.code))
      }
      await client.close()
    })
    await Promise.all([runs, ...writing])
    // There's no instance before the first run, and no one is listening between two runs.
    expect([...refused].filter((code) => code !== 'invalid_state' && code !== 'not_found')).toEqual(
      [],
    )
    // Mentions in a run that ended have expired, and none were added to a channel after its end.
    const open = await store.sql(
      `select count(*) as n from deliveries d join threads t on t.thread_id = d.thread_id
       where t.status = 'ended' and d.state = 'queued'`,
    )
    expect(Number(open[0]?.n)).toBe(0)
    expect(await contradictions(store, [])).toEqual([])
    expect(await findingsOf(store.address)).toEqual([])
  }),
)
