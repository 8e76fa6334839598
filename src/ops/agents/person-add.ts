import { personId, USER } from '../../core/agents/agent.ts'
import { quote, refuse } from '../../core/error.ts'
import { aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { name, required } from '../kit/field.ts'
import { mutation, OPERATORS } from '../kit/operation.ts'
import { addPerson } from './agent-register.ts'

export const personAdd = mutation({
  name: 'person add',
  example: 'person add ann',
  summary: 'Add a person, so that mail can be sent to user:NAME.',
  about: 'The person user always exists. Adding someone twice changes nothing.',
  fields: {
    name: required(name('who', { positional: true })),
  },
  set: 'none',
  callers: OPERATORS,
  guarded: true,
  refusals: ['invalid_input'],
  check(input) {
    if (personId(input.name) !== undefined) return
    throw refuse.invalid_input`${quote(input.name)} cannot be a person's name: letters, digits, _ and -, beginning with a letter`
  },
  async run(context, input) {
    const person = personId(input.name) as string
    const by = context.caller.agent ?? USER
    return commit(context, { op: 'person add', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      await addPerson(tx, person, by, await tx.now())
      return { person }
    })
  },
  answer: { person: aText('user:NAME'), next_event_id: CURSOR },
  lines: ({ person }) => `${person}\n`,
})
