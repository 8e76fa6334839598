import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
import { FirstRun } from '../../items/agent/first-run.tsx'
import { useMovement } from '../../shell/movement.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ListHeader, ListPane, NoMatch, SearchField } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { sinceIn } from '../../ui/moment.tsx'
import { makeSearch, textIn } from '../../ui/search.ts'
import { timeIn, useMinute } from '../../ui/time.tsx'
import { Window, type WindowHandle } from '../../ui/window.tsx'
import type { WindowRange } from '../../ui/window-layout.ts'
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
                onChange={(next) => setSearch({ q: next })}
              />
            )
          }
        />
      }
      queries={[query]}
      isEmpty={found.length === 0}
      empty={rows.length === 0 ? <FirstRun /> : <NoMatch>No agents match.</NoMatch>}
      isWindowed
    >
      <Rows
        agents={found}
        ids={ids}
        waiting={waiting}
        openId={openId}
        hasMore={query.hasNextPage && !query.isFetchingNextPage}
        onEnd={query.fetchNextPage}
      />
    </ListPane>
  )
}

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

type RowsProps = {
  agents: readonly ListedAgent[]
  ids: readonly string[]
  waiting: ReadonlyMap<string, AskOfPerson>
  openId: string | undefined
  hasMore: boolean
  onEnd: () => unknown
}

/** There may be hundreds of agents, so only the visible ones are in the DOM. */
function Rows({ agents, ids, waiting, openId, hasMore, onEnd }: RowsProps) {
  const handle = useRef<WindowHandle>(null)
  const groups = useMemo(() => [{ key: 'all', label: '', count: ids.length }], [ids])
  const [end, setEnd] = useState(0)
  const onRange = useCallback((range: WindowRange) => setEnd(range.end), [])
  useEffect(() => {
    if (hasMore && end === ids.length) void onEnd()
  }, [hasMore, end, ids.length, onEnd])
  const openAt = openId === undefined ? -1 : ids.indexOf(openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening another agent scrolls to it
  useEffect(() => {
    if (openAt >= 0) handle.current?.reveal(openAt)
  }, [openId])
  return (
    <Window
      handle={handle}
      className={css.scroll}
      groups={groups}
      ids={ids}
      renderRow={(at) =>
        agents[at] === undefined ? null : (
          <Row
            agent={agents[at]}
            waiting={waiting.get(agents[at].agent_id)}
            isOpen={at === openAt}
          />
        )
      }
      total={ids.length}
      kept={openAt}
      onRange={onRange}
      above={
        agents.length === 0 ? null : (
          <div className={css.heads} aria-hidden>
            <span>Agent</span>
            <span>Status, and how we know</span>
            <span>Inbox</span>
            <span className={css.seen}>Last seen</span>
            <span className={css.said}>Last message</span>
          </div>
        )
      }
    />
  )
}

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
}

function Row({ agent, waiting, isOpen }: RowProps) {
  const { agent_id, role, status, unread, evidence, said } = agent
  const now = useMinute()
  return (
    <Link
      className={css.row}
      to="/agents/$id"
      params={{ id: agent_id }}
      search={(before: object) => before}
      aria-current={isOpen ? 'true' : undefined}
      data-row={agent_id}
    >
      <span className="row gap-5 min-0">
        <Avatar name={agent_id} />
        <span className={css.lines}>
          <b className="truncate max-full semi" dir="auto">
            {agent_id}
          </b>
          <small className="truncate max-full meta quiet" dir="auto">
            {role === '' ? 'No role' : role}
          </small>
        </span>
      </span>
      <span className={css.lines}>
        <AgentStatusLabel status={status} isWaiting={waiting !== undefined} />
        <small className="truncate max-full meta quiet" dir="auto">
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
  )
}

const MOST_BARS = 5

function Depth({ unread }: { unread: number }) {
  if (unread === 0) return <span className={css.none}>Empty</span>
  return (
    <span className={css.depth}>
      <span className="flex gap-1" aria-hidden>
        {Array.from({ length: Math.min(MOST_BARS, unread) }, (_, at) => (
          <span key={at} className={css.bar} />
        ))}
      </span>
      {unread}
      <span className={css.word}> unread</span>
    </span>
  )
}
