import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Timer } from 'lucide-react'
import { useMemo } from 'react'
import { asking } from '../../api/queries.ts'
import { STATUSES } from '../../items/work/words.ts'
import { useMovement } from '../../shell/movement.ts'
import { useCalled, within } from '../../shell/names.tsx'
import { SaveView } from '../../shell/save-view.tsx'
import { Button } from '../../ui/button.tsx'
import { countdown } from '../../ui/countdown.ts'
import { Ago } from '../../ui/moment.tsx'
import { More } from '../../ui/more.tsx'
import { RowLines, rowCss } from '../../ui/row.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useCountdown } from '../../ui/time.tsx'
import { AskedInMail, useAskedInMail } from './asked-in-mail.tsx'
import { countsOf, type ThreadGroup, useGroups, type WorkRow } from './groups.ts'
import css from './screen.module.css'
import { type ThreadSearch, useThreadSearch } from './search.ts'
import { type GroupName, TABS, type ThreadTab } from './tabs.ts'

export function ThreadList({ openId }: { openId: string | undefined }) {
  const [search, setSearch] = useThreadSearch()
  const groups = useGroups(search)
  const counts = countsOf(groups)
  // A row that only changes its words leaves the order, and so the keys, as they are.
  const order = groups.flatMap(({ threads }) => threads.map((one) => one.thread_id)).join(' ')
  const ids = useMemo(() => order.split(' ').filter(Boolean), [order])
  useMovement(ids, openId, '/threads/$id')
  const state = search.state ?? 'blocked'
  const failed = groups.find(({ query }) => query.error !== null && query.data === undefined)
  const isWhole = search.q === undefined && search.agent === undefined
  const byMail = useAskedInMail(state === 'blocked' && isWhole, ids)
  const isKnown = byMail !== undefined && groups.every(({ query }) => query.isSuccess)
  const isEmpty = isKnown && ids.length === 0 && byMail.length === 0
  return (
    <section className={css.list} aria-labelledby="threads-title">
      <nav className={css.tabs} aria-label="Which threads">
        {(Object.keys(TABS) as ThreadTab[]).map((tab) => (
          <Link
            key={tab}
            className={css.tab}
            to="/threads"
            search={({ state: _, at: __, ...rest }: ThreadSearch) =>
              tab === 'blocked' ? rest : { ...rest, state: tab }
            }
            data-open={tab === state}
            aria-current={tab === state ? 'true' : undefined}
          >
            {TABS[tab].word}{' '}
            <span className={css.count}>{counts === undefined ? '' : atLeast(counts[tab])}</span>
          </Link>
        ))}
      </nav>
      <div className={css.filters}>
        <SearchField
          label="Search threads"
          value={search.q ?? ''}
          onChange={(q) => setSearch({ q: q === '' ? undefined : q })}
        />
        <AgentFilter chosen={search.agent} onChange={(agent) => setSearch({ agent })} />
        <SaveView />
      </div>
      <div className={css.scroll}>
        {failed === undefined ? null : (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the threads: ${failed.query.error?.message}.`}</p>
            <Button onClick={() => void failed.query.refetch()}>Try again</Button>
          </div>
        )}
        {isEmpty ? <Empty search={search} /> : null}
        {groups.map((group) => (
          <Group key={group.name} group={group} openId={openId} isAlone={groups.length === 1} />
        ))}
        {isKnown ? <AskedInMail rows={byMail} /> : null}
      </div>
    </section>
  )
}

const MOST = 1000

function atLeast(count: number): string {
  return count >= MOST ? `${MOST - 1}+` : String(count)
}

function AgentFilter({
  chosen,
  onChange,
}: {
  chosen: string | undefined
  onChange: (agent: string | undefined) => void
}) {
  const { data } = useQuery(asking('agent list', { limit: 200 }))
  const known = data?.agents.map(({ agent_id }) => agent_id) ?? []
  const names = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
  return (
    <select
      className={css.agents}
      aria-label="Agent"
      value={chosen ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">All agents</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

const NOTHING: Record<ThreadTab, string> = {
  blocked: 'No work waits for an answer.',
  active: 'Nobody is at work.',
  waiting: 'No work waits to be taken.',
  all: 'There is no work yet. Agents send each other work, and you can send some.',
}

function Empty({ search: { state = 'blocked', q, agent } }: { search: ThreadSearch }) {
  if (q === undefined && agent === undefined) return <p className={css.empty}>{NOTHING[state]}</p>
  return (
    <div className={css.empty}>
      <p>No thread matches.</p>
      <Link className={css.clear} to="/threads" search={state === 'blocked' ? {} : { state }}>
        Clear filters
      </Link>
    </div>
  )
}

type GroupProps = { group: ThreadGroup; openId: string | undefined; isAlone: boolean }

function Group({ group: { name, word, threads, query, isCut }, openId, isAlone }: GroupProps) {
  const more = (
    <More pages={query} isByHand={isCut}>
      {isCut ? 'Search further' : 'Show more'}
    </More>
  )
  if (threads.length === 0) return more
  return (
    <>
      {isAlone ? null : (
        <h2 className={css.group} id={`threads-${name}`}>
          {word}{' '}
          <span className={css.count}>
            {query.hasNextPage ? `${threads.length}+` : threads.length}
          </span>
        </h2>
      )}
      <ul aria-label={word}>
        {threads.map((thread) => (
          <Row
            key={thread.thread_id}
            thread={thread}
            group={name}
            isOpen={thread.thread_id === openId}
          />
        ))}
      </ul>
      {more}
    </>
  )
}

type RowProps = { thread: WorkRow; group: GroupName; isOpen: boolean }

/** A blocked thread is called by its question, any other by its subject. */
function Row({ thread, group, isOpen }: RowProps) {
  const { thread_id, subject, assigned_to, created_by, status, updated_at, question, lease } =
    thread
  const whole = useCalled()
  const called = (name: string) => within(whole(name))
  const isForPerson = group === 'you'
  const title = question?.summary ?? subject
  const about = question === null || question === undefined ? aboutIn(thread, called) : subject
  return (
    <li className={rowCss.item}>
      <Link
        className={rowCss.row}
        to="/threads/$id"
        params={{ id: thread_id }}
        search={({ at: _, ...rest }: ThreadSearch) => rest}
        aria-current={isOpen ? 'true' : undefined}
        data-row={thread_id}
        data-sign={isForPerson ? 'needs' : group === 'active' ? 'active' : 'none'}
        data-strong={isForPerson}
      >
        <RowLines
          name={assigned_to}
          title={title}
          sign={isForPerson ? 'needs' : 'none'}
          time={
            group === 'active' && lease?.live ? (
              <LeaseTime until={lease.expires_at} />
            ) : (
              <Ago at={question?.created_at ?? updated_at} />
            )
          }
        >
          <span className={rowCss.about}>
            <b className={rowCss.who}>{called(assigned_to)}</b> {about}
            {question === null || question === undefined || isForPerson
              ? ''
              : `, asks ${called(created_by)}`}
          </span>
          {group === 'over' ? <StatusWord status={status} /> : null}
        </RowLines>
      </Link>
    </li>
  )
}

function aboutIn({ status, created_by, lease }: WorkRow, called: (name: string) => string) {
  if (status === 'pending') return `waits to be taken, for ${called(created_by)}`
  if (lease !== null && lease !== undefined && !lease.live) return 'let its lease run out'
  return `for ${called(created_by)}`
}

function StatusWord({ status }: { status: string }) {
  const { word, icon: Icon, hue } = STATUSES[status as keyof typeof STATUSES]
  return (
    <span className={css.status} data-hue-of={hue}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  )
}

function LeaseTime({ until }: { until: string }) {
  const now = useCountdown(until)
  return (
    <span className={css.clock} aria-hidden>
      <Timer size={12} />
      {countdown(until, now)}
    </span>
  )
}
