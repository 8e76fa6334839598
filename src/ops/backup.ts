import { refuse } from '../core/error.ts'
import { path, required } from './field.ts'
import { OPERATORS, query } from './operation.ts'

export const backup = query({
  name: 'backup',
  summary: 'Write a consistent copy of the store to a new file, also under load.',
  about: 'SQLite stores only; a PostgreSQL store is backed up with its own tools.',
  fields: {
    file: required(path('the file to write; it must not exist', { positional: true })),
  },
  callers: OPERATORS,
  refusals: ['invalid_input', 'forbidden'],
  async run({ store, caller }, input) {
    // A server must not write wherever a caller from elsewhere says.
    if (caller.principal !== undefined) {
      throw refuse('forbidden', 'backup writes files of its own machine; use the shell there')
    }
    const admin = await store.admin()
    await admin.backup(input.file)
    return { file: input.file, next_event_id: await store.lastEventId() }
  },
})
