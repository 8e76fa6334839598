import { ANYONE, action } from './operation.ts'

export const init = action({
  name: 'init',
  summary: 'Make the store, or bring it up to date.',
  about: 'Optional and repeatable: every command makes the store when there is none.',
  fields: {},
  writes: 'store',
  set: 'every',
  callers: ANYONE,
  refusals: [],
  async run({ store }) {
    // Opening it has made and migrated it already.
    return { db_path: store.place, engine: store.engine, status: 'initialized' }
  },
})
