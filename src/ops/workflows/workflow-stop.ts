import { USER } from '../../core/agents/agent.ts'
import { field, Refusal, refuse } from '../../core/error.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import type { Wake } from '../../core/waking/wake-record.ts'
import { isHeld } from '../../core/workflows/instance.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import type { Chore } from '../../wake/wait.ts'
import { endLapsed } from '../../wake/wake-life.ts'
import { askToStop, stopIn } from '../../workflows/instance-life.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aList,
  aRecord,
  aText,
  CURSOR,
  INTERRUPTED,
} from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { address, byDefault, flag, int, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { describeWait, waitAs } from '../kit/waiting.ts'
import { instancesFor, targetFor, type WorkflowTarget, wholeTarget } from './target.ts'

const STOPPED = aRecord('stopped agent', 'an agent that was told to stop', {
  name: aText('NAME@INSTANCE, or the name of a standalone agent'),
  instance: aText('its instance'),
  ended: aText('how the whole run ended: stopped or lost; empty while it continues'),
})

export type StoppedAgent = AnswerRecord<typeof STOPPED>

const STOP_ANSWER = {
  stopped: aList(STOPPED, 'what has stopped'),
  still: aList(STOPPED, 'what had not stopped in time; it will once it sees the request'),
  interrupted: INTERRUPTED,
  next_event_id: CURSOR,
}

export type StopAnswer = AnswerOf<typeof STOP_ANSWER>

export const workflowStop = mutation({
  name: 'workflow stop',
  example: 'workflow stop @pr-123',
  summary: 'Stop an agent, a whole workflow, or everything that is running.',
  about:
    'The request to stop is kept in the store, so it reaches runners and agents on any machine. Each agent is ended with everything it started, and the command waits until all have ended. If one agent of a workflow is stopped, the others continue. Stopping something that already ended is allowed: the answer says how it ended. At a server an agent can stop only workflows it takes part in; people and the orchestrator can stop any.',
  fields: {
    agent: self('the person or agent stopping it', { leftOut: USER }),
    target: address('NAME, NAME@INSTANCE or @INSTANCE', {
      positional: true,
      leftOut: 'the only one running',
    }),
    all: flag('stop everything that is running'),
    timeout_seconds: byDefault(
      int('how long to wait until everything has stopped', { min: 1, max: 600 }),
      45,
    ),
  },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  blocks: true,
  check({ target, all }) {
    if (target === undefined || !all) return
    throw refuse.invalid_input`give ${field('target')} or ${field('all')}; not both`
  },
  async run(context, input): Promise<StopAnswer> {
    const { agent: by = USER, timeout_seconds, ...asked } = input
    const targets = await targetsOf(context, input)
    const dead = await deadIn(context, targets)
    const call = { op: 'workflow stop', agent: by, input: asked }
    const { asks, next_event_id } = await commit(context, call, async (tx) => {
      const asks: StopAsked[] = []
      for (const target of targets) {
        const { instance } = target.instance
        const ids = target.members.map(({ agent_id }) => agent_id)
        const held = await tx.lockRow(HELD_INSTANCES, instance)
        // An instance that already ended isn't asked to stop, but is reported like one that ends now.
        if (held !== null && held.state !== 'running') {
          asks.push({ instance, generation: held.generation, isWhole: target.isWhole, ids })
          continue
        }
        // The only agent of an instance counts as the whole instance.
        const isWhole = target.isWhole || ids.length === target.instance.members.length
        const stop = { instance, agents: isWhole ? [] : ids, by, dead: dead.get(instance) }
        const { generation } = await stopIn(tx, stop)
        asks.push({ instance, generation, isWhole, ids })
      }
      return { asks }
    })
    return { ...(await awaitStop(context, asks, timeout_seconds * 1000)), next_event_id }
  },
  nothing: ({ still }) => still.length > 0,
  takesLong: ({ target, all }) =>
    describeWait(all ? 'everything to stop' : `${target ?? 'it'} to stop`),
  answer: STOP_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawStopped(answer, page),
})

async function targetsOf(
  context: Context,
  { target, all }: { target?: string | undefined; all?: boolean | undefined },
): Promise<WorkflowTarget[]> {
  if (!all) return [await targetFor(context, target, 'target')]
  return (await instancesFor(context, { running: true })).map(wholeTarget)
}

/** The tokens of runners known to be dead. Only a shell on their machine can know that. */
async function deadIn(
  { shell }: Context,
  targets: readonly WorkflowTarget[],
): Promise<Map<string, string | undefined>> {
  if (shell === undefined) return new Map()
  const [host, { tokenOfDeadAt }] = await Promise.all([
    shell.workflows(),
    import('../../workflows/runner-folder.ts'),
  ])
  return new Map(
    targets.map(({ instance: { instance, log } }) => [instance, tokenOfDeadAt(log, host)]),
  )
}

type StopAsked = {
  instance: string
  /** Identifies the start that was asked to stop; later starts don't count. */
  generation: number
  isWhole: boolean
  ids: string[]
}

type StopLook = Pick<StopAnswer, 'stopped' | 'still' | 'interrupted'>

/**
 * Waits until all targets have stopped. A whole instance has stopped once it has ended and none of its agents' programs
 * are left. A runner whose lease lapsed won't react, so its instance is ended here, as are turns that lost their
 * supervisor.
 */
async function awaitStop(
  context: Context,
  asks: readonly StopAsked[],
  timeoutMs: number,
): Promise<StopLook> {
  const { store, bell, signal, caller } = context
  let looked: StopLook = { stopped: [], still: [] }
  let lapse: Instant | null = null
  const look = async () => {
    const found = await Promise.all(asks.map((one) => standingOf(context, one)))
    looked = {
      stopped: found.flatMap(({ stopped }) => stopped),
      still: found.flatMap(({ still }) => still),
    }
    lapse = found.flatMap(({ lapses }) => lapses).sort()[0] ?? null
    return looked.still.length === 0 || null
  }
  const over: Chore = {
    dueMs: async () =>
      lapse === null ? null : Math.max(0, epochMs(lapse) - epochMs(await store.now())),
    run: () => endLost(context, asks),
  }
  const wait = { bell, look, lookout: store.lookout(), chores: [over], timeoutMs, signal }
  const waited = await waitAs(context, caller.agent, wait)
  return waited.outcome === 'interrupted' ? { ...looked, interrupted: true } : looked
}

async function standingOf({ store }: Context, asked: StopAsked) {
  const held = await store.instance(asked.instance)
  const isOver = held === null || held.state === 'ended' || held.generation !== asked.generation
  const turns = await turnsOf(store, asked.ids)
  const busy = new Set(turns.map(({ agent_id }) => agent_id))
  const ended = held?.generation === asked.generation ? held.ended : ''
  const agents = asked.ids.map((name): StoppedAgent => ({ name, instance: asked.instance, ended }))
  const isDone = ({ name }: StoppedAgent) => !busy.has(name) && (isOver || !asked.isWhole)
  return {
    stopped: agents.filter(isDone),
    still: agents.filter((one) => !isDone(one)),
    lapses: [
      ...(isOver || !asked.isWhole || held.expires_at === null ? [] : [held.expires_at]),
      ...turns.map(({ expires_at }) => expires_at),
    ],
  }
}

async function turnsOf(store: Context['store'], ids: string[]): Promise<Wake[]> {
  const last = await Promise.all(ids.map((agent) => store.wakes({ agent, limit: 1 })))
  return last.flat().filter(({ ended_at }) => ended_at === null)
}

/** Ends instances without a live runner, by asking again, and lost turns, in case no broker is left to do so. */
async function endLost({ store, caller }: Context, asks: readonly StopAsked[]): Promise<void> {
  const now = await store.now()
  for (const { instance, generation, isWhole, ids } of asks) {
    for (const turn of await turnsOf(store, ids)) {
      if (turn.expires_at <= now) await endLapsed(store, turn)
    }
    const held = await store.instance(instance)
    if (!isWhole || held?.state !== 'running' || held.generation !== generation) continue
    if (isHeld(held, now)) continue
    try {
      await askToStop(store, { instance, by: caller.agent ?? USER })
    } catch (error) {
      // The runner ended the instance first.
      if (!(error instanceof Refusal) || error.code !== 'invalid_state') throw error
    }
  }
}
