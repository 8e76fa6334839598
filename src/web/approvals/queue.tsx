import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { call, type PageInput } from '../api/call.ts'
import { useCommands } from '../shell/commands.ts'
import { useMovement } from '../shell/movement.ts'
import { SaveView } from '../shell/save-view.tsx'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { RowLines, rowCss } from '../ui/row.tsx'
import { Ago, leftIn, useMinute } from '../ui/time.tsx'
import { Risk, Status, Version } from './badges.tsx'
import css from './queue.module.css'
import type { ListedRequest } from './request-answer.ts'
import { useApprovalSearch } from './search.ts'
import { typeOf } from './words.ts'

const PAGE = 50

function useQueue() {
  const [{ tab = 'pending', type, q }] = useApprovalSearch()
  const input: PageInput<'request list'> = {
    tab,
    limit: PAGE,
    ...(type === undefined ? {} : { type }),
    ...(q === undefined ? {} : { title: q }),
  }
  return useInfiniteQuery({
    queryKey: ['request list', input, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('request list', { ...input, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
}

export function Queue({ openId }: { openId: string | undefined }) {
  const [search, setSearch] = useApprovalSearch()
  const queue = useQueue()
  const first = queue.data?.pages[0]
  const rows = useMemo(
    () => queue.data?.pages.flatMap(({ requests }) => requests) ?? [],
    [queue.data],
  )
  useMovement(
    useMemo(() => rows.map(({ request_id }) => request_id), [rows]),
    openId,
    '/approvals/$id',
  )
  const field = useRef<HTMLInputElement>(null)
  useCommands(
    useMemo(
      () => [
        { title: 'Search titles', keys: '/', group: 'Lists', run: () => field.current?.focus() },
      ],
      [],
    ),
  )
  const tab = search.tab ?? 'pending'
  const asked = rows.filter(({ status }) => status !== 'revision_requested')
  const sentBack = rows.filter(({ status }) => status === 'revision_requested')
  return (
    <section className={css.queue} aria-labelledby="approvals-title">
      <header className={css.header}>
        <nav className={css.tabs} aria-label="Which requests">
          <Tab name="Pending" count={first?.pending} isOpen={tab === 'pending'} tab={undefined} />
          <Tab name="Resolved" count={first?.resolved} isOpen={tab === 'resolved'} tab="resolved" />
        </nav>
      </header>
      <div className={css.filters}>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the field inside has a name of its own */}
        <label className={css.search}>
          <Search size={16} aria-hidden />
          <SearchField
            inputRef={field}
            value={search.q ?? ''}
            onChange={(q) => setSearch({ q: q === '' ? undefined : q })}
          />
          <Key name="/" />
        </label>
        <select
          className={css.types}
          aria-label="Type"
          value={search.type ?? ''}
          onChange={({ target }) =>
            setSearch({ type: target.value === '' ? undefined : target.value })
          }
        >
          <option value="">All types</option>
          {typesShown(first?.types ?? [], search.type).map(({ type, count }) => (
            <option key={type} value={type}>
              {`${typeOf(type).word} (${count})`}
            </option>
          ))}
        </select>
        <SaveView />
      </div>
      <div className={css.scroll}>
        {queue.error !== null && rows.length === 0 ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the requests: ${queue.error.message}.`}</p>
            <Button onClick={() => void queue.refetch()}>Try again</Button>
          </div>
        ) : null}
        {queue.isSuccess && rows.length === 0 ? (
          <Empty tab={tab} isFiltered={search.q !== undefined || search.type !== undefined} />
        ) : null}
        <Rows
          rows={asked}
          openId={openId}
          label={tab === 'pending' ? 'Waiting for you' : 'Resolved'}
        />
        {sentBack.length === 0 ? null : (
          <>
            <h2 className={css.group}>
              Sent back <span className={css.count}>{sentBack.length}</span>
            </h2>
            <Rows rows={sentBack} openId={openId} label="Sent back" />
          </>
        )}
        {queue.hasNextPage ? (
          <div className={css.more}>
            <Button onClick={() => void queue.fetchNextPage()}>Show more</Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}

function SearchField({
  value,
  onChange,
  inputRef,
}: {
  value: string
  onChange: (value: string) => void
  inputRef: React.RefObject<HTMLInputElement | null>
}) {
  const [typed, setTyped] = useState(value)
  const settled = useDeferredValue(typed)
  // The address follows the field a moment later, and the list the address.
  useEffect(() => {
    if (settled === value) return
    const timer = setTimeout(() => onChange(settled), 120)
    return () => clearTimeout(timer)
  }, [settled, value, onChange])
  return (
    <input
      ref={inputRef}
      className={css.input}
      type="search"
      placeholder="Search titles"
      aria-label="Search titles"
      maxLength={200}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        setTyped('')
        currentTarget.blur()
      }}
    />
  )
}

type TabProps = {
  name: string
  count: number | undefined
  isOpen: boolean
  tab: 'resolved' | undefined
}

function Tab({ name, count, isOpen, tab }: TabProps) {
  return (
    <Link
      className={css.tab}
      to="/approvals"
      search={tab === undefined ? {} : { tab }}
      aria-current={isOpen ? 'true' : undefined}
      data-open={isOpen}
    >
      {name} <span className={css.count}>{count ?? ''}</span>
    </Link>
  )
}

function typesShown(types: readonly { type: string; count: number }[], chosen: string | undefined) {
  const isMissing = chosen !== undefined && !types.some(({ type }) => type === chosen)
  return isMissing ? [...types, { type: chosen, count: 0 }] : types
}

function Empty({ tab, isFiltered }: { tab: string; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <div className={css.empty}>
        <p>No request matches.</p>
        <Link className={css.clear} to="/approvals" search={tab === 'resolved' ? { tab } : {}}>
          Clear filters
        </Link>
      </div>
    )
  }
  return (
    <p className={css.empty}>
      {tab === 'resolved' ? 'No decisions yet.' : 'Nothing is waiting for your decision.'}
    </p>
  )
}

function Rows({
  rows,
  openId,
  label,
}: {
  rows: readonly ListedRequest[]
  openId: string | undefined
  label: string
}) {
  if (rows.length === 0) return null
  return (
    <ul aria-label={label}>
      {rows.map((row) => (
        <Row key={row.request_id} row={row} isOpen={row.request_id === openId} />
      ))}
    </ul>
  )
}

const HOUR_MS = 3_600_000

function Row({ row, isOpen }: { row: ListedRequest; isOpen: boolean }) {
  const {
    request_id,
    title,
    requester,
    revision,
    type,
    status,
    risk,
    created_at,
    decided_at,
    expires_at,
  } = row
  const { word, icon: Icon } = typeOf(type)
  const now = useMinute()
  const isSoon =
    status === 'pending' && expires_at !== null && new Date(expires_at).getTime() - now < HOUR_MS
  const isPending = status === 'pending'
  return (
    <li className={rowCss.item}>
      <Link
        className={rowCss.row}
        to="/approvals/$id"
        params={{ id: request_id }}
        search={(before) => before}
        aria-current={isOpen ? 'true' : undefined}
        data-row={request_id}
        data-sign={isPending ? 'needs' : 'none'}
        data-strong={isPending}
      >
        <RowLines
          name={requester}
          title={title}
          sign={isPending ? 'needs' : 'none'}
          badge={revision > 1 ? <Version revision={revision} /> : null}
          time={isSoon ? leftIn(expires_at, now) : <Ago at={decided_at ?? created_at} />}
          isSoon={isSoon}
        >
          <Icon size={14} aria-hidden className={rowCss.type} />
          <span className={rowCss.about}>
            {word} <b className={rowCss.who}>{requester}</b>
          </span>
          {isPending ? risk === null ? null : <Risk level={risk} /> : <Status status={status} />}
        </RowLines>
      </Link>
    </li>
  )
}
