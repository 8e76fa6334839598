import { USER } from '../../core/agents/agent.ts'
import type { Instant } from '../../core/time.ts'
import type { HeldInstance, Member } from '../../core/workflows/instance.ts'
import type { TurnLogLine } from '../../workflows/runner-folder.ts'
import { seesEverything } from '../inbox/inbox.ts'
import {
  type AnswerOf,
  aList,
  aNumber,
  anything,
  aRow,
  aText,
  CURSOR,
  orNull,
} from '../kit/answer.ts'
import { address, byDefault, int, self } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'
import { mailPeek } from '../mail/mail-peek.ts'
import { ENTRY, WAITING, type WaitingMessage, waitingOf } from './entry-view.ts'
import { readChannel } from './read-channel.ts'
import { targetFor } from './target.ts'
import { type MemberStanding, standingsOf } from './workflow-list.ts'

/** The number of unread messages to show for each agent. Any others are only counted. */
const UNREAD_SHOWN = 5
const OUTPUT_SHOWN = 5

export type LastTurn = {
  state: string
  started_at: Instant
  ended_at: Instant | null
  exit_code: number | null
  reason: string
  stderr: string
}

export type PeekedAgent = MemberStanding & {
  name: string
  /** Empty if the caller may not read this agent's mail. */
  messages: WaitingMessage[]
  last_turn: LastTurn | null
  /** Empty if the runner is on another machine or the caller may not see it. */
  output: TurnLogLine[]
}

const PEEK = {
  instance: aText('the instance'),
  workflow: aText('the name of the workflow'),
  source: aText('the file; empty for a standalone agent'),
  run: aNumber('the number of the run, from 1'),
  state: aText('running or ended'),
  ended: aText('how the run ended, or empty'),
  started_at: aText('when the run began'),
  agents: aList(
    aRow<PeekedAgent>('peeked agent', 'an agent of a workflow, looked at', {
      name: aText('NAME@INSTANCE, or the name of a standalone agent'),
      status: aText('running, idle, stopped, lost or ended'),
      unread: aNumber('how many unread messages it has'),
      messages: aList(WAITING, `the first ${UNREAD_SHOWN} unread messages`),
      output: aList(
        aRow<TurnLogLine>('output line', 'what the program of an agent said', {
          at: aText('when'),
          wake: aText('the turn'),
          kind: aText('text, tool, error, or the end of a turn'),
          text: aText('what it said'),
        }),
        'in a shell on the machine it runs on: the last lines of its output',
      ),
      last_turn: orNull(anything('its last turn: state, started_at, ended_at, exit_code, reason')),
    }),
    'the requested agents, in the order of the file',
  ),
  entries: aList(ENTRY, 'the last entries of the channel, in order'),
  next_event_id: CURSOR,
}

export type WorkflowPeek = AnswerOf<typeof PEEK>

export const workflowPeek = query({
  name: 'workflow peek',
  example: 'workflow peek --to @pr-123',
  summary: 'Show the state of a workflow: who is working, what is unread, and the latest messages.',
  about:
    'Does not mark anything as shown or read. NAME@INSTANCE shows only that agent and the channel. A run that has ended can be shown by its name.',
  fields: {
    agent: self('the person or agent looking', { leftOut: USER }),
    to: address('NAME, NAME@INSTANCE or @INSTANCE', { leftOut: 'the only one running' }),
    limit: byDefault(int('how many entries of the channel', { min: 1, max: 500 }), 10),
  },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  async run(context, input): Promise<WorkflowPeek> {
    const { agent: viewer = USER, to, limit } = input
    const { instance: held, members } = await targetFor(context, to, 'to')
    const { store } = context
    const [next_event_id, now] = await Promise.all([store.lastEventId(), store.now()])
    const [standings, entries, agents] = await Promise.all([
      standingsOf(store, held, now),
      held.thread_id === ''
        ? []
        : readChannel(context, held, { limit }).then((page) => page.entries),
      Promise.all(members.map((member) => looked(context, held, member, viewer))),
    ])
    const { instance, workflow, source, run, state, ended, started_at } = held
    const order = held.members.map(({ agent_id }) => agent_id)
    const standing = (name: string): MemberStanding =>
      standings[order.indexOf(name)] ?? { status: 'idle', unread: 0 }
    return {
      instance,
      workflow,
      source,
      run,
      state,
      ended,
      started_at,
      agents: agents.map((one) => ({ ...one, ...standing(one.name) })),
      entries,
      next_event_id,
    }
  },
  answer: PEEK,
  lines: async (answer, page) => (await import('./drawing.ts')).drawPeek(answer, page),
})

async function looked(
  context: Context,
  instance: HeldInstance,
  member: Member,
  viewer: string,
): Promise<Omit<PeekedAgent, keyof MemberStanding>> {
  const { store, caller } = context
  const { agent_id: name } = member
  const { proof } = caller.principal ?? {}
  const mayRead = viewer === name || (await seesEverything(store, { name: viewer, proof }))
  const [wakes, inbox] = await Promise.all([
    store.wakes({ agent: name, limit: 1 }),
    mayRead ? mailPeek.run(context, { agent: viewer, to: name, limit: UNREAD_SHOWN }) : null,
  ])
  const messages = (inbox?.messages ?? []).map((one) => waitingOf(one, instance))
  const output = mayRead ? await outputOf(context, instance, member) : []
  return { name, messages, last_turn: turnOf(wakes[0], mayRead), output }
}

/** The runner keeps the output of programs in its folder, on its machine. */
async function outputOf(
  { shell }: Context,
  { log }: HeldInstance,
  { name }: Member,
): Promise<TurnLogLine[]> {
  if (shell === undefined || log === '') return []
  const { lastOfTurnLog } = await import('../../workflows/runner-folder.ts')
  try {
    return lastOfTurnLog(`${log.slice(0, log.lastIndexOf('/'))}/agents/${name}`, OUTPUT_SHOWN)
  } catch {
    // The workflow runs on another machine, or its folder is gone.
    return []
  }
}

function turnOf(wake: LastTurn | undefined, mayRead: boolean): LastTurn | null {
  if (wake === undefined) return null
  const { state, started_at, ended_at, exit_code, reason, stderr } = wake
  const words = mayRead ? { reason, stderr } : { reason: '', stderr: '' }
  return { state, started_at, ended_at, exit_code, ...words }
}
