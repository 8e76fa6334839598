import { field, refuse } from '../../core/error.ts'
import { type DeliveryState, LEVELS } from '../../core/inbox/delivery.ts'
import { checkMetadata, post, postIn } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import { MAIL_TYPES, MAIL_WORDS, typeOf } from '../../core/vocabulary.ts'
import { MAIL, RECEIPT, viewMail } from '../inbox/mail-view.ts'
import { listNotWoken, NOT_WOKEN } from '../inbox/not-woken.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aRecord,
  aText,
  CURSOR,
  INTERRUPTED,
  maybe,
  orNull,
} from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import {
  address,
  body,
  choice,
  flag,
  id,
  int,
  json,
  name,
  required,
  self,
  text,
} from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { LONGEST_TOOL_WAIT_SECONDS, secondsToWait } from '../kit/tool.ts'
import { addressLetter, type Letter } from '../threads/letter.ts'

const EXPECTED_RECIPIENT = aRecord('would get', 'one recipient, in a dry run', {
  recipient: aText('who'),
  wakes: aFlag('whether it would be started'),
  why: aText('the reason'),
})

export type ExpectedRecipient = AnswerRecord<typeof EXPECTED_RECIPIENT>

const LOST_MAIL = aRecord('lost', 'one who never will', {
  recipient: aText('who'),
  state: aText<DeliveryState>('bounced or expired'),
  reason: orNull(aText('why')),
})

const MAIL_SEND_ANSWER = {
  message: orNull(MAIL),
  recipients: aList(aText('a name'), 'who gets it'),
  not_woken: NOT_WOKEN,
  would: maybe(aList(EXPECTED_RECIPIENT, 'in a dry run: who would be woken')),
  uncommon: maybe(aText('in a dry run: a note that such messages usually go in another direction')),
  reached: maybe(aFlag('with --wait: whether every recipient has reached this step')),
  lost: maybe(aList(LOST_MAIL, 'with --wait: the recipients that will never reach this step')),
  receipts: maybe(aList(RECEIPT, 'with --wait: how far each delivery has come')),
  interrupted: INTERRUPTED,
  warning: maybe(aText('set if no agent with that name or role is known')),
  next_event_id: CURSOR,
}

export type MailSendAnswer = AnswerOf<typeof MAIL_SEND_ANSWER>

export const mailSend = mutation({
  name: 'mail send',
  example: 'mail send worker "Rebase first, please"',
  summary: 'Send a message to an agent, a role, everyone or a person.',
  about:
    'The address is resolved once, when the message is sent; the answer lists the recipients. Sent does not mean delivered: wait with --wait, or check the receipts. A cancel also reaches the agents that its addressee started, leaves first.',
  fields: {
    from: required(self('who is writing', { orOwner: true })),
    to: address('who it is for', {
      positional: true,
      leftOut: 'the author of the message it answers',
    }),
    type: choice(MAIL_WORDS, 'what the message is', { leftOut: 'custom', listed: MAIL_TYPES }),
    subject: text('the message in one line', {
      positional: true,
      leftOut: 'the first line of the body',
    }),
    body: body('the message itself'),
    metadata: json('data that goes with the type, as an object'),
    issue: text('the issue this belongs to', { max: 128 }),
    about_agent: name('the agent this is about'),
    in_reply_to: id(
      'the message this answers, one you sent or received; the answer goes into its thread',
    ),
    expires_seconds: int('the message expires if it is not read within this many seconds', {
      min: 1,
      max: 31_536_000,
    }),
    dry_run: flag('only report who would get it and who would be woken'),
    wait: choice(LEVELS, 'wait until every recipient has reached this step'),
    timeout_seconds: int('stop waiting after this many seconds; 0 waits forever', {
      max: 31_536_000,
      leftOut: '1800',
    }),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  blocks: true,
  check(input) {
    if (input.to === undefined && input.in_reply_to === undefined)
      throw refuse.invalid_input`${field('to')} is missing: say who it is for`
    if ((input.subject ?? input.body ?? '').trim() === '')
      throw refuse.invalid_input`${field('body')} is missing: write something, or at least ${field('subject')}`
    if (input.timeout_seconds !== undefined && input.wait === undefined)
      throw refuse.invalid_input`${field('timeout_seconds')} needs ${field('wait')}; say what to wait for`
    if (input.dry_run && input.wait !== undefined)
      throw refuse.invalid_input`${field('wait')} and ${field('dry_run')} cannot be combined; give one`
    checkMetadata(typeOf(input.type ?? 'custom'), JSON.parse(input.metadata ?? '{}'))
  },
  async run(context, input): Promise<MailSendAnswer> {
    // How long the caller waits isn't part of the call's key: a retry may wait longer.
    const { wait, timeout_seconds = 1800, dry_run, ...said } = input
    const letter = { ...said, type: typeOf(said.type ?? 'custom') }
    // Loaded on demand: most senders neither rehearse nor wait.
    if (dry_run) return (await import('./rehearse.ts')).rehearse(context, letter)
    const call = { op: 'mail send', agent: letter.from, input: letter }
    const sent = await commit(context, call, (tx) => dispatch(context, tx, letter))
    if (wait === undefined) return sent
    const { id: message_id, thread_id } = sent.message
    const waiting = { from: input.from, level: wait, timeoutMs: timeout_seconds * 1000 }
    const { awaitReceipts } = await import('./await-receipts.ts')
    const receipts = await awaitReceipts(context, { message_id, thread_id }, waiting)
    return { ...sent, ...receipts }
  },
  nothing: ({ reached }) => reached === false,
  answer: MAIL_SEND_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawSent(answer, page),
  tool: {
    name: 'send_message',
    does: 'Write to others: report task-done, ask a question, answer one (inReplyTo), hand out work. Sent is not read: see message_receipts.',
    args: {
      type: { required: true, about: 'what it is' },
      to: {
        about: 'NAME, orchestrator, role:NAME, broadcast, user; may be left out with inReplyTo',
      },
      subject: { about: 'one line' },
      body: { required: true, about: 'the message' },
      metadata: { shape: { type: 'object' }, about: 'data that belongs to the type' },
      issueId: { field: 'issue', about: 'the issue it is about' },
      inReplyTo: { field: 'in_reply_to', about: 'id of the message you answer' },
      wait: { about: 'block until it has reached this step' },
      timeoutSeconds: {
        field: 'timeout_seconds',
        ...secondsToWait(1),
        otherwise: LONGEST_TOOL_WAIT_SECONDS,
        otherwiseBeside: 'wait',
        about: 'how long to block',
      },
    },
    nothing: 'It is sent, but has not got that far yet. See message_receipts.',
  },
})

export async function dispatch(context: Context, tx: Tx, letter: Letter) {
  const { state, now, posting, addressee, warning } = await addressLetter(context, tx, letter)
  const { recipients } = posting
  const at = stamp(context, now)
  const event =
    state === null
      ? post({ ...posting, thread_id: context.makeId('thread') }, at)
      : postIn(state, posting, at)
  const sleeping = await listNotWoken(tx, event, now, addressee)
  tx.record(state, event)
  return {
    message: viewMail(event.message),
    recipients,
    ...sleeping,
    ...(warning === undefined ? {} : { warning }),
  }
}
