import { aText, CURSOR } from '../kit/answer.ts'
import { path, required } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'

export const backup = query({
  name: 'backup',
  example: 'backup copy.db',
  summary: 'Write a consistent copy of the store to a new file, even under load.',
  about:
    'Only for SQLite stores; back up a PostgreSQL store with its own tools. Until it is complete, the copy is named FILE.inbox-ID; the next backup removes what a killed one left in the folder.',
  fields: {
    file: required(path('the file to write; it must not exist', { positional: true })),
  },
  at: 'machine',
  set: 'none',
  callers: OPERATORS,
  refusals: ['invalid_input'],
  async run({ store }, input) {
    const keeper = await store.keeper()
    await keeper.backup(input.file)
    return { file: input.file, next_event_id: await store.lastEventId() }
  },
  takesLong: () => 'copying the store',
  answer: { file: aText('the copy'), next_event_id: CURSOR },
  lines: ({ file }) => `${file}\n`,
})
