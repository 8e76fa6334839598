import {
  AGENT_STATUSES,
  type Agent,
  isFree,
  isPerson,
  ORCHESTRATOR,
  personId,
  UNSEEN,
  USER,
} from '../../core/agents/agent.ts'
import { AGENTS, type AgentFields } from '../../core/agents/agent-record.ts'
import { mustFitBelow } from '../../core/agents/parent.ts'
import { field, operation, quote, refuse } from '../../core/error.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { mustNameTime } from '../../wake/schedule.ts'
import { mustBeItself } from '../kit/authorise.ts'
import { commit } from '../kit/commit.ts'
import { choice, flag, type Input, name, powers, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { type AgentView, seenAgent } from './agent-view.ts'
import { declare, finishDeclaring, MAIL_MOVES, type MailMoves } from './declare.ts'
import { mustBeNoService } from './known-person.ts'
import {
  allowIfSetHere,
  changedWake,
  checkWake,
  WAKE_FIELDS,
  type WakeChange,
} from './wake-settings.ts'

const ROLE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const FIELDS = {
  agent: required(self('the agent', { positional: true, power: [ORCHESTRATOR] })),
  role: text('what it does: mail to role:NAME goes to one agent with that role', {
    max: 64,
    power: [ORCHESTRATOR],
  }),
  ...powers({
    parent: name('the agent that started it; a cancel of that agent reaches it'),
    paired_person: name('the person it works with, who is added if necessary'),
    source: text('what kind of program it is', { max: 64, leftOut: 'agent' }),
    may_write_to_user: flag('let it send mail to people'),
    may_not_write_to_user: flag('no longer let it send mail to people'),
  }),
  status: choice(AGENT_STATUSES, 'its status now'),
  ...WAKE_FIELDS,
}

type Registration = Input<typeof FIELDS>

export const agentRegister = mutation({
  name: 'agent register',
  example: 'agent register builder --role build',
  summary: 'Register an agent, or change its settings.',
  about:
    'Only the fields you give change. For the --wake-… fields, none resets the setting: --wake-types none restores the types of the role. At most one agent has the role orchestrator. An agent named orchestrator has it from the start, and gives it up like any other: --role NAME, with --status off if no one reads its mail anymore. An agent that registers itself, with --agent or INBOX_AGENT, shows that it is there: it takes the mail queued for its role, and new mail does not start it for a while. If it registers itself and then leaves, it should give --status dormant. At a server an agent can register only itself, with a role and a status; everything else is for people. A wake command starts on the machine where it was set; see wake allow for one that was set with a token.',
  fields: FIELDS,
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check(input) {
    if (isPerson(input.agent))
      throw refuse.invalid_input`${input.agent} is a person; add people with ${operation('person add')}`
    if (input.role !== undefined && !isFree(input.role))
      throw refuse.invalid_input`${field('role')} ${quote(input.role)} is a reserved word; choose another`
    if (input.role !== undefined && !ROLE.test(input.role))
      throw refuse.invalid_input`${field('role')} ${quote(input.role)} is not a name: letters, digits, _ and -, beginning with a letter`
    if (input.paired_person !== undefined && personId(input.paired_person) === undefined)
      throw refuse.invalid_input`${field('paired_person')} ${quote(input.paired_person)} does not name a person; write user or user:NAME`
    if (input.may_write_to_user && input.may_not_write_to_user)
      throw refuse.invalid_input`${field('may_write_to_user')} and ${field('may_not_write_to_user')} cannot be combined`
    checkWake(input)
  },
  async run(context, input): Promise<MailMoves & { agent: AgentView; next_event_id: number }> {
    mustBeItself(context.caller.principal, input.agent)
    const by = context.caller.agent ?? input.agent
    if (typeof input.wake_cron === 'string') {
      await mustNameTime(input.wake_cron, await context.store.now())
    }
    const call = { op: 'agent register', agent: by, input, isOfAnother: true }
    let wakes: WakeChange | undefined
    const saying = commit<MailMoves>(context, call, async (tx) => {
      await tx.lockRecords()
      const [now, before] = await Promise.all([tx.now(), tx.agent(input.agent)])
      const fields = changedFields(before, input, now)
      await mustBePossible(tx, input, { ...fields, now })
      wakes = { before: before?.wake ?? {}, after: fields.wake }
      if (fields.paired_person !== null) await addPerson(tx, fields.paired_person, by, now)
      const facts = { type: 'agent_register', agent_id: input.agent, ...fields } as const
      tx.recordStoreEvent({ agent: by, at: now, facts })
      const agent = {
        ...(before ?? UNSEEN),
        ...evolveRecord(AGENTS, before, facts, { agent: by, at: now }),
        ...(context.caller.agent === input.agent ? { seen_at: now } : {}),
      }
      return declare(context, tx, agent, { status: input.status, by, now })
    })
    const moved = await finishDeclaring(context, input, saying)
    // Another call may have changed the settings since the transaction, so check the change that this call made.
    if (wakes !== undefined) await allowIfSetHere(context, input, wakes)
    return { agent: await seenAgent(context, input.agent), ...moved }
  },
  answer: MAIL_MOVES,
  lines: async (answer, page) => (await import('./drawing.ts')).drawAgent(answer, page),
  tool: {
    name: 'register_agent',
    set: 'mailbox',
    does: 'Set your own role or status; mail to role:NAME then reaches you.',
    args: { role: { about: 'your role' }, status: { about: 'what you are doing' } },
  },
})

function changedFields(before: Agent | null, input: Registration, now: Instant): AgentFields {
  const first = input.agent === ORCHESTRATOR ? ORCHESTRATOR : ''
  const may = before?.may_write_to_user ?? false
  return {
    role: input.role ?? before?.role ?? first,
    parent_agent_id: input.parent ?? before?.parent_agent_id ?? null,
    paired_person:
      input.paired_person === undefined
        ? (before?.paired_person ?? null)
        : (personId(input.paired_person) ?? null),
    source: input.source ?? before?.source ?? 'agent',
    may_write_to_user: input.may_not_write_to_user ? false : (input.may_write_to_user ?? may),
    wake: changedWake(before?.wake ?? {}, input, now),
  }
}

async function mustBePossible(
  tx: Tx,
  input: Registration,
  { role, now }: Pick<AgentFields, 'role'> & { now: Instant },
): Promise<void> {
  if (input.parent !== undefined) mustFitBelow(input.parent, input.agent, await tx.agents({}))
  if (role !== ORCHESTRATOR) return
  await mustBeNoService(tx, input.agent, now)
  const other = (await tx.agents({ role })).find(({ agent_id }) => agent_id !== input.agent)
  if (other === undefined) return
  const remedy = operation('agent register', { agent: other.agent_id, role: 'NAME' })
  throw refuse.invalid_state`${{ orchestrator: other.agent_id }} is the orchestrator and there is at most one; give it another role first with ${remedy}`
}

export async function addPerson(tx: Tx, personId: string, by: string, now: Instant): Promise<void> {
  if (personId === USER || (await tx.hasPerson(personId))) return
  const facts = { type: 'person_add', person_id: personId } as const
  tx.recordStoreEvent({ agent: by, at: now, facts })
}
