import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { useCommands } from './commands.ts'
import { Key } from './key.tsx'
import css from './list.module.css'
import { useTyped } from './search.ts'

type ListQuery = Pick<
  UseInfiniteQueryResult,
  | 'data'
  | 'error'
  | 'isSuccess'
  | 'refetch'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'fetchNextPage'
>

type PaneProps = {
  /** The id of the screen's heading, which labels the list. */
  titleId: string
  /** What couldn't be loaded, for the error message: "threads" in "Couldn't load the threads". */
  what: string
  header: ReactNode
  filters?: ReactNode
  /** The queries that load the rows: a single one, or one per group. */
  queries: readonly ListQuery[]
  isEmpty: boolean
  /** Shown while there are no rows. */
  empty: ReactNode
  /** Shown above the rows. */
  note?: ReactNode
  /** The label of the button that loads the next page, if the rows come from one query. */
  more?: string
  /** Whether the rows are in their own scroll box, which renders only the visible ones. */
  isWindowed?: boolean
  className?: string | undefined
  children: ReactNode
  foot?: ReactNode
}

export function ListPane(props: PaneProps) {
  const { titleId, what, header, filters, queries, isEmpty, empty } = props
  const { note, more, isWindowed = false, className = '', children, foot } = props
  const failed = queries.find(({ error, data }) => error !== null && data === undefined)
  const [query] = queries
  const state = (
    <>
      {failed === undefined ? null : (
        <LoadError what={what} error={failed.error} retry={() => void failed.refetch()} />
      )}
      {isEmpty && queries.every(({ isSuccess }) => isSuccess) ? empty : null}
    </>
  )
  return (
    <section className={`${css.list} ${className}`} aria-labelledby={titleId}>
      {header}
      {filters}
      {isWindowed ? (
        <>
          {state}
          {children}
        </>
      ) : (
        <div className={css.scroll}>
          {state}
          {isEmpty ? null : note}
          {children}
          {more === undefined || query === undefined ? null : <More pages={query}>{more}</More>}
        </div>
      )}
      {foot}
    </section>
  )
}

type ErrorProps = { what: string; error: Error | null; retry: () => void }

export function LoadError({ what, error, retry }: ErrorProps) {
  return (
    <div className={css.empty} role="alert">
      <p>{`Couldn’t load the ${what}: ${error?.message}.`}</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  )
}

type HeaderProps = {
  title: string
  /** Shown beside the title. */
  count?: ReactNode
  tools?: ReactNode
}

export function ListHeader({ title, count, tools }: HeaderProps) {
  return (
    <header className={css.header}>
      <span className="semi text-pane" aria-hidden>
        {title}
      </span>
      <span className="truncate min-0 quiet regular">{count}</span>
      <span className="row gap-2 push rigid">{tools}</span>
    </header>
  )
}

type Tab = {
  key: string
  title: string
  count: string
  isOpen: boolean
  search: (before: never) => object
}

type TabsProps = { label: string; to: '/approvals' | '/threads'; tabs: readonly Tab[] }

export function Tabs({ label, to, tabs }: TabsProps) {
  return (
    <nav className={`${css.header} ${css.tabs}`} aria-label={label}>
      {tabs.map(({ key, title, count, isOpen, search }) => (
        <Link
          key={key}
          className={css.tab}
          to={to}
          search={search as never}
          data-open={isOpen}
          aria-current={isOpen ? 'true' : undefined}
        >
          {title} <span className={css.count}>{count}</span>
        </Link>
      ))}
    </nav>
  )
}

export function Filters({ children }: { children: ReactNode }) {
  return <div className={css.filters}>{children}</div>
}

type GroupProps = {
  /** The heading's id. Undefined for a single group, which has no heading. */
  id?: string | undefined
  title: string
  count?: ReactNode
  children: ReactNode
}

export function ListGroup({ id, title, count, children }: GroupProps) {
  return (
    <>
      {id === undefined ? null : (
        <h2 className="meta quiet surface-1 pb-3 px-5 pt-5 sticky" id={id}>
          {title} <span className={css.count}>{count}</span>
        </h2>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers don't announce a list without bullets */}
      <ul role="list" aria-label={title}>
        {children}
      </ul>
    </>
  )
}

export function ListEmpty({ children }: { children: ReactNode }) {
  return <div className={css.empty}>{children}</div>
}

type NoMatchProps = { children: string; search?: object }

/** Shown when nothing matches the filters, with a link that clears them. */
export function NoMatch({ children, search = {} }: NoMatchProps) {
  return (
    <div className={css.empty}>
      <p role="status">{children}</p>
      <Link className="link" to="." search={search as never}>
        Clear filters
      </Link>
    </div>
  )
}

type ChoiceProps = {
  label: string
  /** The label of the option that selects no value, if there is one. */
  all?: string
  value: string | undefined
  options: readonly { value: string; label: string; isDisabled?: boolean }[]
  onChange: (value: string | undefined) => void
  className?: string | undefined
}

/** A select field. The chosen value is listed even if it's no longer among the options. */
export function Choice(props: ChoiceProps) {
  const { label, all, value, options, onChange, className = css.select } = props
  const isKnown = value === undefined || options.some((one) => one.value === value)
  const listed = isKnown ? options : [...options, { value, label: value }]
  return (
    <select
      className={className}
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      {all === undefined ? null : <option value="">{all}</option>}
      {listed.map(({ value: one, label: shown, isDisabled }) => (
        <option key={one} value={one} disabled={isDisabled}>
          {shown}
        </option>
      ))}
    </select>
  )
}

type MoreProps = {
  pages: Pick<
    ListQuery,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  children: string
  /** Whether only the button loads the next page, as in a search, which reads the log in parts. */
  isByHand?: boolean
}

/** Ends a list that has more pages. Scrolling it into view loads the next page; after a failure, its button does. */
export function More({ pages, children, isByHand = false }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const end = useRef<HTMLDivElement>(null)
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isByHand
  useEffect(() => {
    const { current } = end
    if (current === null || !isWanted) return
    const watcher = new IntersectionObserver(
      ([seen]) => void (seen?.isIntersecting && fetchNextPage()),
      { rootMargin: '400px' },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [isWanted, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <div ref={end} className="center p-5">
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}

type Props = {
  /** The placeholder and accessible name. */
  label: string
  value: string | undefined
  /** Called with undefined if the field is empty. */
  onChange: (value: string | undefined) => void
  /** For a screen that styles the field differently. */
  className?: string | undefined
}

export function SearchField({ label, value = '', onChange, className = css.search }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value, (next) => onChange(next === '' ? undefined : next))
  useCommands([{ title: label, keys: '/', group: 'Lists', run: () => field.current?.focus() }])
  return (
    <label className={className}>
      <Search size={16} aria-hidden />
      <input
        ref={field}
        className={css.input}
        type="search"
        placeholder={label}
        aria-label={label}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return
          setTyped('')
          currentTarget.blur()
        }}
      />
      <Key name="/" />
    </label>
  )
}
