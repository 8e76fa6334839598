import { WORK_STATUSES } from '../core/thread.ts'
import { address, choices, int, name } from './field.ts'
import { ANYONE, query } from './operation.ts'

export const list = query({
  name: 'list',
  summary: 'List threads, most recently active first.',
  fields: {
    agent: name('created by or assigned to this agent; never taken from INBOX_AGENT'),
    status: choices(WORK_STATUSES, 'only these statuses', { default: 'all' }),
    created_by: name('only threads this agent made'),
    assigned_to: address('only threads assigned to this agent, or to role:NAME'),
    limit: int('at most so many', { min: 1, max: 500, default: '50' }),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store }, input) {
    const next_event_id = await store.lastEventId()
    const threads = await store.threads({
      agent: input.agent,
      statuses: input.status ?? WORK_STATUSES,
      createdBy: input.created_by,
      assignedTo: input.assigned_to,
      limit: input.limit ?? 50,
    })
    return { threads, next_event_id }
  },
})
