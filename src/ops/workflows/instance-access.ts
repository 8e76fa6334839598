// Finds the instance a call is about and checks that the caller may see it: members see their own instance, people and the
// orchestrator see all of them.

import { isPerson, USER } from '../../core/agents/agent.ts'
import { field, operation, type Refusal, refuse } from '../../core/error.ts'
import type { Reads } from '../../core/store.ts'
import { type Instance, instanceIn, memberOf } from '../../core/workflows/instance.ts'
import { INSTANCES } from '../../core/workflows/instance-record.ts'
import { unknownInstance, withoutContext } from '../../core/workflows/say.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { required, self, text } from '../kit/field.ts'
import { ANYONE, type Context, PEOPLE } from '../kit/operation.ts'

export const CONTEXT_FIELDS = {
  agent: required(self('the agent, as NAME@INSTANCE', { orOwner: true })),
  instance: text('the instance, for people and the orchestrator', {
    max: 64,
    leftOut: "the agent's own",
  }),
}

/** The parts shared by operations that read an instance's channel or documents. */
export const CHANNEL_READER = {
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  check: mustNameInstance,
} as const

export const MEMBER_FIELD = required(self('the agent, as NAME@INSTANCE'))

/** The parts shared by operations on the inbox of a workflow's agent. */
export const INBOX_OWNER = {
  ...CHANNEL_READER,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: mustBeOfWorkflow,
} as const

/** The parts shared by operations for people, who look at channels from outside. */
export const CHANNEL_VIEWER = {
  set: 'workflow',
  callers: PEOPLE,
  refusals: ['invalid_input', 'forbidden', 'not_found'],
} as const

export type ContextInput = { agent: string; instance?: string | undefined }

/** The name of the call's instance. Works without a store. */
export function instanceNamed({ agent, instance }: ContextInput): string {
  if (instance !== undefined) return instance
  if (!isPerson(agent)) return instanceIn(agent)
  throw refuse.invalid_input`${field('instance')} is missing: ${agent} takes part in none by name; say which one is meant`
}

export function mustBeOfWorkflow({ agent }: { agent: string }): void {
  if (!isPerson(agent)) return
  throw refuse.invalid_input`${agent} is a person and no agent of a workflow; name one as NAME@INSTANCE`
}

export function mustNameInstance(input: ContextInput): void {
  instanceNamed(input)
}

/** For the instance's tool server: only members may connect, and it registers no one else. */
export async function mustTakePart(store: Reads, agent: string): Promise<void> {
  mustBeOfWorkflow({ agent })
  const name = instanceIn(agent)
  const instance = await store.rowOf(INSTANCES, name)
  if (instance === null) throw unknownInstance(name)
  if (memberOf(instance, agent) === undefined) throw noPart(agent, instance)
}

function noPart(agent: string, { instance, members }: Instance): Refusal {
  const agents = members.map(({ agent_id }) => agent_id).join(', ')
  return refuse.not_found`${agent} takes no part in ${instance}; its agents are ${agents}`
}

/** The instance, if the caller may see it. To other callers of a server it doesn't exist. */
export async function instanceFor(
  { store, caller }: { store: Reads; caller: Context['caller'] },
  input: ContextInput,
): Promise<Instance> {
  const name = instanceNamed(input)
  const { agent } = input
  const instance = await store.rowOf(INSTANCES, name)
  if (instance === null) throw unknownInstance(name)
  if (memberOf(instance, agent) !== undefined) return instance
  const { principal } = caller
  if (await seesEverything(store, { name: agent, proof: principal?.proof })) return instance
  throw principal === undefined ? noPart(agent, instance) : unknownInstance(name)
}

/** The instance, if it has a channel and the caller may see it. */
export async function channelFor(
  context: { store: Reads; caller: Context['caller'] },
  input: ContextInput,
): Promise<Instance> {
  const instance = await instanceFor(context, input)
  if (instance.thread_id === '') throw withoutContext(instance)
  return instance
}

/** People look at channels from outside; an agent reads only the channel of its instance. */
export function personAtChannels(given: string | undefined): string {
  const name = given ?? USER
  if (isPerson(name)) return name
  throw refuse.forbidden`this is how people look at channels, and ${name} is an agent; an agent reads its own with ${operation('workflow context read')}`
}
