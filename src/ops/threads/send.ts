import { isRole, parseAddress, queueOf } from '../../core/agents/address.ts'
import { ORCHESTRATOR } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import type { Tx } from '../../core/store.ts'
import { open } from '../../core/threads/commands.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { PRIORITIES } from '../../core/threads/work.ts'
import { KIND_WORDS, WORK_KINDS, workKindOf } from '../../core/vocabulary.ts'
import { assigneeOf, introduce, sortKnown } from '../agents/introduce.ts'
import { warnOfRole, warnOfStranger } from '../agents/strangers.ts'
import { listNotWoken, NOT_WOKEN, type NotWoken } from '../inbox/not-woken.ts'
import { mustBeOn, nextOf } from '../inbox/resolve.ts'
import { type MessageView, viewMessage } from '../inbox/view.ts'
import { aText, maybe } from '../kit/answer.ts'
import { commit, FIRST_LINE, mustHaveSummary, stamp, wordsFrom } from '../kit/commit.ts'
import { address, artifacts, body, choice, id, json, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { MESSAGE_ANSWER, MESSAGE_ARGS } from './message-fields.ts'
import { mustMaySay, sayInThread, withHops } from './say-in-thread.ts'

export const send = mutation({
  name: 'send',
  example: 'send worker "Write the login page"',
  summary: 'Start a thread, or add a message to one.',
  about:
    'Without --thread, creates a pending thread for --to, with this as its first message. No thread can be created for an agent that is off. Work for role:NAME may be claimed by any agent of the role; the one whose turn it is gets a message. With --thread, adds a message to an unfinished thread. The orchestrator and agents with permission may write to a person; so may anyone in a thread that person created or wrote in.',
  fields: {
    from: required(self('who is writing', { orOwner: true })),
    to: address('who it is for; required for a new thread', { positional: true }),
    subject: text('what the thread is about', { positional: true, leftOut: 'the summary' }),
    thread: id('the thread to add to'),
    run: text('the run this belongs to', { max: 128 }),
    task: text('the task this belongs to', { max: 128 }),
    kind: choice(KIND_WORDS, 'what the message is', {
      leftOut: 'task on a new thread, progress on an old one',
      listed: WORK_KINDS,
    }),
    summary: text('the message in one line', { leftOut: `the subject, or ${FIRST_LINE}` }),
    body: body('the message itself'),
    payload_json: json('data for programs'),
    priority: choice(PRIORITIES, 'how soon it should be taken', { leftOut: 'normal' }),
    artifacts: artifacts('a file the message refers to'),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check(input) {
    const isNew = input.thread === undefined
    if (isNew && input.to === undefined)
      throw refuse.invalid_input`${field('to')} is missing: name the agent a new thread is for`
    mustHaveSummary(
      { summary: input.summary ?? input.subject, body: input.body },
      isNew ? 'subject' : 'summary',
    )
    if (input.to !== undefined) mustBeForOne(input.to, input.thread)
    const fixed = (['subject', 'run', 'task', 'priority'] as const).find(
      (key) => input[key] !== undefined,
    )
    if (input.thread !== undefined && fixed !== undefined)
      throw refuse.invalid_input`${field(fixed)} belongs to a new thread; leave it out or leave out ${field('thread')}`
  },
  async run(context, input) {
    const given = wordsFrom({ ...input, summary: input.summary ?? input.subject })
    const call = { op: 'send', agent: input.from, input }
    type SendAnswer = NotWoken & { thread: Thread; message: MessageView; warning?: string }

    if (input.thread !== undefined) {
      const { thread, from, to, kind = 'progress' } = input
      return commit<SendAnswer>(context, call, (tx) => {
        const addressee = to === undefined ? undefined : assigneeOf(tx, to)
        const saying = { thread, from, to: addressee, kind, words: given, as: 'append' } as const
        return sayInThread(context, tx, saying)
      })
    }

    return commit<SendAnswer>(context, call, async (tx) => {
      const to = await assigneeOf(tx, input.to as string)
      const [now, { known, strangers }, hearer] = await Promise.all([
        tx.now(),
        sortKnown(tx, [input.from, to]),
        isRole(to) ? null : tx.agent(to),
      ])
      const sender = known.find(({ agent_id }) => agent_id === input.from)
      const words = withHops(given, sender?.hops)
      const kind = workKindOf(input.kind ?? 'task')
      await mustMaySay(context, tx, { from: input.from, to }, null)
      for (const one of known) if (one.agent_id === to) mustBeOn(one)
      const recipients = isRole(to)
        ? [await nextOf(tx, to.slice('role:'.length), input.from, now)]
        : undefined
      for (const name of strangers) await introduce(tx, name, { by: input.from, now })
      const warning = await warnOfAssignee(tx, { to, from: input.from, strangers })
      const event = open(
        {
          thread_id: context.makeId('thread'),
          run_id: input.run ?? '',
          task_id: input.task ?? '',
          from: input.from,
          to,
          kind,
          subject: input.subject ?? given.summary,
          priority: input.priority ?? 'normal',
          words,
          recipients,
        },
        stamp(context, now, words),
      )
      const sleeping = await listNotWoken(tx, event, now, hearer)
      const { thread } = tx.record(null, event)
      const answer = { thread, message: viewMessage(event.message), ...sleeping }
      return warning === undefined ? answer : { ...answer, warning }
    })
  },
  answer: {
    ...MESSAGE_ANSWER,
    not_woken: NOT_WOKEN,
    warning: maybe(aText('set if no agent with that name or role is known')),
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_send',
    does: 'Hand work to an agent: a new thread. With thread: add a message to it.',
    args: {
      to: { about: 'NAME or role:NAME' },
      thread: { about: 'its id' },
      subject: { about: 'one line' },
      ...MESSAGE_ARGS,
      kind: { shape: { type: 'string' }, about: 'default task' },
      priority: { about: 'urgency' },
      run: { about: 'a name for the goal', unlisted: true },
      task: { about: 'a name for its part', unlisted: true },
    },
  },
})

/** A piece of work is done by one agent. If it's sent to a role, that's whichever agent claims it later. */
function mustBeForOne(to: string, thread: string | undefined): void {
  const address = parseAddress(to, field('to'))
  if (address.to === 'broadcast' || address.to === 'instance')
    throw refuse.invalid_input`work goes to one agent, but ${field('to')} ${to} means several; name an agent or role:NAME, or write to all with ${operation('mail send')}`
  if (thread === undefined || address.to !== 'role') return
  throw refuse.invalid_input`${field('to')} role:NAME belongs to a new thread; leave it out or leave out ${field('thread')}`
}

async function warnOfAssignee(
  tx: Tx,
  { to, from, strangers }: { to: string; from: string; strangers: readonly string[] },
): Promise<string | undefined> {
  if (isRole(to)) {
    return to === queueOf(ORCHESTRATOR) ? undefined : warnOfRole(tx, to.slice('role:'.length))
  }
  return to !== from && strangers.includes(to) ? warnOfStranger(tx, to, from) : undefined
}
