import { isPerson, USER } from '../agents/agent.ts'
import type { Request } from './request-record.ts'

/** The people who are asked about a request: its recipient, those its policy names, or everyone. */
export function peopleAsked(
  { recipient, policy, deciders }: Pick<Request, 'recipient' | 'policy' | 'deciders'>,
  people: readonly string[],
): string[] {
  if (recipient !== '') return [recipient]
  return policy === 'named' ? deciders : [...people]
}

/** The requester's messages go to the people who are asked, and people's messages go to the requester. */
export function hearersOf(
  request: Pick<Request, 'requester' | 'recipient' | 'policy' | 'deciders'>,
  people: readonly string[],
  from: string,
): { address: string; recipients: string[] } {
  const { requester, recipient } = request
  const heard = isPerson(from) ? [requester] : [requester, ...peopleAsked(request, people)]
  return {
    address: from === requester ? recipient || USER : requester,
    recipients: heard.filter((one) => one !== from),
  }
}
