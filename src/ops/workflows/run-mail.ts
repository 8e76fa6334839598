// The mail that a runner sends and ends: the kickoff, and the mail of agents that failed or no longer take part.

import { isPerson } from '../../core/agents/agent.ts'
import { SYSTEM } from '../../core/event.ts'
import { post } from '../../core/mail/mail.ts'
import { firstLine } from '../../core/threads/message.ts'
import type { Wake } from '../../core/waking/wake-record.ts'
import { ENTRY_LETTERS } from '../../core/workflows/channel.ts'
import type { HeldInstance } from '../../core/workflows/instance.ts'
import { mentionable, mentionsIn } from '../../core/workflows/mentions.ts'
import { sayTo } from '../../core/workflows/say.ts'
import type { Kickoff } from '../../workflows/plan.ts'
import { bounceRest, bounceThese } from '../inbox/tell-senders.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { withRest } from './say-entry.ts'

/**
 * Sends the kickoff to the channel, or as mail to each agent it mentions if the instance has no context. Returns the
 * names it mentioned.
 */
export async function kickOff(
  context: Context,
  instance: HeldInstance,
  { text, mentionable: within }: Kickoff,
  by: string,
): Promise<string[]> {
  const from = isPerson(by) ? by : SYSTEM
  if (instance.thread_id === '') return sendKickoff(context, instance, { text, within, from })
  const say = async (shown?: string) => {
    const wish = { instance: instance.instance, from, text, within, shown }
    const { value } = await context.store.write((tx) =>
      sayTo(tx, wish, (now) => stamp(context, now)),
    )
    return value.entry.mentions
  }
  if (text.length <= ENTRY_LETTERS) return say()
  // A kickoff often contains the output of setup, such as a whole diff.
  const call = { op: 'kickoff', agent: from, input: {} }
  return withRest(context, { call, instance, from, text }, say)
}

async function sendKickoff(
  context: Context,
  { members }: HeldInstance,
  { text, within, from }: { text: string; within: [number, number][]; from: string },
): Promise<string[]> {
  const names = mentionsIn(text, { names: mentionable(members), within })
  const called = members.filter(({ name }) => names.includes(name))
  await context.store.write(async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    for (const { agent_id } of called) {
      const words = {
        summary: firstLine(text),
        body: text,
        hops: 0,
      }
      const letter = {
        from,
        address: agent_id,
        recipients: [agent_id],
        kind: 'custom' as const,
        words,
        expires_at: null,
        thread_id: context.makeId('thread'),
      }
      tx.record(null, post(letter, stamp(context, now)))
    }
    return {}
  })
  return called.map(({ name }) => name)
}

const PAGE = 200

/**
 * Bounces an agent's mail after all its attempts have failed, and says so in the channel, because the sender is
 * waiting for an answer. Only the mail of the last attempt: newer mail is left for the next turn. Returns the number
 * of messages.
 */
export async function giveUp(
  context: Context,
  agentId: string,
  wake: Pick<Wake, 'upto_event' | 'attempt' | 'reason'>,
): Promise<number> {
  const { value } = await context.store.write(async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    const states = new Map()
    let bounced = 0
    for (let after = 0; ; ) {
      const page = await tx.heads({ recipient: agentId, after, limit: PAGE })
      const ended = page.filter(({ event_id }) => event_id <= wake.upto_event)
      const reason = `it failed in ${wake.attempt} attempts: ${wake.reason}`
      bounced += await bounceThese(context, tx, { recipient: agentId, reason, now, states }, ended)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE || ended.length < page.length) break
      after = last.event_id
    }
    return { bounced }
  })
  return value.bounced
}

/** Bounces the mail of an agent that the workflow no longer has, and says so in the channel. */
export function dismiss(context: Context, agentId: string): Promise<number> {
  return bounceRest(context, agentId, 'it takes no part in the workflow any more')
}
