// Resolves a target to agents: `reviewer` is a standalone agent, `reviewer@pr-123` one agent of an instance, and `@pr-123`
// all of its agents. The default is the only running workflow, if there is just one.

import { parseAddress } from '../../core/agents/address.ts'
import { command, field, operation, quote, type Refusal, refuse } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { type HeldInstance, isHeld, type Member } from '../../core/workflows/instance.ts'
import { unknownInstance } from '../../core/workflows/say.ts'
import { seesEverything } from '../inbox/inbox.ts'
import type { Context } from '../kit/operation.ts'

export type WorkflowTarget = {
  instance: HeldInstance
  members: Member[]
  /** True if the target is the whole instance, rather than one of several agents. */
  isWhole: boolean
}

type WorkflowLook = { store: Store; caller: Context['caller'] }

const AT_ONCE = 500

/** Every instance recorded as running that the caller may see. */
export async function instancesFor(
  { store, caller }: WorkflowLook,
  filter: { running: boolean },
): Promise<HeldInstance[]> {
  const found: HeldInstance[] = []
  for (let after = ''; ; after = found.at(-1)?.instance ?? '') {
    const page = await store.instances({ ...filter, after, limit: AT_ONCE })
    found.push(...page)
    if (page.length < AT_ONCE) break
  }
  return visibleOf({ store, caller }, found)
}

/** People and the orchestrator see every instance, others only those they're members of. */
async function visibleOf(
  { store, caller: { principal } }: WorkflowLook,
  instances: HeldInstance[],
): Promise<HeldInstance[]> {
  if (principal === undefined || principal.kind === 'system') return instances
  const { name, proof } = principal
  if (await seesEverything(store, { name, proof })) return instances
  return instances.filter(({ members }) => members.some(({ agent_id }) => agent_id === name))
}

/** Only instances held by a live runner. */
async function heldOf(looker: WorkflowLook): Promise<HeldInstance[]> {
  const [all, now] = await Promise.all([
    instancesFor(looker, { running: true }),
    looker.store.now(),
  ])
  return all.filter((one) => isHeld(one, now))
}

/** The named instance, or the only running one. `key` is the field that names it. */
export async function targetFor(
  looker: WorkflowLook,
  text: string | undefined,
  key: string,
): Promise<WorkflowTarget> {
  if (text !== undefined) return named(looker, text, key)
  const running = await heldOf(looker)
  const [only, ...others] = running
  if (only === undefined) throw nothingRuns()
  if (others.length > 0)
    throw refuse.invalid_input`${field(key)} is missing, and several run: ${namesOf(running)}; name one of them`
  return wholeTarget(only)
}

export function wholeTarget(instance: HeldInstance): WorkflowTarget {
  return { instance, members: instance.members, isWhole: true }
}

async function named(looker: WorkflowLook, text: string, key: string): Promise<WorkflowTarget> {
  const address = parseAddress(text, field(key))
  if (address.to === 'instance') return wholeTarget(await known(looker, address.instance))
  if (address.to !== 'agent')
    throw refuse.invalid_input`${field(key)} ${quote(text)} is not of a workflow; write NAME, NAME@INSTANCE or @INSTANCE`
  const [name = '', instance] = address.agent_id.split('@')
  return instance === undefined ? byName(looker, name, key) : ofInstance(looker, instance, name)
}

async function ofInstance(
  looker: WorkflowLook,
  name: string,
  member: string,
): Promise<WorkflowTarget> {
  const instance = await known(looker, name)
  const found = instance.members.find((one) => one.name === member)
  if (found !== undefined) return { instance, members: [found], isWhole: false }
  throw refuse.not_found`${member} takes no part in ${name}; its agents are ${instance.members.map((one) => one.agent_id).join(', ')}`
}

/** A plain name is a standalone agent, or an agent of the only running workflow that has it. */
async function byName(looker: WorkflowLook, name: string, key: string): Promise<WorkflowTarget> {
  const alone = await looker.store.instance(name)
  if (alone?.standalone && (await visibleOf(looker, [alone])).length > 0) return wholeTarget(alone)
  const running = await heldOf(looker)
  const found = running.filter((one) => one.members.some((member) => member.name === name))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return ofInstance(looker, only.instance, name)
  if (only !== undefined) {
    const ids = found.map(({ instance }) => `${name}@${instance}`).join(', ')
    throw refuse.invalid_input`${field(key)} ${name} is one of several: ${ids}`
  }
  if (running.length === 0) throw nothingRuns()
  throw refuse.not_found`no agent ${quote(name)} runs; what runs is ${namesOf(running)}: see ${operation('workflow list')}`
}

async function known(looker: WorkflowLook, name: string): Promise<HeldInstance> {
  const instance = await looker.store.instance(name)
  const [seen] = instance === null ? [] : await visibleOf(looker, [instance])
  if (seen === undefined) throw unknownInstance(name)
  return seen
}

function nothingRuns(): Refusal {
  return refuse.invalid_state`nothing runs; start a workflow with ${command('workflow start FILE')}`
}

export function targetName({
  instance,
  standalone,
}: Pick<HeldInstance, 'instance' | 'standalone'>): string {
  return standalone ? instance : `@${instance}`
}

const MOST_NAMES = 10

function namesOf(instances: HeldInstance[]): string {
  const names = instances.slice(0, MOST_NAMES).map(targetName)
  const more = instances.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
