import { refuse } from '../core/error.ts'
import { type Posting, post, postIn } from '../core/mail.ts'
import type { Message } from '../core/message.ts'
import { checkMetadata } from '../core/metadata.ts'
import type { Tx } from '../core/store.ts'
import { plusSeconds } from '../core/time.ts'
import { kindOf, MAIL_TYPES } from '../core/vocabulary.ts'
import { address, body, choice, id, int, json, name, required, self, text } from './field.ts'
import { type MailMessage, viewMail } from './mail-view.ts'
import { ANYONE, commit, lockThread, moment, mutation } from './operation.ts'
import { knownSender, resolve } from './resolve.ts'

type Sent = { message: MailMessage; recipients: string[] }

export const mailSend = mutation({
  name: 'mail send',
  summary: 'Send a message to an agent, a role, everybody or a person.',
  about:
    'The address is resolved once, when the message is sent; the answer names who got it. Sent is not delivered: the receipts say how far it has come.',
  fields: {
    from: required(self('who is writing')),
    to: address('who it is for', { default: 'who wrote what it answers' }),
    type: choice(MAIL_TYPES, 'what the message is', { default: 'custom' }),
    subject: text('the message in one line', { default: 'the first line of the body' }),
    body: body('the message itself'),
    metadata: json('data that goes with its type'),
    issue: text('the issue this belongs to', { max: 128 }),
    about_agent: name('the agent this is about'),
    in_reply_to: id('the message this answers; it stays in that thread'),
    expires_seconds: int('unread for so long, it expires', { min: 1, max: 31_536_000 }),
  },
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check(input) {
    if (input.to === undefined && input.in_reply_to === undefined) {
      throw refuse('invalid_input', '--to is missing: say who it is for')
    }
    if ((input.subject ?? input.body ?? '').trim() === '') {
      throw refuse('invalid_input', '--body is missing: write something, or at least --subject')
    }
    checkMetadata(input.type ?? 'custom', JSON.parse(input.metadata ?? '{}'))
  },
  async run(context, input) {
    const { from } = input
    const words = {
      summary: input.subject ?? firstLine(input.body ?? ''),
      body: input.body ?? '',
      payload_json: input.metadata ?? '{}',
      artifacts: [],
      in_reply_to: input.in_reply_to,
      issue_id: input.issue,
      agent_id: input.about_agent,
    }
    const call = { op: 'mail send', agent: from, input }
    return commit<Sent>(context, call, async (tx) => {
      const answered = await answeredMessage(tx, input.in_reply_to)
      const locked = answered && (await lockThread(tx, answered.thread_id))
      const now = locked?.now ?? (await tx.now())
      const to = input.to ?? whoWrote(answered as Message, from)
      const agent = await knownSender(tx, from, now)
      const recipients = await resolve(tx, { from, agent, now }, to)
      const posting: Posting = {
        from,
        address: to,
        recipients,
        kind: kindOf(input.type ?? 'custom'),
        words: { ...words, hops: answered?.hops ?? 0 },
        expires_at:
          input.expires_seconds === undefined ? null : plusSeconds(now, input.expires_seconds),
      }
      const at = moment(context, now)
      const event = locked
        ? postIn(locked.state, posting, at)
        : post({ ...posting, thread_id: context.makeId('thread') }, at)
      tx.record(locked?.state ?? null, event)
      return { message: viewMail(event.message), recipients }
    })
  },
})

async function answeredMessage(tx: Tx, messageId: string | undefined): Promise<Message | null> {
  if (messageId === undefined) return null
  const message = await tx.message(messageId)
  if (message !== null) return message
  throw refuse('not_found', `there is no message ${messageId} to answer; see 'inbox mail history'`)
}

function whoWrote(answered: Message, from: string): string {
  if (answered.from_agent !== from && answered.from_agent !== 'system') return answered.from_agent
  throw refuse(
    'invalid_input',
    `--to is missing: ${answered.message_id} is from ${answered.from_agent}; say who this is for`,
  )
}

function firstLine(body: string): string {
  const line = body.trim().split('\n')[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
