import { type PayloadForm, REQUEST_TYPES } from '../../core/requests/request-types.ts'
import { aList, anything, aRecord, aText, CURSOR } from '../kit/answer.ts'
import { ANYONE, query } from '../kit/operation.ts'

type TypeView = { type: string; about: string; payload: PayloadForm }
export type RequestTypes = { types: TypeView[]; next_event_id: number }

export const requestTypes = query({
  name: 'request types',
  summary: 'List the types of requests whose payload is known, with its form.',
  about:
    'A key that ends in a question mark may be left out. Other types are allowed: their payload is any object.',
  fields: {},
  set: 'requests',
  callers: ANYONE,
  refusals: [],
  async run({ store }): Promise<RequestTypes> {
    const types = Object.entries(REQUEST_TYPES).map(([type, { about, form }]) => {
      return { type, about, payload: form }
    })
    return { types, next_event_id: await store.lastEventId() }
  },
  answer: {
    types: aList(
      aRecord<TypeView>('known type', 'one type', {
        type: aText('its name'),
        about: aText('what it asks for'),
        payload: anything('the form of its payload'),
      }),
      'every type whose payload is known',
    ),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawTypes(answer, page),
})
