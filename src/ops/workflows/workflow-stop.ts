import { USER } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { field, sentence } from '../../core/sentence.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import { stopIn } from '../../wake/instance.ts'
import { aList, aRow, aText, CURSOR, INTERRUPTED } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { address, byDefault, flag, int, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { waitingWords } from '../kit/waiting-words.ts'
import { awaitStop, type StopAsked } from './await-stop.ts'
import { instancesFor, targetFor, type WorkflowTarget, whole } from './target.ts'

export type StoppedAgent = { name: string; instance: string; ended: string }

export type StopAnswer = {
  stopped: StoppedAgent[]
  still: StoppedAgent[]
  interrupted?: true
  next_event_id: number
}

const STOPPED = aRow<StoppedAgent>('stopped agent', 'an agent that was told to stop', {
  name: aText('NAME@INSTANCE, or the name of one that stands alone'),
  instance: aText('its instance'),
  ended: aText('how the whole run ended: stopped, or lost; empty while it goes on'),
})

export const workflowStop = mutation({
  name: 'workflow stop',
  example: 'workflow stop @pr-123',
  summary: 'Stop an agent, a whole workflow, or everything that runs.',
  about:
    'The word to stop is kept in the store, so it reaches runners and agents on whatever machine they are. Each is ended with all that it started, and the command waits until they have ended. A workflow of which one agent was stopped goes on with the others. What has ended already may be stopped again: the answer says how it ended. At a server an agent stops only workflows in which it takes part; people and the orchestrator stop any.',
  fields: {
    agent: self('who stops it', { leftOut: USER }),
    target: address('NAME, NAME@INSTANCE or @INSTANCE', {
      positional: true,
      leftOut: 'the only one that runs',
    }),
    all: flag('everything that runs'),
    timeout_seconds: byDefault(
      int('how long to wait until they have stopped', { min: 1, max: 600 }),
      45,
    ),
  },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  blocks: true,
  check({ target, all }) {
    if (target === undefined || !all) return
    throw refuse('invalid_input', sentence`give ${field('target')} or ${field('all')}; not both`)
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
        // Whatever has ended already needs no word, and is answered like what ends now.
        if (held !== null && held.state !== 'running') {
          asks.push({ instance, generation: held.generation, isWhole: target.isWhole, ids })
          continue
        }
        // An agent that is the only one of its instance is the whole of it.
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
    waitingWords(all ? 'everything to stop' : `${target ?? 'it'} to stop`),
  answer: {
    stopped: aList(STOPPED, 'what has stopped'),
    still: aList(
      STOPPED,
      'what had not stopped when the time was over; it will when it hears of it',
    ),
    interrupted: INTERRUPTED,
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing-running.ts')).drawStopped(answer, page),
})

async function targetsOf(
  context: Context,
  { target, all }: { target?: string | undefined; all?: boolean | undefined },
): Promise<WorkflowTarget[]> {
  if (!all) return [await targetFor(context, target, 'target')]
  return (await instancesFor(context, { running: true })).map(whole)
}

/** The tokens of runners that are known to have ended, which only the shell of their machine can know. */
async function deadIn(
  { shell }: Context,
  targets: readonly WorkflowTarget[],
): Promise<Map<string, string | undefined>> {
  if (shell === undefined) return new Map()
  const [host, { tokenOfDeadAt }] = await Promise.all([
    shell.workflows(),
    import('../../workflows/run-folder.ts'),
  ])
  return new Map(
    targets.map(({ instance: { instance, log } }) => [instance, tokenOfDeadAt(log, host)]),
  )
}
