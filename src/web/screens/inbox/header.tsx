import { Ellipsis, ListFilter, Search, X } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect } from 'react'
import { useSettings } from '../../shell/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { useTyped } from '../../ui/search.ts'
import css from './header.module.css'
import { type InboxFilters, NO_FILTERS } from './search.ts'

const SaveView = lazy(async () => ({ default: (await import('./later.ts')).SaveView }))

type Props = {
  filters: InboxFilters
  setFilters: (change: InboxFilters) => void
  unread: number
  searchField: RefObject<HTMLInputElement | null>
  isSearchOpen: boolean
  setSearchOpen: (isOpen: boolean) => void
  openFilters: (beside: Element) => void
  openMore: (beside: Element) => void
}

export function ListHeader(props: Props) {
  const { filters, unread, isSearchOpen, setSearchOpen, searchField } = props
  const { q } = filters
  return (
    <>
      <header className={css.header}>
        <span className="semi text-pane" aria-hidden>
          {filters.view === 'snoozed' ? 'Snoozed' : 'Inbox'}
        </span>
        <span className="truncate min-0 quiet regular">
          {unread === 0 ? '' : `${unread.toLocaleString()} unread`}
        </span>
        <span className="row gap-2 push rigid">
          <Button
            look="quiet"
            icon={ListFilter}
            label="Filter"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => props.openFilters(currentTarget)}
          />
          <Button
            look="quiet"
            icon={Search}
            label="Search the inbox"
            hint="/"
            aria-expanded={isSearchOpen || q !== undefined}
            onClick={() => {
              setSearchOpen(true)
              searchField.current?.focus()
            }}
          />
          <Button
            look="quiet"
            icon={Ellipsis}
            label="More"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => props.openMore(currentTarget)}
          />
        </span>
      </header>
      {isSearchOpen || q !== undefined ? <SearchBar {...props} /> : null}
      <Chips {...props} />
    </>
  )
}

function SearchBar(props: Props) {
  const { filters, setFilters, searchField, isSearchOpen, setSearchOpen } = props
  const { q = '' } = filters
  const [typed, setTyped] = useTyped(q, (text) =>
    setFilters({ q: text.trim() === '' ? undefined : text }),
  )
  useEffect(() => {
    if (isSearchOpen) searchField.current?.focus()
  }, [isSearchOpen, searchField])
  const clear = () => {
    setTyped('')
    setFilters({ q: undefined })
    setSearchOpen(false)
  }
  return (
    <search className="flex rigid line-bottom py-4 px-5">
      <label className={css.search}>
        <Search size={16} aria-hidden />
        <input
          ref={searchField}
          type="search"
          className={css.input}
          aria-label="Search the inbox"
          placeholder="Search titles, messages, agents, files"
          maxLength={200}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => typed === '' && setSearchOpen(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            clear()
            event.currentTarget.blur()
          }}
        />
        {typed === '' ? (
          <Key name="/" />
        ) : (
          <button type="button" className={css.cross} aria-label="Clear the search" onClick={clear}>
            <X size={16} aria-hidden />
          </button>
        )}
      </label>
    </search>
  )
}

/** The filters that are on, each with a button to remove it, and a button to save them as a view. */
function Chips({ filters, setFilters }: Props) {
  const [, , isKnown] = useSettings()
  const { view, agent, ws, group, q } = filters
  const set = [
    { name: view === 'unread' ? 'Unread' : 'Snoozed', key: 'view' as const, value: view },
    { name: `From ${agent}`, key: 'agent' as const, value: agent },
    { name: 'One workspace', key: 'ws' as const, value: ws },
    { name: 'By workspace', key: 'group' as const, value: group },
  ].filter(({ value }) => value !== undefined)
  if (set.length === 0 && q === undefined) return null
  return (
    <div className="row gap-3 wrap rigid line-bottom py-4 px-5">
      {set.map(({ name, key }) => (
        <button
          key={key}
          type="button"
          className={css.chip}
          title="Remove this filter"
          onClick={() => setFilters({ [key]: undefined })}
        >
          {name}
          <X size={14} aria-hidden />
        </button>
      ))}
      <button
        type="button"
        className="accent-ink control-h px-3 hover-underline"
        onClick={() => setFilters(NO_FILTERS)}
      >
        Clear filters
      </button>
      <Suspense>{isKnown ? <SaveView suggested={nameFor(filters)} /> : null}</Suspense>
    </div>
  )
}

function nameFor({ view, agent, q }: InboxFilters): string {
  const name = [view, agent === undefined ? undefined : `from ${agent}`, q]
    .filter((part) => part !== undefined)
    .join(' ')
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
