// Imports mail from a file. Every line becomes a message in its own thread. Messages the store already has are left
// alone, so importing a file twice is harmless.

import { parseAddress, queueOf } from '../../core/agents/address.ts'
import { isPerson, ORCHESTRATOR, type SeenAgent, statusOf, USER } from '../../core/agents/agent.ts'
import { operation } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { importMail } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { kindOf } from '../../core/vocabulary.ts'
import { addPerson } from '../agents/agent-register.ts'
import { introduceAll } from '../agents/introduce.ts'
import { stamp } from '../kit/commit.ts'
import type { Files } from '../kit/files.ts'
import type { Context } from '../kit/operation.ts'
import { elementsOf } from './file-lines.ts'
import type { ImportAnswer } from './import.ts'
import { type BatchOutcome, importBatches, type ParsedLine } from './import-lines.ts'
import { type ImportedMessage, mailboxMessage, parseMailboxLine } from './mailbox-line.ts'

export function importMailbox(context: Context, files: Files): Promise<ImportAnswer> {
  return importBatches(context, files, {
    lines: elementsOf(files.read()),
    parse: parseMailboxLine,
    bring: (tx, lines) => bringAll(context, tx, lines),
    madeWith: operation('mail export'),
  })
}

async function bringAll(
  context: Context,
  tx: Tx,
  lines: ParsedLine<ImportedMessage>[],
): Promise<BatchOutcome<ImportedMessage>> {
  await tx.lockRecords()
  const now = await tx.now()
  const told = { by: context.caller.agent ?? USER, now }
  const outcome: BatchOutcome<ImportedMessage> = { added: 0, known: 0, conflicts: [] }
  const here = await Promise.all(lines.map(({ value }) => tx.message(value.id)))
  const seen = new Map(here.flatMap((message) => (message ? [[message.message_id, message]] : [])))
  const agents = await tx.agents({})
  const names = new Set<string>()
  const people = new Set<string>()
  for (const one of lines) {
    const mail = one.value
    // A message that bounced or expired in the other store isn't delivered here either.
    const recipients = mail.state === undefined ? recipientsOf(mail, agents, now) : []
    const posting = {
      thread_id: context.makeId('thread'),
      from: mail.fromAgent,
      address: mail.to,
      recipients,
      kind: kindOf(mail.type),
      words: {
        summary: mail.subject ?? '',
        body: mail.body,
        payload_json: mail.payloadJson,
        issue_id: mail.issueId,
        agent_id: mail.agentId,
      },
      expires_at: null,
      created_at: mail.createdAt,
      imported_by: told.by,
      ...(mail.read ? { read_by: 'import' as const } : {}),
      ...(mail.state === undefined ? {} : { ended: mail.state }),
    }
    const event = importMail(posting, { ...stamp(context, now), messageId: mail.id })
    const before = seen.get(mail.id)
    if (before !== undefined) {
      const isSame = wordsOf(before) === wordsOf(event.message)
      if (isSame) outcome.known += 1
      else
        outcome.conflicts.push({ ...one, why: `${mail.id} already exists with different content` })
      continue
    }
    seen.set(mail.id, event.message)
    tx.record(null, event)
    outcome.added += 1
    for (const name of [mail.fromAgent, ...recipients]) {
      if (isPerson(name)) people.add(name)
      // A file must not decide who the orchestrator is. The agent that registers as orchestrator gets the queued
      // mail.
      else if (!name.includes(':') && name !== ORCHESTRATOR && name !== SYSTEM) names.add(name)
    }
  }
  await introduceAll(tx, [...names], told)
  for (const person of people) await addPerson(tx, person, told.by, now)
  return outcome
}

type MessageFields = Parameters<typeof mailboxMessage>[0]

/** All fields except `read`, which may have changed here since. */
function wordsOf(message: MessageFields): string {
  return JSON.stringify(mailboxMessage(message, 'read'))
}

/** Returns who the address refers to now. If that's no one, returns a role's queue, at worst the orchestrator's. */
function recipientsOf(mail: ImportedMessage, agents: SeenAgent[], now: Instant): string[] {
  const address = parseAddress(mail.to)
  const names = (fits: (agent: SeenAgent) => boolean) =>
    agents
      .filter((agent) => agent.agent_id !== mail.fromAgent && fits(agent))
      .map(({ agent_id }) => agent_id)
  const orElseQueued = (found: string[]) =>
    found.length > 0 || mail.read ? found : [queueOf(ORCHESTRATOR)]
  switch (address.to) {
    case 'agent':
      return [address.agent_id]
    case 'person':
      return [address.person_id]
    case 'role':
      return [queueOf(address.role)]
    case 'orchestrator': {
      const there = agents.find((agent) => agent.role === ORCHESTRATOR)
      const isThere = there !== undefined && statusOf(there, now) !== 'off'
      return [isThere ? there.agent_id : queueOf(ORCHESTRATOR)]
    }
    case 'broadcast':
      // A broadcast that was already read isn't delivered again.
      if (mail.read) return []
      return orElseQueued(names((agent) => ['running', 'idle'].includes(statusOf(agent, now))))
    case 'instance':
      return orElseQueued(
        names((agent) => agent.instance === address.instance && statusOf(agent, now) !== 'off'),
      )
  }
}
