import { aText } from '../kit/answer.ts'
import { ANYONE, action } from '../kit/operation.ts'

export const init = action({
  name: 'init',
  example: 'init',
  summary: 'Create the store, or bring it up to date.',
  about:
    'Optional, and harmless to repeat: if there is no store, the first command that may change something or waits creates one.',
  fields: {},
  writes: 'store',
  set: 'every',
  callers: ANYONE,
  refusals: [],
  async run({ store }) {
    // Getting the keeper creates the tables if needed.
    await store.keeper()
    return { db_path: store.place, engine: store.engine, status: 'initialized' }
  },
  answer: {
    db_path: aText('where the store is'),
    engine: aText<'sqlite' | 'postgres'>('sqlite or postgres'),
    status: aText('initialized'),
  },
  lines: ({ db_path, status }) => `${db_path}  ${status}\n`,
})
