// The address of a message. It is resolved once, when the message is sent, into recipients.

import { quote, refuse, type Sentence } from '../error.ts'
import { isFree, ORCHESTRATOR, USER } from './agent.ts'

export type Address =
  | { to: 'agent'; agent_id: string }
  | { to: 'orchestrator' }
  | { to: 'role'; role: string }
  | { to: 'broadcast' }
  | { to: 'person'; person_id: string }
  | { to: 'instance'; instance: string }

const ROLE = 'role:'
const NAME = '[A-Za-z][A-Za-z0-9_-]{0,63}'
const AGENT = new RegExp(`^${NAME}(@${NAME})?$`)
const ONE_NAME = new RegExp(`^${NAME}$`)

const ADDRESS_FORMS =
  'NAME, agent:ID, orchestrator, role:NAME, broadcast, user, user:NAME, NAME@INSTANCE or @INSTANCE'

export function isAgentId(text: string): boolean {
  return AGENT.test(text)
}

/** Whether the string can follow `role:`. */
export function isRoleName(text: string): boolean {
  return ONE_NAME.test(text)
}

/** `label` is the door's name for the address field. */
export function parseAddress(text: string, label: Sentence = 'the address'): Address {
  if (text === ORCHESTRATOR || text === `agent:${ORCHESTRATOR}`) return { to: 'orchestrator' }
  if (text === 'broadcast') return { to: 'broadcast' }
  if (text === USER) return { to: 'person', person_id: USER }
  const [, word, rest = ''] = /^(agent|role|user):(.*)$/.exec(text) ?? []
  if (word === 'agent' && AGENT.test(rest) && isFree(rest)) return { to: 'agent', agent_id: rest }
  if (word === 'role' && ONE_NAME.test(rest)) return { to: 'role', role: rest }
  if (word === 'user' && ONE_NAME.test(rest)) return { to: 'person', person_id: text }
  if (text.startsWith('@') && ONE_NAME.test(text.slice(1))) {
    return { to: 'instance', instance: text.slice(1) }
  }
  if (word === undefined && AGENT.test(text) && isFree(text)) {
    return { to: 'agent', agent_id: text }
  }
  throw refuse.invalid_input`${label} ${quote(text)} is not an address: write ${ADDRESS_FORMS}`
}

/** The queue that receives a role's mail while no member is available. */
export function queueOf(role: string): string {
  return `${ROLE}${role}`
}

/** Whether the name is a role. As a recipient, a role means its queue; as an assignee, it lets any member claim. */
export function isRole(name: string): boolean {
  return name.startsWith(ROLE)
}
