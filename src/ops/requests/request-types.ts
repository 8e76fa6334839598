import { type PayloadForm, REQUEST_TYPES } from '../../core/requests/request-types.ts'
import { type AnswerOf, aList, anything, aRecord, aText, CURSOR } from '../kit/answer.ts'
import { self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { policyOf } from './agent-policies.ts'
import { viewerOf } from './request-view.ts'

const TYPE_VIEW = aRecord('known type', 'one type', {
  type: aText('its name'),
  about: aText('what the request asks for'),
  payload: anything<PayloadForm>('the form of its payload'),
})
const REQUEST_TYPES_ANSWER = {
  types: aList(TYPE_VIEW, 'every type with a known payload'),
  required: aList(aText('a type, or tool:PATTERN'), 'what you must ask for before you continue'),
  next_event_id: CURSOR,
}

export type RequestTypes = AnswerOf<typeof REQUEST_TYPES_ANSWER>

export const requestTypes = query({
  name: 'request types',
  example: 'request types',
  summary: 'List the request types with a known payload, and what you must ask for.',
  about:
    'A key that ends in a question mark is optional. Other types are allowed: their payload can be any object. required lists the types, and as tool:PATTERN the tools, that you must ask for before you continue; people set this with agent policy.',
  fields: { agent: self('the agent looking', { leftOut: 'user' }) },
  set: 'requests',
  callers: ANYONE,
  refusals: [],
  async run(context, input): Promise<RequestTypes> {
    const { store } = context
    const types = Object.entries(REQUEST_TYPES).map(([type, { about, form }]) => {
      return { type, about, payload: form }
    })
    const next_event_id = await store.lastEventId()
    const required = await policyOf(store, viewerOf(context, input.agent).name)
    return { types, required, next_event_id }
  },
  answer: REQUEST_TYPES_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawTypes(answer, page),
})
