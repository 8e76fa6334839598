import { USER } from '../agents/agent.ts'
import { MAIL_SHAPES } from '../mail/mail-facts.ts'
import type { ThreadRecord } from '../record.ts'
import {
  absentOr,
  choice,
  type FactsOf,
  ID,
  ID_OR_EMPTY,
  INSTANT,
  listOf,
  NAME,
  nullOr,
  pick,
  RECIPIENT,
  text,
} from '../shape.ts'
import type { Push } from './push.ts'

/** A notification is the older form: text only, shown in a separate list. */
export const PUSH_FORMS = ['push', 'notification'] as const

export const PUSH_FIELDS = {
  thread_id: ID,
  /** Empty if the push wasn't made from a workspace. */
  workspace_id: ID_OR_EMPTY,
  workspace_label: text({ max: 200, orEmpty: true }),
  form: choice(PUSH_FORMS),
  /** When the push was made. An imported push was stored later. */
  created_at: INSTANT,
  trashed_at: nullOr(INSTANT),
  deleted_at: nullOr(INSTANT),
}

const FACTS = {
  push_send: {
    ...pick(PUSH_FIELDS, 'workspace_id', 'workspace_label', 'form'),
    recipients: listOf(RECIPIENT, 1),
    /** For an imported push: when it was made, and who imported it. */
    made_at: absentOr(INSTANT),
    imported_by: absentOr(NAME),
  },
  push_reply: MAIL_SHAPES,
  push_trash: {},
  push_restore: {},
  /** Everyone with a delivery in the push, because those deliveries are deleted with it. */
  push_delete: { recipients: listOf(RECIPIENT, 1) },
}
export type PushFacts = FactsOf<typeof FACTS>

export const PUSHES: ThreadRecord<Push, PushFacts> = {
  table: 'pushes',
  one: 'push',
  kind: 'push',
  key: 'thread_id',
  fields: PUSH_FIELDS,
  facts: FACTS,
  events: {
    push_send: {
      begins: 'push',
      says: 'anything',
      by: 'anyone',
      makes: ({ made_at, ...facts }, { at, thread_id }) => ({
        ...facts,
        thread_id,
        created_at: made_at ?? at,
      }),
    },
    push_reply: {
      says: 'anything',
      by: 'anyone',
      changes: () => ({ trashed_at: null }),
    },
    push_trash: {
      move: 'trash',
      by: 'anyone',
      changes: (_, { at }) => ({ trashed_at: at }),
    },
    push_restore: {
      move: 'restore',
      by: 'anyone',
      changes: () => ({ trashed_at: null }),
    },
    push_delete: {
      move: 'delete',
      by: 'anyone',
      erases: true,
      changes: (_, { at }) => ({ deleted_at: at }),
    },
  },
  admit(facts, { recipients }) {
    if (facts.type === 'push_send' && !facts.recipients.includes(USER)) {
      throw new Error(`it is not for ${USER}, and a push always is`)
    }
    if (facts.type !== 'push_delete') return
    // All deliveries of a push are deleted with it.
    const left = recipients().find((one) => !facts.recipients.includes(one))
    if (left !== undefined) throw new Error(`it leaves what was delivered to ${left}`)
  },
}
