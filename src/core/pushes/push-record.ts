// The record of a push: what its thread has beside messages.

import { USER } from '../agents/agent.ts'
import { absentOr, choice, INSTANT, listOf, NAME, RECIPIENT, text } from '../fact-shape.ts'
import { MAIL_SHAPES, type MailFacts } from '../mail/mail-facts.ts'
import type { ThreadRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import type { Push, PushForm } from './push.ts'

/** A notification is the older form: a text alone, with a list of its own. */
export const PUSH_FORMS = ['push', 'notification'] as const

export type PushFacts =
  | {
      type: 'push_send'
      recipients: string[]
      /** Empty when the push came from no workspace. */
      workspace_id: string
      /** The workspace's label at that time. */
      workspace_label: string
      form: PushForm
      /** For an imported push: when it was made, and who brought it in. */
      made_at?: Instant
      imported_by?: string
    }
  | ({ type: 'push_reply' } & MailFacts)
  | { type: 'push_trash' }
  | { type: 'push_restore' }
  /** The recipients are all to whom something in the push was delivered: those deliveries go with it. */
  | { type: 'push_delete'; recipients: string[] }

export const PUSHES: ThreadRecord<Push, PushFacts> = {
  table: 'pushes',
  one: 'push',
  kind: 'push',
  key: 'thread_id',
  columns: {
    thread_id: 'plain',
    workspace_id: 'plain',
    workspace_label: 'plain',
    form: 'plain',
    created_at: 'plain',
    trashed_at: 'plain',
    deleted_at: 'plain',
  },
  events: {
    push_send: {
      begins: 'push',
      says: 'anything',
      by: 'anyone',
      facts: {
        recipients: listOf(RECIPIENT, 1),
        workspace_id: { is: 'id', orEmpty: true },
        workspace_label: text({ max: 200, orEmpty: true }),
        form: choice(PUSH_FORMS),
        made_at: absentOr(INSTANT),
        imported_by: absentOr(NAME),
      },
      makes: ({ workspace_id, workspace_label, form, made_at }, { at, thread_id }) => ({
        thread_id,
        workspace_id,
        workspace_label,
        form,
        created_at: made_at ?? at,
        trashed_at: null,
        deleted_at: null,
      }),
    },
    push_reply: {
      says: 'anything',
      by: 'anyone',
      facts: MAIL_SHAPES,
      changes: () => ({ trashed_at: null }),
    },
    push_trash: {
      move: 'trash',
      by: 'anyone',
      facts: {},
      changes: (_, { at }) => ({ trashed_at: at }),
    },
    push_restore: {
      move: 'restore',
      by: 'anyone',
      facts: {},
      changes: () => ({ trashed_at: null }),
    },
    push_delete: {
      move: 'delete',
      by: 'anyone',
      erases: true,
      facts: { recipients: listOf(RECIPIENT, 1) },
      changes: (_, { at }) => ({ deleted_at: at }),
    },
  },
  admit(facts, { recipients }) {
    if (facts.type === 'push_send' && !facts.recipients.includes(USER)) {
      throw new Error(`it is not for ${USER}, and a push always is`)
    }
    if (facts.type !== 'push_delete') return
    // All deliveries of a push go with it.
    const left = recipients().find((one) => !facts.recipients.includes(one))
    if (left !== undefined) throw new Error(`it leaves what was delivered to ${left}`)
  },
}
