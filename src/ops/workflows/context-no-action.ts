import { aText } from '../kit/answer.ts'
import { text } from '../kit/field.ts'
import { action } from '../kit/operation.ts'
import { INBOX_OWNER, instanceFor, MEMBER_FIELD } from './instance-access.ts'

export const contextNoAction = action({
  name: 'workflow context no-action',
  example: 'workflow context no-action "Nothing of this is for me" --agent coder@pr-123',
  summary: 'Report that there is nothing to do, instead of writing an entry no one needs.',
  about:
    'A turn may end without an entry in the channel. This tells anyone who follows the turn that it did, and why; the store records only that the agent was there.',
  fields: {
    agent: MEMBER_FIELD,
    reason: text('why', { max: 1000, positional: true }),
  },
  writes: 'marks',
  ...INBOX_OWNER,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input): Promise<{ instance: string; reason: string }> {
    const { store } = context
    const { agent, reason = '' } = input
    const { instance } = await instanceFor(context, input)
    await store.write(async (tx) => {
      tx.sightCaller(agent, await tx.now())
      return {}
    })
    return { instance, reason }
  },
  answer: { instance: aText('the instance'), reason: aText('why, or empty') },
  lines: () => 'noted\n',
  tool: {
    name: 'no_action',
    does: 'Report that you have nothing to do. Better than an entry no one needs.',
    args: { reason: { about: 'why' } },
    says: 'noted',
  },
})
