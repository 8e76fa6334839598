// Compares reading the end of a long channel with reading a short one, and measures reading one agent's inbox among
// many mentions that have been read.

import { join } from 'node:path'
import { openMailroom } from '../src/bin/compose.ts'
import { sayInChannel } from '../src/core/workflows/channel.ts'
import { connect } from '../src/index.ts'
import { begin } from '../test/worlds/instances.ts'
import { median } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'

const SHORT = 1000
const AT_ONCE = 500
const CODER = 'coder@pr-1'

type ChannelTimes = { last: number[]; after: number[]; inbox: number[] }

export async function benchChannel({
  entries = 100_000,
  samples = 400,
}: {
  entries?: number | undefined
  samples?: number | undefined
}): Promise<Report> {
  return inFolder(async (folder) => {
    const short = await timesOf(join(folder, 'short.db'), SHORT, samples)
    const long = await timesOf(join(folder, 'long.db'), entries, samples)
    const ratio = (of: keyof ChannelTimes) => median(long[of]) / median(short[of])
    const over = `a channel of ${SHORT}`
    const bar = { at: '<=', value: 1.5 } as const
    return {
      figures: [
        { name: 'the last 50 entries', value: ratio('last'), unit: 'x', bar, over },
        { name: 'the 50 after one in the middle', value: ratio('after'), unit: 'x', bar, over },
        { name: 'what is for one agent', value: ratio('inbox'), unit: 'x', bar, over },
        {
          name: 'the last 50 entries, p50',
          value: median(long.last),
          unit: 'ms',
          over: 'the call',
        },
      ],
      notes: [`${entries} entries, every third of them a mention; ${samples} samples`],
    }
  })
}

async function timesOf(db: string, entries: number, samples: number): Promise<ChannelTimes> {
  const middle = await fill(db, entries)
  const inbox = await connect(db, { agent: CODER })
  const timed = async (look: () => Promise<unknown>) => {
    const times: number[] = []
    for (let n = 0; n < samples; n++) {
      const begun = performance.now()
      await look()
      times.push(performance.now() - begun)
    }
    return times
  }
  const last = await timed(() => inbox.workflowContextPeek({ limit: 50 }))
  const after = await timed(() => inbox.workflowContextRead({ since: middle, limit: 50 }))
  const waiting = await timed(() => inbox.workflowContextInboxPeek({}))
  await inbox.close()
  return { last, after, inbox: waiting }
}

/** Leaves only the last few mentions unread. Returns an entry in the middle. */
async function fill(db: string, entries: number): Promise<string> {
  const room = await openMailroom(db)
  const { store, makeId } = room
  const { instance } = await begin(room)
  let middle = ''
  for (let said = 0; said < entries; said += AT_ONCE) {
    await store.write(async (tx) => {
      const locked = await tx.lock(instance.thread_id)
      if (locked === null) throw new Error('the channel is gone')
      let { state } = locked
      for (let n = said; n < Math.min(said + AT_ONCE, entries); n++) {
        const recipients = n % 3 === 0 ? [CODER] : []
        const mentions = recipients.map(() => 'coder')
        const text = `${mentions.map((name) => `@${name} `)}Entry ${n}. ${'Words. '.repeat(30)}`
        const wish = { from: 'reviewer@pr-1', text, mentions, recipients, hops: 0 }
        const stamp = { now: locked.now, messageId: makeId('message'), artifactIds: [] }
        if (n === Math.floor(entries / 2)) middle = stamp.messageId
        state = tx.record(state, sayInChannel(state, { ...wish, priority: 'normal' }, stamp))
      }
      return {}
    })
  }
  const inbox = await connect(db, { agent: CODER })
  await inbox.mailMarkRead({ all: true })
  await inbox.workflowContextSend({ agent: 'reviewer@pr-1', message: '@coder one more' })
  await inbox.close()
  await room.close()
  return middle
}
