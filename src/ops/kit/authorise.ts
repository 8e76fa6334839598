// Decides whether an identified caller may make this call, and in whose name. The name comes from the transport. A call
// that gives a different name is refused, not corrected, so that no agent mistakes itself for another. The shell and
// the library skip this, because the store's file permissions apply there.

import { USER } from '../../core/agents/agent.ts'
import {
  field as fieldIn,
  operation,
  quote,
  refuse,
  type Sentence,
  sentence,
} from '../../core/error.ts'
import { type Caller, isBrowser, isDecider, type Principal } from '../../core/principal.ts'
import type { Field } from './field.ts'
import { type Operation, PEOPLE } from './operation.ts'

export function authorise(
  op: Pick<
    Operation,
    'name' | 'fields' | 'set' | 'callers' | 'writes' | 'guarded' | 'decides' | 'opensWindow'
  >,
  principal: Principal,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const { kind, name } = principal
  if (!op.callers.includes(kind))
    throw refuse.forbidden`${operation(op.name)} is not for ${many(kind)}; ask a person`
  if (kind === 'system') return raw
  mustBeInSets(op, principal)
  if (op.guarded) mustBeWhole(principal, operation(op.name))
  if (op.writes !== 'nothing') mustHavePageKey(principal, operation(op.name))
  if (op.decides) mustBeDecider(principal, operation(op.name))
  if (op.opensWindow) mustBeOwnersPage(principal, op.name)
  for (const [key, field] of Object.entries(op.fields)) {
    if (raw[key] === undefined) continue
    const label = fieldIn(key)
    // A caller gains no power by giving its own name.
    const isOwn = field.kind === 'self' && raw[key] === name
    const isPower = givesPower(field, raw[key]) && !isOwn
    if (isPower && !PEOPLE.includes(kind)) {
      const what = field.power === true ? label : sentence`${label} ${quote(raw[key])}`
      throw refuse.forbidden`${what} may be set by people, not by ${many(kind)}; ask a person`
    }
    if (isPower) mustBeWhole(principal, label)
    // A positional name is the subject of the call; the operation itself checks it.
    if (field.kind !== 'self' || field.positional || isOwn) continue
    throw refuse.forbidden`${label} ${quote(raw[key])} is not you; you are ${name}, so leave ${label} out`
  }
  return raw
}

/**
 * An operation that decides who gets access, what runs or what may be seen needs full proof of identity. A browser
 * sends its cookie to every server on this machine, whatever the port, and a token may be limited.
 */
function mustBeWhole(principal: Principal, what: Sentence): void {
  if (isBrowser(principal))
    throw refuse.forbidden`${what} is not for a browser's session; use the shell, the store's socket or a token of yours`
  mustBeUnlimited(principal, what)
}

/**
 * A cookie alone isn't enough to change anything, not even what counts as shown or read: every server on this host
 * receives it, and an agent may run one. The page's key proves that the page is ours.
 */
function mustHavePageKey({ proof }: Principal, what: Sentence): void {
  if (proof !== 'session') return
  throw refuse.forbidden`${what} leaves a trace in your name, and a browser's cookie alone is not proof enough: this page has lost its key, so sign in again with ${operation('sign-in')}`
}

/** A token limited to the requests set can still decide requests. */
function mustBeDecider(principal: Principal, what: Sentence): void {
  if (isDecider(principal)) return
  throw refuse.forbidden`${what} needs a token that a person issued for it; the service ${principal.name} gets one by ${operation('token issue', { name: principal.name, service: true, may: 'decide' })}`
}

/** A token works anywhere, and a cookie goes to every server on its host: neither shows who is at the screen. */
function mustBeOwnersPage({ proof, name }: Principal, op: string): void {
  if (proof === 'page' && name === USER) return
  throw refuse.forbidden`${op} opens a window before the owner of this machine, so it is for the owner's own page; in a shell, run 'inbox ${op}'`
}

function isLimited({ sets, workspace_id }: Principal): boolean {
  return sets !== undefined || workspace_id !== undefined
}

function mustBeUnlimited(principal: Principal, what: Sentence): void {
  if (!isLimited(principal)) return
  const { sets, workspace_id } = principal
  const only = workspace_id === undefined ? (sets ?? []).join(' and ') : 'one workspace'
  throw refuse.forbidden`${what} needs a token without limits; this one is for ${only} only`
}

function many(kind: Caller): string {
  return { agent: 'agents', person: 'people', service: 'services', system: 'the system' }[kind]
}

function givesPower({ power }: Field, value: unknown): boolean {
  if (power === undefined || power === true) return power === true
  return typeof value !== 'string' || power.includes(value)
}

/** Only the agent itself, or a person, may declare the agent's status. */
export function mustBeItself(principal: Principal | undefined, agent: string): void {
  if (principal === undefined || (principal.kind === 'agent' && principal.name === agent)) return
  if (PEOPLE.includes(principal.kind)) {
    mustBeUnlimited(principal, `what is known of ${agent}`)
    return
  }
  throw refuse.forbidden`you are ${principal.name}; only ${agent} itself and people may change what is known of it`
}

/** The output of a failed program and the command that starts it can contain its owner's secrets. */
export function mayLookInto(principal: Principal | undefined, agent: string): boolean {
  if (principal?.kind === 'agent') return principal.name === agent
  return principal === undefined || !isLimited(principal)
}

function mustBeInSets(op: Pick<Operation, 'name' | 'set'>, principal: Principal): void {
  const { name, set } = op
  const { sets } = principal
  // An operation that belongs to no set administers the whole store, not just one workspace.
  if (set === 'none') mustBeUnlimited(principal, operation(name))
  else if (sets !== undefined && set !== 'every' && !sets.includes(set)) {
    const only = sets.join(' and ') || 'nothing'
    throw refuse.forbidden`${operation(name)} is one of ${set}, and this token is for ${only} only`
  }
}
