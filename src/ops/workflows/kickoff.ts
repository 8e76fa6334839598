// The kickoff: the words of the workflow's file, said in the channel, or as mail to each agent that they mention where
// the instance has no context.

import { isPerson } from '../../core/agents/agent.ts'
import { SYSTEM } from '../../core/event.ts'
import { post } from '../../core/mail/mail.ts'
import { ENTRY_LETTERS } from '../../core/workflows/channel.ts'
import type { HeldInstance } from '../../core/workflows/instance.ts'
import { mentionable, mentionsIn } from '../../core/workflows/mentions.ts'
import { sayTo } from '../../core/workflows/say.ts'
import type { Kickoff } from '../../workflows/plan.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { withRest } from './long-entry.ts'

/** Gives back the names that it called. */
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
  // Often it holds what setup has put out: a whole diff.
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
        payload_json: '{}',
        artifacts: [],
        hops: 0,
      }
      const letter = {
        ...{ from, address: agent_id, recipients: [agent_id], kind: 'custom' as const, words },
        ...{ expires_at: null, thread_id: context.makeId('thread') },
      }
      tx.record(null, post(letter, stamp(context, now)))
    }
    return {}
  })
  return called.map(({ name }) => name)
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trimEnd() ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
