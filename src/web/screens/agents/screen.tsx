// The agents: how each stands and how that is known, what lies in its inbox, and what it said last.

import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { AGENT_STATUSES } from '../../../core/agents/agent.ts'
import { pagesOf, usePages } from '../../api/pages.ts'
import { OpenAgent } from '../../items/agent/agent.tsx'
import {
  AgentStatusLabel,
  type AskOfPerson,
  evidenceOf,
  type ListedAgent,
  LOOK_AGAIN_MS,
  useWaiting,
} from '../../items/agent/agent-status.tsx'
import { Connect } from '../../items/agent/connect.tsx'
import { useMovement } from '../../shell/movement.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ListHeader, ListPane, NoMatch } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { sinceIn } from '../../ui/moment.tsx'
import { useRowWindow, useSight } from '../../ui/row-window.ts'
import { makeSearch, textIn } from '../../ui/search.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { timeIn, useMinute } from '../../ui/time.tsx'
import css from './screen.module.css'

export function AgentsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <ListScreen
      title="Agents"
      titleId="agents-title"
      width="full"
      list={<AgentList openId={id} />}
      opened={id === undefined ? null : <OpenAgent key={id} id={id} />}
    />
  )
}

const useAgentSearch = makeSearch(({ q }) => ({ q: textIn(q) }))

function AgentList({ openId }: { openId: string | undefined }) {
  const { query, rows } = usePages(
    { ...pagesOf('agent list', {}), refetchInterval: LOOK_AGAIN_MS },
    'agents',
  )
  const waiting = useWaiting()
  const [{ q = '' }, setSearch] = useAgentSearch()
  const found = useMemo(() => agentsWith(rows, waiting, q), [rows, waiting, q])
  const ids = useMemo(() => found.map(({ agent_id }) => agent_id), [found])
  useMovement(ids, openId, '/agents/$id')
  return (
    <ListPane
      className={css.list}
      titleId="agents-title"
      what="agents"
      header={
        <ListHeader
          title="Agents"
          count={countsOf(rows, waiting)}
          tools={
            rows.length === 0 ? null : (
              <SearchField
                label="Find an agent"
                className={css.search}
                value={q}
                onChange={(next) => setSearch({ q: next === '' ? undefined : next })}
              />
            )
          }
        />
      }
      queries={[query]}
      isEmpty={found.length === 0}
      empty={rows.length === 0 ? <Connect /> : <NoMatch>No agent matches.</NoMatch>}
      isWindowed
    >
      <Rows
        agents={found}
        waiting={waiting}
        openId={openId}
        hasMore={query.hasNextPage && !query.isFetchingNextPage}
        onEnd={query.fetchNextPage}
      />
    </ListPane>
  )
}

/** Finds an agent among hundreds by its name, its role or its status. */
function agentsWith(
  agents: readonly ListedAgent[],
  waiting: ReadonlyMap<string, AskOfPerson>,
  q: string,
): readonly ListedAgent[] {
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return agents
  return agents.filter(({ agent_id, role, status }) => {
    const shown = waiting.has(agent_id) ? 'waiting on you' : status
    return [agent_id, role, shown].some((text) => text.toLowerCase().includes(wanted))
  })
}

/** Heights in the style sheet: of a row, and of one where it is narrow. */
const ROW = 65
const NARROW_ROW = 105
const NARROW = 640

type RowsProps = {
  agents: readonly ListedAgent[]
  waiting: ReadonlyMap<string, AskOfPerson>
  openId: string | undefined
  hasMore: boolean
  onEnd: () => unknown
}

/** The page holds only the agents in sight, because there may be hundreds. */
function Rows({ agents, waiting, openId, hasMore, onEnd }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const sight = useSight(box)
  const isNarrow = sight.width <= NARROW
  const height = isNarrow ? NARROW_ROW : ROW
  const tops = useMemo(
    () => Array.from({ length: agents.length + 1 }, (_, at) => at * height),
    [agents.length, height],
  )
  const { shown, reveal } = useRowWindow(box, sight, tops)
  const isAtEnd = shown.to === agents.length
  useEffect(() => {
    if (hasMore && isAtEnd) void onEnd()
  }, [hasMore, isAtEnd, onEnd])
  const openAt = agents.findIndex(({ agent_id }) => agent_id === openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening another brings it into sight
  useEffect(() => {
    if (openAt >= 0) reveal(openAt, HEADS)
  }, [openId])
  return (
    <div ref={box} className={css.scroll} data-narrow={isNarrow}>
      {agents.length === 0 ? null : (
        <div className={css.heads} aria-hidden>
          <span>Agent</span>
          <span>Status, and how we know</span>
          <span>Inbox</span>
          <span className={css.seen}>Last seen</span>
          <span className={css.said}>Last words</span>
        </div>
      )}
      <ul style={{ paddingTop: shown.above, paddingBottom: shown.below }}>
        {agents.slice(shown.from, shown.to).map((agent, at) => (
          <Row
            key={agent.agent_id}
            agent={agent}
            waiting={waiting.get(agent.agent_id)}
            isOpen={agent.agent_id === openId}
            place={shown.from + at + 1}
            of={agents.length}
          />
        ))}
      </ul>
    </div>
  )
}

const HEADS = 36

/** An agent that waits is counted once, as waiting, so that the counts add up. */
function countsOf(
  agents: readonly ListedAgent[],
  waiting: ReadonlyMap<string, AskOfPerson>,
): string {
  const others = agents.filter(({ agent_id }) => !waiting.has(agent_id))
  const count = (word: string, of: number) => (of === 0 ? [] : [`${of} ${word}`])
  return [
    ...count('waiting on you', agents.length - others.length),
    ...AGENT_STATUSES.flatMap((status) =>
      count(status, others.filter((one) => one.status === status).length),
    ),
  ].join(' · ')
}

type RowProps = {
  agent: ListedAgent
  waiting: AskOfPerson | undefined
  isOpen: boolean
  place: number
  of: number
}

function Row({ agent, waiting, isOpen, place, of }: RowProps) {
  const { agent_id, role, status, unread, evidence, said } = agent
  const now = useMinute()
  return (
    <li className={css.item} aria-posinset={place} aria-setsize={of}>
      <Link
        className={css.row}
        to="/agents/$id"
        params={{ id: agent_id }}
        search={(before: object) => before}
        aria-current={isOpen ? 'true' : undefined}
        data-row={agent_id}
      >
        <span className={css.agent}>
          <Avatar name={agent_id} />
          <span className={css.lines}>
            <b className={css.name} dir="auto">
              {agent_id}
            </b>
            <small className={css.small} dir="auto">
              {role === '' ? 'No role' : role}
            </small>
          </span>
        </span>
        <span className={css.lines}>
          <AgentStatusLabel status={status} isWaiting={waiting !== undefined} />
          <small className={css.small} dir="auto">
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
