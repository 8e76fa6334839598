// Random walks in a channel: members and a person write, mention each other, look, acknowledge, read with ack and
// answer, are turned off and on, and runs follow each other or are resumed. After every step each mention must be in
// the state that the model predicts on both engines: none lost, none duplicated, none moved back.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openMailroom } from '../../src/bin/compose.ts'
import { connect, Refusal } from '../../src/index.ts'
import { endInstance } from '../../src/workflows/instance-life.ts'
import { begin, speak } from '../worlds/instances.ts'
import { DAWN } from '../worlds/store.ts'
import { storeToWalk, WALKS, WALKS_LIMIT_MS } from './walks.ts'

const NAMES = ['ann', 'bob', 'cyd'] as const
const name = fc.constantFrom(...NAMES)
const place = fc.nat({ max: 30 })

type Step =
  | { op: 'say'; by: string; to: string[]; answers: number | null }
  | { op: 'check'; by: string; limit: number }
  | { op: 'ack'; by: string; at: number }
  | { op: 'read'; by: string; limit: number }
  | { op: 'turn'; by: string; status: 'off' | 'idle' }
  | { op: 'run'; resume: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('say' as const),
      by: fc.constantFrom(...NAMES, 'user'),
      to: fc.subarray([...NAMES, 'user']),
      answers: fc.oneof(fc.constant(null), fc.constant(null), place),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('check' as const),
      by: name,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('ack' as const), by: name, at: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('read' as const),
      by: name,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('turn' as const),
      by: name,
      status: fc.constantFrom('off' as const, 'idle' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('run' as const), resume: fc.boolean() }) },
)

type Mention = Said & { from: string; to: string; state: string; order: number }
type Said = { run: number; seq: number }

/** The channel as it should be. Time stands still, so only the order counts. */
class ChannelModel {
  run = 1
  seq = 1
  off = new Set<string>()
  mentions: Mention[] = []
  entries: Said[] = [{ run: 1, seq: 1 }]

  standing(): string[] {
    return this.mentions.map(({ run, seq, to, state }) => `${run}.${seq} ${to} ${state}`).sort()
  }

  unread(to: string): Mention[] {
    return this.mentions.filter((one) => one.to === to && isUnread(one))
  }

  take(step: Step): string {
    switch (step.op) {
      case 'say': {
        const answered = this.named(step.answers)
        if (answered !== null && answered.run !== this.run) return 'not_found'
        this.add()
        for (const one of this.mentions) {
          const isAnswered = answered?.run === one.run && answered.seq === one.seq
          const isOpen = isUnread(one) || one.state === 'read'
          if (isAnswered && one.to === step.by && isOpen) one.state = 'acted'
        }
        for (const to of step.to) if (to !== step.by) this.mention(step.by, to)
        return 'said'
      }
      case 'check':
        for (const one of this.unread(step.by).slice(0, step.limit)) {
          if (one.state === 'queued') one.state = 'presented'
        }
        return 'looked'
      case 'ack': {
        const until = this.named(step.at) as Said
        const own = this.mentions.find(
          (one) => one.to === step.by && one.run === until.run && one.seq === until.seq,
        )
        if (own === undefined && until.run !== this.run) return 'not_found'
        // Someone else's entry only stands for its time. All entries have the same time, so only shown mentions matter.
        const isMeant = (one: Mention) =>
          own === undefined ? one.state === 'presented' : one.order <= own.order
        for (const one of this.unread(step.by)) if (isMeant(one)) one.state = 'read'
        return 'acknowledged'
      }
      case 'read': {
        const from = this.seq - step.limit
        for (const one of this.unread(step.by)) {
          if (one.run === this.run && one.seq > from) one.state = 'read'
        }
        return 'read'
      }
      case 'turn': {
        if (step.status === 'idle') {
          this.off.delete(step.by)
          return 'turned'
        }
        this.off.add(step.by)
        const bounced = this.unread(step.by)
        for (const one of bounced) one.state = 'bounced'
        // The system notifies each sender that can receive it, but never itself.
        for (const from of new Set(bounced.map((one) => one.from))) {
          this.add()
          if (from !== 'system' && !this.off.has(from)) this.mention('system', from)
        }
        return 'turned'
      }
      case 'run':
        this.off.clear()
        if (step.resume) return 'begun'
        for (const one of this.mentions)
          if (one.to !== 'user' && isUnread(one)) one.state = 'expired'
        this.run += 1
        this.seq = 1
        this.entries.push(this.last())
        return 'begun'
    }
  }

  /** Picks an existing entry. */
  named(at: number | null): Said | null {
    return at === null ? null : (this.entries[at % this.entries.length] as Said)
  }

  private last(): Said {
    return { run: this.run, seq: this.seq }
  }

  private mention(from: string, to: string): void {
    const order = this.mentions.length
    this.mentions.push({ ...this.last(), from, to, state: 'queued', order })
  }

  private add(): void {
    this.seq += 1
    this.entries.push(this.last())
  }
}

function isUnread({ state }: Mention): boolean {
  return state === 'queued' || state === 'presented'
}

const walk = fc.array(step, { minLength: 20, maxLength: 50 })

test(
  'random walks in a channel leave every mention in the model’s state',
  async () => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const model = new ChannelModel()
      const walkers = await Promise.all([startWalker('sqlite'), startWalker('postgres')])
      try {
        for (const one of taken) {
          const named = 'at' in one ? one.at : 'answers' in one ? one.answers : null
          const aimed = model.named(named)
          const expected = { answer: model.take(one), standing: model.standing() }
          const [sqlite, postgres] = await Promise.all(
            walkers.map((walker) => walker.take(one, aimed)),
          )
          expect({ one, sqlite, postgres }).toEqual({ one, sqlite: expected, postgres: expected })
        }
        for (const walker of walkers) expect(await walker.faults()).toEqual([])
      } finally {
        await Promise.all(walkers.map((walker) => walker.end()))
      }
    })
    await fc.assert(property, WALKS)
  },
  WALKS_LIMIT_MS,
)

// A model in which nothing ever happens would match any store.
test('random walks in a channel reach every answer and every state', () => {
  const seen = new Set<string>()
  for (const taken of fc.sample(walk, { numRuns: 200, seed: 1 })) {
    const model = new ChannelModel()
    for (const one of taken) seen.add(`${one.op} ${model.take(one)}`)
    for (const { state } of model.mentions) seen.add(state)
  }
  expect([...seen].sort()).toEqual(
    [
      'say said',
      'say not_found',
      'check looked',
      'ack acknowledged',
      'ack not_found',
      'read read',
      'turn turned',
      'run begun',
      'queued',
      'presented',
      'read',
      'acted',
      'bounced',
      'expired',
    ].sort(),
  )
})

async function startWalker(engine: 'sqlite' | 'postgres') {
  const store = await storeToWalk(engine)
  const room = await openMailroom(store.address)
  await store.clock.set(DAWN)
  const inbox = await connect(store.address)
  const runs = [await begin(room, {}, NAMES)]
  const threadOf = (run: number) => runs.findLast((one) => one.instance.run === run)?.instance
  const idOf = async ({ run, seq }: Said) => {
    const [row] = await store.sql(
      'select message_id from messages where thread_id = ? and seq = ?',
      threadOf(run)?.thread_id ?? '',
      seq,
    )
    return String(row?.message_id)
  }
  const agentOf = (by: string) => (by === 'user' ? by : `${by}@pr-1`)
  const call = async (one: Step, aimed: Said | null): Promise<string> => {
    switch (one.op) {
      case 'say': {
        const text = ['So.', ...one.to.map((to) => `@${to}`)].join(' ')
        const replyTo = aimed === null ? undefined : await idOf(aimed)
        await speak(room, agentOf(one.by), text, { replyTo })
        return 'said'
      }
      case 'check':
        await inbox.workflowContextInbox({ agent: agentOf(one.by), limit: one.limit })
        return 'looked'
      case 'ack': {
        const until = await idOf(aimed as Said)
        await inbox.workflowContextAck({ agent: agentOf(one.by), until })
        return 'acknowledged'
      }
      case 'read':
        await inbox.workflowContextRead({ agent: agentOf(one.by), limit: one.limit, ack: true })
        return 'read'
      case 'turn':
        await inbox.agentStatus({ agent: agentOf(one.by), status: one.status })
        return 'turned'
      case 'run': {
        const token = runs.at(-1)?.token as string
        await endInstance(room.store, { instance: 'pr-1', token }, 'idle')
        runs.push(await begin(room, { resume: one.resume }, NAMES))
        return 'begun'
      }
    }
  }
  return {
    async take(one: Step, aimed: Said | null) {
      const answer = await call(one, aimed).catch((error) => {
        if (error instanceof Refusal) return error.code
        throw error
      })
      // This call changes nothing. It starts only once the previous call has completely finished.
      await inbox.status({})
      const rows = await store.sql(
        `select t.task_id, d.seq, d.recipient, d.state from deliveries d
         join threads t on t.thread_id = d.thread_id where t.kind = 'channel'`,
      )
      const standing = rows.map(
        ({ task_id, seq, recipient, state }) =>
          `${task_id}.${seq} ${String(recipient).split('@')[0]} ${state}`,
      )
      return { answer, standing: standing.sort() }
    },
    async faults() {
      const { findings } = await inbox.doctor({})
      return findings.filter(({ check, ok }) => check === 'log' && !ok)
    },
    async end() {
      await inbox.close()
      await room.close()
      await store.remove()
    },
  }
}
