import { parseAddress } from '../../core/agents/address.ts'
import { field, refuse, sentence } from '../../core/error.ts'
import type { HistoryFilter } from '../../core/threads/log-reads.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { parseSince, parseTime } from '../kit/cursor.ts'
import { address, choice, type Input, id, self, text } from '../kit/field.ts'
import type { Context } from '../kit/operation.ts'

/**
 * How many batches are read for one answer: at most 50,000 events, and at most about 25 MB of short messages or 100 of
 * the longest. Beyond that, the answer has what was found so far and a cursor to continue from.
 */
export const MOST_LOOKS = 100
/** In the worst case, where a match begins at almost every character, search time is proportional to this. */
const LONGEST_TEXT = 200

export const FILTER_FIELDS = {
  agent: self('the agent or person looking'),
  with: address('only messages this agent or person sent or received'),
  direction: choice(['in', 'out'], 'in: only what they received; out: only what they sent'),
  workspace: id('only messages in pushes from this workspace'),
  thread: id('only this thread'),
  since: text('not before this event or time', { max: 40 }),
  until: text('not after this time', { max: 40 }),
  text: text('only messages with this text in the subject or body; a to z match in either case', {
    max: LONGEST_TEXT,
  }),
}

type FilterInput = Input<typeof FILTER_FIELDS>

export function checkFilter(input: FilterInput): void {
  parseSince(input.since, field('since'))
  if (input.until !== undefined) parseTime(input.until, field('until'))
  if (input.with !== undefined) partyOf(input.with)
}

export async function filterFor(
  context: Context,
  input: FilterInput,
): Promise<Omit<HistoryFilter, 'before' | 'limit'>> {
  const { after, since } = parseSince(input.since, field('since'))
  if (input.direction !== undefined && input.agent === undefined) {
    const remedy = sentence`name who looks with ${field('agent')}`
    throw refuse.invalid_input`${field('direction')} is relative to one agent or person; ${remedy}`
  }
  return {
    after: after === 0 ? undefined : after,
    since,
    until: input.until === undefined ? undefined : parseTime(input.until, field('until')),
    threadId: input.thread,
    workspaceId: input.workspace,
    sentBy: input.direction === 'out' ? input.agent : undefined,
    gotBy: input.direction === 'in' ? input.agent : undefined,
    party: input.with === undefined ? undefined : partyOf(input.with),
    reader: await readerFor(context, input.agent),
    text: input.text,
  }
}

/** Returns the reader whose mail is searched, or undefined if the caller may see all mail. */
async function readerFor(
  { store, caller: { principal } }: Context,
  agent: string | undefined,
): Promise<string | undefined> {
  if (agent === undefined) return undefined
  if (await seesEverything(store, { name: agent, proof: principal?.proof })) return undefined
  return agent
}

function partyOf(text: string): string {
  const parsed = parseAddress(text)
  switch (parsed.to) {
    case 'agent':
      return parsed.agent_id
    case 'person':
      return parsed.person_id
    case 'orchestrator':
    case 'role':
    case 'broadcast':
      return text
    default:
      throw refuse.invalid_input`${field('with')} ${text} means several; name one agent or person`
  }
}
