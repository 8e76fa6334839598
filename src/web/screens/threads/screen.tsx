// Work: threads blocked on an answer come first, then those in progress, waiting to be picked up, and finished.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Timer } from 'lucide-react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import type { PageInput } from '../../api/call.ts'
import { pagesOf, usePages } from '../../api/pages.ts'
import { asking, me } from '../../api/queries.ts'
import { OpenWork } from '../../items/work/work.tsx'
import { WORK_STATUSES } from '../../items/work/work-status.ts'
import { useMovement } from '../../shell/movement.ts'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { SaveView } from '../../shell/save-view.tsx'
import {
  Choice,
  Filters,
  ListEmpty,
  ListGroup,
  ListPane,
  More,
  NoMatch,
  SearchField,
  Tabs,
} from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { countdown, TimeAgo } from '../../ui/moment.tsx'
import { LinkedRow } from '../../ui/row.tsx'
import { useCountdown } from '../../ui/time.tsx'
import {
  GROUPS,
  type GroupName,
  TABS,
  type ThreadSearch,
  type ThreadTab,
  useThreadSearch,
} from './search.ts'

export function ThreadsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <ListScreen
      title="Threads"
      titleId="threads-title"
      list={<ThreadList openId={id} />}
      opened={id === undefined ? null : <OpenWork key={id} id={id} />}
      label="Thread"
      hint="Select a thread."
    />
  )
}

function ThreadList({ openId }: { openId: string | undefined }) {
  const [search, setSearch] = useThreadSearch()
  const groups = useGroups(search)
  const ids = groups.flatMap(({ rows }) => rows.map((one) => one.thread_id))
  useMovement(ids, openId, '/threads/$id')
  const { state = 'blocked', q, agent } = search
  const isFiltered = q !== undefined || agent !== undefined
  const byMail = useAskedInMail(state === 'blocked' && !isFiltered, ids)
  return (
    <ListPane
      titleId="threads-title"
      what="threads"
      header={<ThreadTabs groups={groups} open={state} />}
      filters={
        <Filters>
          <SearchField
            label="Search threads"
            value={q}
            onChange={(next) => setSearch({ q: next })}
          />
          <AgentChoice chosen={agent} onChange={(next) => setSearch({ agent: next })} />
          <SaveView />
        </Filters>
      }
      queries={groups.map(({ query }) => query)}
      isEmpty={ids.length === 0 && byMail?.length === 0}
      empty={
        isFiltered ? (
          <NoMatch search={state === 'blocked' ? {} : { state }}>No threads match.</NoMatch>
        ) : (
          <ListEmpty>{NOTHING[state]}</ListEmpty>
        )
      }
    >
      {groups.map((group) => (
        <Group key={group.name} group={group} openId={openId} isAlone={groups.length === 1} />
      ))}
      {groups.every(({ query }) => query.isSuccess) ? <AskedInMail rows={byMail ?? []} /> : null}
    </ListPane>
  )
}

const NOTHING: Record<ThreadTab, string> = {
  blocked: 'No work is waiting for an answer.',
  active: 'No one is working right now.',
  waiting: 'No work is waiting to be picked up.',
  all: 'No work yet. Agents send each other work, and you can send some too.',
}

const MOST = 1000

function ThreadTabs({ groups, open }: { groups: readonly ThreadGroup[]; open: ThreadTab }) {
  const counts = countsOf(groups)
  const atLeast = (count: number) => (count >= MOST ? `${MOST - 1}+` : String(count))
  return (
    <Tabs
      label="Which threads"
      to="/threads"
      tabs={(Object.keys(TABS) as ThreadTab[]).map((tab) => ({
        key: tab,
        title: TABS[tab].word,
        count: counts === undefined ? '' : atLeast(counts[tab]),
        isOpen: tab === open,
        search: ({ state: _, at: __, ...rest }: ThreadSearch) =>
          tab === 'blocked' ? rest : { ...rest, state: tab },
      }))}
    />
  )
}

type AgentProps = { chosen: string | undefined; onChange: (agent: string | undefined) => void }

function AgentChoice({ chosen, onChange }: AgentProps) {
  const { data } = useQuery(asking('agent list', { limit: 200 }))
  const options = data?.agents.map(({ agent_id: id }) => ({ value: id, label: id })) ?? []
  return (
    <Choice label="Agent" all="All agents" value={chosen} options={options} onChange={onChange} />
  )
}

type GroupProps = { group: ThreadGroup; openId: string | undefined; isAlone: boolean }

function Group({ group: { name, word, rows, query, isCut }, openId, isAlone }: GroupProps) {
  return (
    <>
      {rows.length === 0 ? null : (
        <ListGroup
          id={isAlone ? undefined : `threads-${name}`}
          title={word}
          count={query.hasNextPage ? `${rows.length}+` : rows.length}
        >
          {rows.map((thread) => (
            <Row
              key={thread.thread_id}
              thread={thread}
              group={name}
              isOpen={thread.thread_id === openId}
            />
          ))}
        </ListGroup>
      )}
      <More pages={query} isByHand={isCut}>
        {isCut ? 'Search older' : 'Show more'}
      </More>
    </>
  )
}

type RowProps = { thread: WorkRow; group: GroupName; isOpen: boolean }

/** The title of a blocked thread is its question. Other threads show their subject. */
function Row({ thread, group, isOpen }: RowProps) {
  const { thread_id, subject, assigned_to, created_by, status, updated_at, lease } = thread
  const question = thread.question ?? undefined
  const whole = useDisplayName()
  const called = (name: string) => inSentence(whole(name))
  const isForPerson = group === 'you'
  const asked = question === undefined || isForPerson ? '' : `, asks ${called(created_by)}`
  return (
    <LinkedRow
      to="/threads/$id"
      id={thread_id}
      search={({ at: _, ...rest }: ThreadSearch) => rest}
      isOpen={isOpen}
      sign={isForPerson ? 'needs' : group === 'active' ? 'active' : 'none'}
      isStrong={isForPerson}
      name={assigned_to}
      title={question?.summary ?? subject}
      time={
        group === 'active' && lease?.live ? (
          <LeaseTime until={lease.expires_at} />
        ) : (
          <TimeAgo at={question?.created_at ?? updated_at} />
        )
      }
      who={called(assigned_to)}
      about={`${question === undefined ? aboutOf(thread, called) : subject}${asked}`}
      status={group === 'over' ? <StatusWord status={status} /> : null}
    />
  )
}

function aboutOf({ status, created_by, lease }: WorkRow, called: (name: string) => string) {
  if (status === 'pending') return `waiting to be picked up, for ${called(created_by)}`
  if (lease !== null && lease !== undefined && !lease.live) return 'let its lease expire'
  return `for ${called(created_by)}`
}

function StatusWord({ status }: { status: string }) {
  const { word, icon: Icon, hue } = WORK_STATUSES[status as keyof typeof WORK_STATUSES]
  return (
    <span className={`inline-row gap-2 rigid ${hue}`}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  )
}

function LeaseTime({ until }: { until: string }) {
  const now = useCountdown(until)
  return (
    <span className="inline-row gap-2" aria-hidden>
      <Timer size={12} />
      {countdown(until, now)}
    </span>
  )
}

const MOST_ASKED = 50

/** Questions asked by mail don't block work, but their senders are waiting too. Undefined until they're loaded. */
function useAskedInMail(isWanted: boolean, work: readonly string[]) {
  const { data } = useQuery({
    ...asking('desk list', { needs_you: true, limit: MOST_ASKED }),
    enabled: isWanted,
  })
  if (!isWanted) return []
  return data?.rows.filter(({ what, thread_id }) => what !== 'request' && !work.includes(thread_id))
}

function AskedInMail({ rows }: { rows: NonNullable<ReturnType<typeof useAskedInMail>> }) {
  const whole = useDisplayName()
  if (rows.length === 0) return null
  return (
    <ListGroup id="threads-mail" title="Asked by mail" count={rows.length}>
      {rows.map(({ thread_id, title, from, latest_from, preview, at }) => (
        <LinkedRow
          key={thread_id}
          to="/inbox/$id"
          id={thread_id}
          search={() => ({})}
          sign="needs"
          isStrong
          name={from}
          title={title}
          time={<TimeAgo at={at} />}
          who={inSentence(whole(latest_from))}
          about={preview}
        />
      ))}
    </ListGroup>
  )
}

const PAGE = 50

type WorkRow = OperationAnswer<'list'>['threads'][number]

type ThreadGroup = ReturnType<typeof useGroup>

function useGroups(search: ThreadSearch): ThreadGroup[] {
  const { data } = useQuery(me)
  const own = data?.principal.name
  const names: readonly GroupName[] = TABS[search.state ?? 'blocked'].groups
  const of = (name: GroupName) => ({ name, own, search, isShown: names.includes(name) })
  // One hook call per group, always in the same order.
  const you = useGroup(of('you'))
  const others = useGroup(of('others'))
  const active = useGroup(of('active'))
  const waiting = useGroup(of('waiting'))
  const over = useGroup(of('over'))
  return [you, others, active, waiting, over].filter(({ name }) => names.includes(name))
}

type GroupOfTab = {
  name: GroupName
  own: string | undefined
  search: ThreadSearch
  isShown: boolean
}

function useGroup({ name, own, search: { agent, q }, isShown }: GroupOfTab) {
  const { statuses, isOldestFirst, word } = GROUPS[name]
  const input: PageInput<'list'> = {
    ...(name === 'you' ? { blocked_on: own ?? '' } : { status: [...statuses] }),
    ...(isOldestFirst ? { oldest_first: true } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(q === undefined ? {} : { text: q }),
    standing: true,
    limit: PAGE,
  }
  const list = usePages(
    {
      ...pagesOf('list', input),
      placeholderData: keepPreviousData,
      enabled: isShown && own !== undefined,
    },
    'threads',
  )
  // Threads blocked on the person are in their own group.
  const rows = name === 'others' ? list.rows.filter((one) => one.created_by !== own) : list.rows
  return { ...list, name, word, rows, isCut: list.last?.cut === true }
}

/** The counts on the tabs, from any group except `you`, which only has its own counts. */
function countsOf(groups: readonly ThreadGroup[]): Record<ThreadTab, number> | undefined {
  const counts = groups.find(({ name, first }) => name !== 'you' && first?.counts)?.first?.counts
  if (counts === undefined) return undefined
  const { blocked, claimed, in_progress, pending } = counts
  const active = claimed + in_progress
  return {
    blocked,
    active,
    waiting: pending,
    all: blocked + active + pending + counts.done + counts.failed + counts.cancelled,
  }
}
