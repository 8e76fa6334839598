// The agents: how each stands and how that is known, what lies in its inbox, and what it said last.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AGENT_STATUSES } from '../../core/agents/agent.ts'
import { call } from '../api/call.ts'
import { Connect } from '../inbox/connect.tsx'
import { useMovement } from '../shell/movement.ts'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { sinceIn, timeIn, useMinute } from '../ui/time.tsx'
import { OpenAgent } from './agent.tsx'
import css from './screen.module.css'
import {
  type AgentView,
  evidenceOf,
  LOOK_AGAIN_MS,
  Standing,
  useWaiting,
  type Waiting,
} from './standing.tsx'

export function AgentsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={css.screen} data-open={id !== undefined}>
      <h1 id="agents-title" className={css.spoken}>
        Agents
      </h1>
      <List openId={id} />
      {id === undefined ? null : <OpenAgent key={id} id={id} />}
    </div>
  )
}

function List({ openId }: { openId: string | undefined }) {
  const list = useInfiniteQuery({
    queryKey: ['agent list', {}, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call('agent list', pageParam === null ? {} : { after: pageParam }, { signal }),
    getNextPageParam: ({ next_after }) => next_after,
    refetchInterval: LOOK_AGAIN_MS,
  })
  const waiting = useWaiting()
  const agents = useMemo(() => list.data?.pages.flatMap((page) => page.agents) ?? [], [list.data])
  const ids = useMemo(() => agents.map(({ agent_id }) => agent_id), [agents])
  useMovement(ids, openId, '/agents/$id')
  return (
    <section className={css.list} aria-labelledby="agents-title">
      <header className={css.header}>
        <span className={css.title} aria-hidden>
          Agents
        </span>
        <span className={css.quiet}>{countsOf(agents, waiting)}</span>
      </header>
      <div className={css.scroll}>
        {list.error !== null && agents.length === 0 ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the agents: ${list.error.message}.`}</p>
            <Button onClick={() => void list.refetch()}>Try again</Button>
          </div>
        ) : null}
        {list.isSuccess && agents.length === 0 ? <Connect /> : null}
        {agents.length === 0 ? null : (
          <div className={css.heads} aria-hidden>
            <span>Agent</span>
            <span>Status, and how we know</span>
            <span>Inbox</span>
            <span className={css.seen}>Last seen</span>
            <span className={css.said}>Last words</span>
          </div>
        )}
        <ul>
          {agents.map((agent) => (
            <Row
              key={agent.agent_id}
              agent={agent}
              waiting={waiting.get(agent.agent_id)}
              isOpen={agent.agent_id === openId}
            />
          ))}
        </ul>
        {list.hasNextPage ? (
          <div className={css.more}>
            <Button onClick={() => void list.fetchNextPage()}>Show more</Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** An agent that waits is counted once, as waiting, so that the counts add up. */
function countsOf(agents: readonly AgentView[], waiting: ReadonlyMap<string, Waiting>): string {
  const others = agents.filter(({ agent_id }) => !waiting.has(agent_id))
  const count = (word: string, of: number) => (of === 0 ? [] : [`${of} ${word}`])
  return [
    ...count('waiting on you', agents.length - others.length),
    ...AGENT_STATUSES.flatMap((status) =>
      count(status, others.filter((one) => one.status === status).length),
    ),
  ].join(' · ')
}

type RowProps = { agent: AgentView; waiting: Waiting | undefined; isOpen: boolean }

function Row({ agent, waiting, isOpen }: RowProps) {
  const { agent_id, role, status, unread, evidence, said } = agent
  const now = useMinute()
  return (
    <li className={css.item}>
      <Link
        className={css.row}
        to="/agents/$id"
        params={{ id: agent_id }}
        aria-current={isOpen ? 'true' : undefined}
        data-row={agent_id}
      >
        <span className={css.agent}>
          <Mark name={agent_id} />
          <span className={css.lines}>
            <b className={css.name}>{agent_id}</b>
            <small className={css.small}>{role === '' ? 'No role' : role}</small>
          </span>
        </span>
        <span className={css.lines}>
          <Standing status={status} isWaiting={waiting !== undefined} />
          <small className={css.small}>
            {waiting === undefined ? evidenceOf(agent, now) : waiting.title}
          </small>
        </span>
        <Depth unread={unread} />
        <span className={css.seen}>
          {evidence.seen_at === null ? 'Never' : sinceIn(new Date(evidence.seen_at), now)}
        </span>
        <span className={css.said} dir="auto">
          {said === null ? (
            ''
          ) : (
            <>
              <time className={css.time} dateTime={said.created_at}>
                {timeIn(new Date(said.created_at), now)}
              </time>{' '}
              {said.summary}
            </>
          )}
        </span>
      </Link>
    </li>
  )
}

const MOST_BARS = 5

function Depth({ unread }: { unread: number }) {
  if (unread === 0) return <span className={css.none}>Empty</span>
  return (
    <span className={css.depth}>
      <span className={css.bars} aria-hidden>
        {Array.from({ length: Math.min(MOST_BARS, unread) }, (_, at) => (
          <span key={at} className={css.bar} />
        ))}
      </span>
      {unread}
      <span className={css.word}> unread</span>
    </span>
  )
}
