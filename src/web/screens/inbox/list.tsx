// The inbox's list: what needs the person, then what was delivered to them, newest first. desk.ts loads the rows,
// groups.ts groups them, row.tsx draws each one, control.ts moves and acts, and commands.ts has the keys.

import { useRouter } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLive } from '../../live/live.ts'
import { amountOf } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import panesCss from '../../ui/panes.module.css'
import { rowCss } from '../../ui/row.tsx'
import { useMinute } from '../../ui/time.tsx'
import { Window, type WindowHandle } from '../../ui/window.tsx'
import { focusOpened, pageOpened, useListCommands } from './commands.ts'
import { type ListControl, useListControl, useSelected } from './control.ts'
import { type ShownDesk, useDesk } from './desk.ts'
import { groupByDay, groupByWorkspace } from './groups.ts'
import { ListHeader } from './header.tsx'
import css from './list.module.css'
import type { OpenMenu } from './menus.tsx'
import type { ListedRow } from './page.ts'
import { Row, type RowAct, RowSkeleton } from './row.tsx'
import { NO_FILTERS, useInboxSearch } from './search.ts'

export const loadLater = () => import('./later.ts')
const ChosenBar = lazy(async () => ({ default: (await loadLater()).ChosenBar }))
const EmptyList = lazy(async () => ({ default: (await loadLater()).EmptyList }))
const ListMenus = lazy(async () => ({ default: (await loadLater()).ListMenus }))

/** On a short screen, five rows under "Needs you" would take up two fifths of the list. */
const NEEDS_SHOWN = innerHeight < 1000 ? 3 : 5

type ListProps = {
  openId: string | undefined
  /** Called once the first rows are listed. Returns a cleanup function. */
  whenListed: () => () => void
}

export const List = memo(function List({ openId, whenListed }: ListProps) {
  const [filters, setFilters] = useInboxSearch()
  const { group } = filters
  const [selected, select] = useSelected(openId)
  const shown = useDesk(filters, selected)
  const { needs, isReady, hasEarlier, hasMore } = shown
  const now = useMinute()
  const { groups, rows } = useMemo(
    () =>
      group === 'workspace'
        ? groupByWorkspace(shown.rows)
        : groupByDay(shown.rows, now, { hasEarlier, hasMore }),
    [shown.rows, group, now, hasEarlier, hasMore],
  )
  const ids = useMemo(() => rows.map(({ thread_id }) => thread_id), [rows])
  const [areAllNeeds, setAllNeeds] = useState(false)
  const pinned = useMemo(
    () => (areAllNeeds ? needs : needs.slice(0, NEEDS_SHOWN)),
    [needs, areAllNeeds],
  )
  const allRows = useMemo(() => [...pinned, ...rows], [pinned, rows])

  const windowHandle = useRef<WindowHandle>(null)
  const control = useListControl({
    shown,
    rows: allRows,
    pinned: pinned.length,
    selected,
    select,
    windowHandle,
  })
  const { chosen, endChoosing } = control
  // Other filters list other rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the filters count
  useEffect(() => endChoosing(), [filters])
  const section = useRef<HTMLElement>(null)
  useSwipes(section, isReady && chosen === undefined, control)
  const position = rows.findIndex(({ thread_id }) => thread_id === selected)
  const isSelectedListed = position >= 0 || pinned.some(({ thread_id }) => thread_id === selected)
  useRevealOnce({ shown, openId, position, isListed: isSelectedListed, windowHandle })
  useEffect(() => (isReady ? whenListed() : undefined), [isReady, whenListed])

  const [menu, setMenu] = useState<OpenMenu>()
  const [isSearchOpen, setSearchOpen] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const openSnooze = (beside?: Element) => {
    const about = control.about()
    // If it's opened with a key, the menu appears beside the selected row.
    const row = section.current?.querySelector('[aria-current="true"]') ?? null
    if (about.length > 0) setMenu({ kind: 'snooze', rows: about, beside: beside ?? row })
  }
  const showNew = () => {
    shown.showNewest()
    windowHandle.current?.scrollToTop()
  }
  useListCommands({
    control,
    isUnreadOnly: filters.view === 'unread',
    setUnreadOnly: (isOn) => setFilters({ view: isOn ? 'unread' : undefined }),
    snooze: openSnooze,
    search() {
      setSearchOpen(true)
      searchField.current?.focus()
    },
    showNew,
    escape() {
      const isInDetail = document.activeElement?.closest('main section') !== section.current
      if (chosen !== undefined) endChoosing()
      else if (selected !== undefined && isInDetail) control.focusSelected()
      else if (filters.q !== undefined) setFilters({ q: undefined })
    },
  })

  const doAct = (act: RowAct, id: string, beside: Element) => {
    if (act === 'read') control.toggleRead(id)
    else if (act === 'away') control.putAway(id)
    else setMenu({ kind: act === 'menu' ? 'row' : 'snooze', rows: control.about(id), beside })
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const button = target.closest<HTMLElement>('[data-act]')
    const checkbox = target.closest<HTMLElement>('[data-choose]')
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (button !== null) {
      return doAct(button.dataset.act as RowAct, button.dataset.of ?? '', button)
    }
    if (checkbox !== null) return control.choose(checkbox.dataset.choose)
    // Let the browser open a link in a new tab or window.
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (chosen !== undefined && !matchMedia('(hover: hover)').matches) return control.choose(id)
    if (id === selected && event.detail === 0) focusOpened()
    else select(id, { isStep: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnRow = event.target instanceof Element && event.target.matches('[data-row]')
    if (event.key !== ' ' || !isOnRow) return
    event.preventDefault()
    pageOpened(event.shiftKey ? -1 : 1)
  }

  const router = useRouter()
  const query = useMemo(
    () => router.buildLocation({ to: '/inbox', search: filters }).searchStr,
    [router, filters],
  )
  // The Tab key reaches only one row.
  const tabStop = isSelectedListed ? selected : allRows[0]?.thread_id
  const draw = (row: ListedRow, isPinned: boolean) => (
    <Row
      row={row}
      href={`/inbox/${row.thread_id}${query}`}
      now={now}
      isOpen={selected === row.thread_id}
      isTabStop={tabStop === row.thread_id}
      isChosen={chosen?.has(row.thread_id)}
      isPinned={isPinned}
    />
  )
  return (
    <section
      ref={section}
      className={css.list}
      aria-labelledby="inbox-title"
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {chosen === undefined ? (
        <ListHeader
          filters={filters}
          setFilters={setFilters}
          searchField={searchField}
          isSearchOpen={isSearchOpen}
          setSearchOpen={setSearchOpen}
          unread={filters.view === 'snoozed' ? 0 : shown.unread}
          openFilters={(beside) => setMenu({ kind: 'filter', rows: [], beside })}
          openMore={(beside) => setMenu({ kind: 'more', rows: [], beside })}
        />
      ) : (
        <Suspense>
          <ChosenBar
            control={control}
            rows={control.about()}
            count={chosen.size}
            loaded={rows.length}
            hasMore={hasMore || hasEarlier}
            onSnooze={openSnooze}
          />
        </Suspense>
      )}
      <NewRows count={shown.news} onShow={showNew} />
      <Window
        key={JSON.stringify(filters)}
        handle={windowHandle}
        groups={groups}
        ids={ids}
        renderRow={(at) => (rows[at] === undefined ? null : draw(rows[at], false))}
        total={hasMore || hasEarlier ? -1 : rows.length}
        hasEarlier={hasEarlier}
        kept={rows.findIndex(({ thread_id }) => thread_id === tabStop)}
        itemClass={rowCss.item}
        isBusy={!isReady && shown.error === null}
        onRange={shown.onRange}
        onTop={shown.onTop}
        above={
          <>
            <Failure shown={shown} />
            {needs.length === 0 ? null : (
              <NeedsYou count={needs.length} onShowAll={() => setAllNeeds(true)}>
                {pinned.map((row, at) => (
                  <li
                    key={row.thread_id}
                    className={rowCss.item}
                    aria-setsize={needs.length}
                    aria-posinset={at + 1}
                  >
                    {draw(row, true)}
                  </li>
                ))}
              </NeedsYou>
            )}
          </>
        }
        below={
          <>
            {isReady || shown.error !== null || rows.length > 0 ? null : <Loading />}
            {isReady && allRows.length === 0 && (!hasMore || shown.isPaused) ? (
              <Suspense>
                <EmptyList filters={filters} clear={() => setFilters(NO_FILTERS)} />
              </Suspense>
            ) : null}
            <MoreRows shown={shown} isGrouped={group !== undefined} />
          </>
        }
      />
      {menu === undefined ? null : (
        <Suspense>
          <ListMenus
            key={menu.kind}
            menu={menu}
            control={control}
            filters={filters}
            setFilters={setFilters}
            open={setMenu}
            // The browser reports a closed menu a frame later, when another one may already be open.
            close={() => setMenu((open) => (open === menu ? undefined : open))}
          />
        </Suspense>
      )}
    </section>
  )
})

type RevealInput = {
  shown: ShownDesk
  openId: string | undefined
  /** The position of the open row among those below "Needs you", or -1. */
  position: number
  isListed: boolean
  windowHandle: RefObject<WindowHandle | null>
}

/** Scrolls the list to the open thread once, because a link may lead to a thread far down. */
function useRevealOnce({ shown, openId, position, isListed, windowHandle }: RevealInput): void {
  const state = useRef<'waiting' | 'looking' | 'done'>('waiting')
  const reveal = useEffectEvent(() => {
    if (!shown.isReady || state.current === 'done') return
    if (openId === undefined || isListed) {
      state.current = 'done'
      if (position >= 0) windowHandle.current?.reveal(position)
    } else if (state.current === 'waiting') {
      state.current = 'looking'
      // If the open thread is in the trash or belongs to another screen, the list stays at its top.
      void shown.desk.showAround(openId)
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time something it needs arrives
  useEffect(() => reveal(), [shown.isReady, openId, position, isListed])
}

/** On a touch screen, rows can be swiped. */
function useSwipes(
  section: RefObject<HTMLElement | null>,
  isOn: boolean,
  { toggleRead, putAway, find }: ListControl,
): void {
  useEffect(() => {
    const { current: list } = section
    if (!isOn || list === null || !matchMedia('(hover: none)').matches) return
    const ending = new AbortController()
    // If this fails to load, the rows' menus offer the same actions.
    loadLater()
      .then(({ listenForSwipes }) =>
        listenForSwipes(list, { toggleRead, putAway, find }, ending.signal),
      )
      .catch(() => {})
    return () => ending.abort()
  }, [section, isOn, toggleRead, putAway, find])
}

type NeedsProps = { count: number; onShowAll: () => void; children: readonly ReactNode[] }

function NeedsYou({ count, onShowAll, children }: NeedsProps) {
  return (
    <section className={css.needs} aria-labelledby="needs-title">
      <h2 id="needs-title" className={css.group}>
        Needs you <span className="truncate min-0 quiet regular">{count}</span>
      </h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore a list without bullets */}
      <ul role="list">{children}</ul>
      {count > children.length ? (
        <button type="button" className={css.others} onClick={onShowAll}>
          {`Show all ${count}`}
        </button>
      ) : null}
    </section>
  )
}

/** Shows nothing while offline: the bar above every screen already says so, and the rows stay. */
function Failure({ shown: { error, reload } }: { shown: ShownDesk }) {
  const isOffline = useLive().state === 'offline'
  if (error === null || isOffline) return null
  return (
    <div className="row gap-4 wrap between line-bottom py-4 px-5" role="alert">
      <p>{`Couldn’t load the inbox: ${error.message}.`}</p>
      <Button onClick={reload}>Try again</Button>
    </div>
  )
}

function MoreRows({ shown, isGrouped }: { shown: ShownDesk; isGrouped: boolean }) {
  const { hasMore, isSearching, isPaused, loadMore } = shown
  if (isSearching) return <p className="quiet p-5">Searching…</p>
  if (!hasMore || !(isGrouped || isPaused)) return null
  return (
    <div className="center p-5">
      <Button onClick={() => void loadMore()}>{isPaused ? 'Search older' : 'Show older'}</Button>
    </div>
  )
}

const ANNOUNCE_MS = 10_000

/** Announces new rows to screen readers together instead of one by one. */
function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const [announced, setAnnounced] = useState(0)
  useEffect(() => {
    if (count === announced) return
    const timer = setTimeout(() => setAnnounced(count), announced === 0 ? 500 : ANNOUNCE_MS)
    return () => clearTimeout(timer)
  }, [count, announced])
  return (
    <>
      {count === 0 ? null : (
        <div className={css.pillPlace}>
          <button type="button" className={css.pill} onClick={onShow}>
            <ArrowUp size={14} aria-hidden />
            {count > 99 ? '99+ new' : `${count} new`}
            <Key name="." />
          </button>
        </div>
      )}
      <p className="spoken" role="status">
        {announced === 0 ? '' : amountOf(announced, 'new message')}
      </p>
    </>
  )
}

const LOADING_ROWS = [1, 2, 3, 4, 5, 6, 7, 8]

/** Appears after a moment, so a list that loads sooner never shows it. */
function Loading() {
  return (
    <div className={panesCss.late}>
      {LOADING_ROWS.map((row) => (
        <div key={row} className={css.coming}>
          <RowSkeleton />
        </div>
      ))}
    </div>
  )
}
