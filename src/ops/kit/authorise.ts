// Whether somebody known may make this call, and in whose name. The name comes from the transport: words
// that give another are refused, not corrected, so that nobody believes to be someone else. At the shell and
// in the library nobody is asked: there the store's own permissions decide.

import { quote, refuse } from '../../core/error.ts'
import type { Caller, Principal } from '../../core/principal.ts'
import { field as fieldIn, operation, type Sentence, sentence } from '../../core/sentence.ts'
import type { Field } from './field.ts'
import { type Operation, PEOPLE } from './operation.ts'

export function authorise(
  op: Pick<Operation, 'name' | 'fields' | 'set' | 'callers' | 'guarded'>,
  principal: Principal,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const { kind, name } = principal
  if (!op.callers.includes(kind)) {
    throw refuse(
      'forbidden',
      sentence`${operation(op.name)} is not for ${many(kind)}; ask a person`,
    )
  }
  if (kind === 'system') return raw
  mustBeInSets(op, principal)
  if (op.guarded) mustBeWhole(principal, operation(op.name))
  for (const [key, field] of Object.entries(op.fields)) {
    if (raw[key] === undefined) continue
    const label = fieldIn(key)
    // A name that was given to the caller gives it nothing.
    const isOwn = field.kind === 'self' && raw[key] === name
    const isPower = givesPower(field, raw[key]) && !isOwn
    if (isPower && !PEOPLE.includes(kind)) {
      const what = field.power === true ? label : sentence`${label} ${quote(raw[key])}`
      throw refuse(
        'forbidden',
        sentence`${what} is for people to give and not for ${many(kind)}; ask a person`,
      )
    }
    if (isPower) mustBeWhole(principal, label)
    // Named by position it is whom the call is about; the operation itself says who may.
    if (field.kind !== 'self' || field.positional || isOwn) continue
    throw refuse(
      'forbidden',
      sentence`${label} ${quote(raw[key])} is not you; you are ${name}, so leave ${label} out`,
    )
  }
  return raw
}

/**
 * What decides who comes in, what runs or what may be seen needs all of who somebody is: a browser gives its
 * cookie to every server of this machine, whatever its port, and a token may have been made narrow.
 */
function mustBeWhole(principal: Principal, what: Sentence): void {
  if (principal.proof === 'session') {
    throw refuse(
      'forbidden',
      sentence`${what} is not for a browser's session; use the shell, the store's socket or a token of yours`,
    )
  }
  mustBeUnlimited(principal, what)
}

function isLimited({ sets, workspace_id }: Principal): boolean {
  return sets !== undefined || workspace_id !== undefined
}

function mustBeUnlimited(principal: Principal, what: Sentence): void {
  if (!isLimited(principal)) return
  const { sets, workspace_id } = principal
  const only = workspace_id === undefined ? (sets ?? []).join(' and ') : 'one workspace'
  throw refuse(
    'forbidden',
    sentence`${what} needs a token without limits, and this one is for ${only} only`,
  )
}

function many(kind: Caller): string {
  return { agent: 'agents', person: 'people', service: 'services', system: 'the system' }[kind]
}

function givesPower({ power }: Field, value: unknown): boolean {
  if (power === undefined || power === true) return power === true
  return typeof value !== 'string' || power.includes(value)
}

/** What is known of an agent is said by itself or by people. */
export function mustBeItself(principal: Principal | undefined, agent: string): void {
  if (principal === undefined || (principal.kind === 'agent' && principal.name === agent)) return
  if (PEOPLE.includes(principal.kind)) {
    mustBeUnlimited(principal, `what is known of ${agent}`)
    return
  }
  throw refuse(
    'forbidden',
    `you are ${principal.name}; what is known of ${agent} is for itself or for people to say`,
  )
}

/** What a program says when it fails, and how it is started, may hold secrets of its owner. */
export function mayLookInto(principal: Principal | undefined, agent: string): boolean {
  if (principal?.kind === 'agent') return principal.name === agent
  return principal === undefined || !isLimited(principal)
}

function mustBeInSets(op: Pick<Operation, 'name' | 'set'>, principal: Principal): void {
  const { name, set } = op
  const { sets } = principal
  // What is in no set keeps the store, which is more than one workspace.
  if (set === 'none') mustBeUnlimited(principal, operation(name))
  else if (sets !== undefined && set !== 'every' && !sets.includes(set)) {
    const only = sets.join(' and ') || 'nothing'
    throw refuse(
      'forbidden',
      sentence`${operation(name)} is one of ${set}, and this token is for ${only} only`,
    )
  }
}
