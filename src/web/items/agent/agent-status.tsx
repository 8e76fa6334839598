import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking, me } from '../../api/queries.ts'
import { sinceIn } from '../../ui/moment.tsx'
import { leftIn } from '../../ui/time.tsx'
import css from './agent-status.module.css'

export type ListedAgent = OperationAnswer<'agent list'>['agents'][number]

/** A status can change just because time passes, and sightings aren't in the log, so the stream reports neither. */
export const LOOK_AGAIN_MS = 30_000

/** What an agent is waiting for: a decision on a request, or the answer to a question in its work. */
export type AskOfPerson = { what: 'request' | 'question'; id: string; title: string }

const WORDS: Record<ListedAgent['status'], string> = {
  running: 'Running',
  idle: 'Idle',
  dormant: 'Dormant',
  off: 'Off',
}

export function AgentStatusLabel({
  status,
  isWaiting,
}: Pick<ListedAgent, 'status'> & { isWaiting: boolean }) {
  return (
    <span className={css.standing} data-status={isWaiting ? 'waiting' : status}>
      <span className={css.sign} aria-hidden />
      {isWaiting ? 'Waiting on you' : WORDS[status]}
    </span>
  )
}

export function evidenceOf({ evidence: { by, at } }: ListedAgent, now: number): string {
  if (at === null) return 'Never seen'
  const since = sinceIn(new Date(at), now)
  return {
    lease: `Holds a lease, ${leftIn(at, now)} left`,
    waiting: 'Waiting for mail',
    turn: `In a turn, seen ${since}`,
    declared: `Reported itself ${since}`,
    seen: `Seen ${since}`,
    nothing: 'Never seen',
  }[by]
}

/** The agents that are waiting for this person, each with what it's waiting for. */
export function useWaiting(): ReadonlyMap<string, AskOfPerson> {
  const own = useQuery(me).data?.principal.name
  const requests = useQuery(asking('request list', { tab: 'pending', limit: 50 })).data?.requests
  const blocked = useQuery(asking('list', { status: ['blocked'], limit: 50 })).data?.threads
  return useMemo(() => {
    const questions = (blocked ?? [])
      .filter(({ created_by }) => created_by === own)
      .map(({ assigned_to, thread_id, subject }): [string, AskOfPerson] => [
        assigned_to,
        { what: 'question', id: thread_id, title: subject },
      ])
    const asked = (requests ?? [])
      .filter(({ status }) => status === 'pending')
      .map(({ requester, request_id, title }): [string, AskOfPerson] => [
        requester,
        { what: 'request', id: request_id, title },
      ])
    return new Map([...questions, ...asked])
  }, [requests, blocked, own])
}
