// How a demo agent answers its mail: it notices new mail, reads it, and acts on it after a moment. The person who wrote
// the message can watch it being presented, read and acted on.

import { Refusal } from '../../core/error.ts'
import type { OperationAnswer } from '../../ops/catalogue.ts'
import { type Actor, type AgentName, INSTANCE, pause, type Stage } from './stage.ts'

type Mail = OperationAnswer<'mail read'>['messages'][number]
type Name = Exclude<AgentName, `${string}@${string}`>
type ChannelMember = 'atlas' | 'fern' | 'orbit'

const WAIT_SECONDS = 600

/** Waits for mail, then answers each message from a person, oldest first. */
export async function answerMail(
  stage: Stage,
  name: Name,
  { waitSeconds = WAIT_SECONDS } = {},
): Promise<void> {
  const agent = stage.actors[name]
  const { messages } = await agent('mail read', { timeout_seconds: waitSeconds })
  if (messages.length === 0) return
  await pause(stage, 1.5)
  await agent('mail mark-read', { messages: messages.map(({ id }) => id) })
  for (const mail of messages) {
    if (mail.from !== 'user') continue
    await pause(stage, 2.5)
    await ignoreRefusal(() => answerOne(stage, name, agent, mail))
  }
}

/** Waits until the agent is mentioned in the channel, then answers the user's mentions. */
export async function answerMentions(stage: Stage, name: ChannelMember): Promise<void> {
  const agent = stage.actors[`${name}@${INSTANCE}`]
  const { messages } = await agent('workflow context inbox', { timeout_seconds: WAIT_SECONDS })
  const last = messages.at(-1)
  if (last === undefined) return
  await pause(stage, 2)
  await ignoreRefusal(() => agent('workflow context ack', { until: last.entry.id }))
  for (const { entry } of messages.filter((one) => one.entry.from === 'user')) {
    await pause(stage, 2)
    const message = IN_THE_CHANNEL[name]
    await ignoreRefusal(() => agent('workflow context send', { message, reply_to: entry.id }))
  }
}

/** Someone may have canceled, decided or deleted the thread by now, which leaves nothing to do. */
export async function ignoreRefusal(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function answerOne(stage: Stage, name: Name, agent: Actor, mail: Mail): Promise<void> {
  const { thread_id: thread, type } = mail
  if (type === 'cancel') return
  if (thread.startsWith('req_')) return answerDecision(agent, mail)
  if (!thread.startsWith('thr_')) {
    await agent('mail send', { in_reply_to: mail.id, type: 'answer', ...WORDS_TO_A_REPLY[name] })
    return
  }
  const { thread: found } = await agent('show', { thread })
  if (found.kind === 'mail') {
    await agent('mail send', { in_reply_to: mail.id, type: 'answer', ...WORDS_TO_MAIL[name] })
  } else if (found.status === 'pending') workBeside(stage, takeOn(stage, agent, thread))
  else if (type === 'answer') workBeside(stage, goOn(stage, agent, thread, mail.subject))
}

/** Runs long work in the background, so the agent can read mail. It stops early if the thread or the demo ends. */
function workBeside({ signal }: Stage, work: Promise<void>): void {
  work.catch((error) => {
    if (!signal.aborted && !(error instanceof Refusal)) throw error
  })
}

async function takeOn(stage: Stage, agent: Actor, thread: string): Promise<void> {
  await agent('claim', { thread, lease_seconds: 1800 })
  await pause(stage, 4)
  await agent('update', { thread, status: 'in_progress', summary: 'Reading what is there first' })
  await pause(stage, 12)
  await agent('done', {
    thread,
    summary: 'Done, in two small steps',
    body: 'Both are tested. Nothing else had to change.',
  })
}

async function goOn(stage: Stage, agent: Actor, thread: string, answer: string): Promise<void> {
  const summary = `Thanks, continuing with that: ${answer}`.slice(0, 180)
  await agent('update', { thread, status: 'in_progress', summary })
  await pause(stage, 10)
  await agent('update', { thread, status: 'in_progress', summary: 'Half of it is in review' })
  await pause(stage, 14)
  await agent('done', {
    thread,
    summary: 'Done as you said',
    body: 'The change is small and has a test. The agency has a letter with the date.',
  })
}

async function answerDecision(agent: Actor, mail: Mail): Promise<void> {
  const { request, revisions } = await agent('request get', { request: mail.thread_id })
  const { request_id, status, type, revision } = request
  const isDecision = (mail.metadata as { decision?: string } | null)?.decision !== undefined
  if (isDecision && status === 'revision_requested') {
    const last = revisions.at(-1)
    const changed =
      request.entity_id === 'billing.retries'
        ? { payload: JSON.stringify(fewerRetries(last?.payload)) }
        : { description: `${last?.description ?? ''}\n\nChanged as you asked: ${mail.subject}` }
    await agent('resubmit', { request: request_id, revision, ...changed })
    return
  }
  const body = !isDecision
    ? 'Good point. I’ll do that too; the request itself doesn’t change.'
    : status === 'rejected'
      ? 'Understood. I’ll leave it as it is.'
      : (AFTER_APPROVAL[type] ?? 'Thank you. It’s under way.')
  await agent('comment', { request: request_id, body })
}

function fewerRetries(payload: unknown) {
  const { proposed, ...rest } = payload as { proposed: object }
  return { ...rest, proposed: { ...proposed, limit: 3, wait_hours: 48 } }
}

const AFTER_APPROVAL: Readonly<Record<string, string>> = {
  config_change: 'Applied. I’ll check the numbers tomorrow morning and let you know.',
  tool_invocation: 'Done: 63 dropped in 41 seconds, no errors. The list of previews is up to date.',
  knowledge_upload: 'The pages are with the help desk. The result is above.',
  workspace_review: 'Merged. It’s queued for the nightly run.',
  question: 'Thanks, I’ll continue with that.',
  vendor_payment: 'The payment order is with the bank. I’ll have the receipt tomorrow.',
}

type Phrase = { subject: string; body: string }

const WORDS_TO_A_REPLY: Record<Name, Phrase> = {
  harbor: {
    subject: 'Noted',
    body: 'Added to the runbook. The next rehearsal, in about an hour, will use it.',
  },
  ledger: { subject: 'Yes', body: 'Yes. It’s on my list for today, right after the export.' },
  mica: {
    subject: 'Will do',
    body: 'Will do. I’ll measure it with the others and push the numbers.',
  },
  quill: { subject: 'Changed', body: 'Changed, and it’s shorter now. See the page above.' },
  sable: { subject: 'Agreed', body: 'Agreed. I added a test for it, and it passes.' },
  wren: { subject: 'Thank you', body: 'Thank you. I’ve told the customer.' },
}

const WORDS_TO_MAIL: Record<Name, Phrase> = {
  ...WORDS_TO_A_REPLY,
  harbor: { subject: 'Got it', body: 'Got it. I’ll finish the rehearsal first, then do that.' },
  wren: {
    subject: 'Done',
    body: 'Done. The customer has her answer, with a friendly note about next time.',
  },
}

const IN_THE_CHANNEL: Record<ChannelMember, string> = {
  atlas: 'Got it. I’ll work it into the draft.',
  fern: 'Good, I’ll continue with that.',
  orbit: 'On it. I’ll post here when it’s done.',
}
