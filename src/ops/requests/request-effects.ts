import { type AnswerOf, aList, CURSOR } from '../kit/answer.ts'
import { PEOPLE, query } from '../kit/operation.ts'
import { EFFECT_COMMAND_VIEW, viewCommand } from './effect-view.ts'

const EFFECT_LIST = {
  effects: aList(EFFECT_COMMAND_VIEW, 'every type that has one'),
  next_event_id: CURSOR,
}

export type EffectList = AnswerOf<typeof EFFECT_LIST>

export const requestEffects = query({
  name: 'request effects',
  example: 'request effects',
  summary: 'List the commands that approvals start, by type of request.',
  fields: {},
  set: 'none',
  callers: PEOPLE,
  refusals: [],
  async run(context): Promise<EffectList> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const commands = await store.effectCommands()
    const effects = await Promise.all(commands.map((one) => viewCommand(context, one)))
    return { effects, next_event_id }
  },
  answer: EFFECT_LIST,
  lines: async (answer, page) => (await import('./drawing.ts')).drawEffects(answer, page),
})
