// The list of the inbox: what needs the person, then everything that was delivered to them.

import { useRouter } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { rowCss } from '../../ui/row.tsx'
import { useMinute } from '../../ui/time.tsx'
import { Window, type WindowHandle } from '../../ui/window.tsx'
import { useDesk, useRowView } from './desk-hook.ts'
import css from './list.module.css'
import { focusOpened, type ListKeys, pageOpened, useListCommands } from './list-commands.ts'
import { useHands } from './list-hands.ts'
import { EVERYTHING, ListHeader } from './list-header.tsx'
import type { OpenMenu } from './list-menus.tsx'
import { NeedsYou } from './list-needs.tsx'
import { orderOf } from './list-order.ts'
import { Row, type RowAct, Skeleton } from './list-row.tsx'
import { Loading, News, selectedRow, useFirstSight, useSwipes } from './list-sight.tsx'
import { useInboxSearch } from './search.ts'
import { useSelected } from './selected.ts'

export const loadChosen = () => import('./list-chosen.tsx')
const ChosenBar = lazy(async () => ({ default: (await loadChosen()).ChosenBar }))
const EmptyList = lazy(async () => ({ default: (await import('./list-empty.tsx')).EmptyList }))
const ListMenus = lazy(async () => ({ default: (await import('./list-menus.tsx')).ListMenus }))

/** Five of what needs the person would take two fifths of a low window. */
const NEEDS_SHOWN = innerHeight < 1000 ? 3 : 5

type ListProps = {
  openId: string | undefined
  /** Called when the rows are there; it gives back what ends it. */
  whenListed: () => () => void
}

export const List = memo(function List({ openId, whenListed }: ListProps) {
  const [filters, setFilters] = useInboxSearch()
  const { desk, state, isOld } = useDesk(filters)
  const now = useMinute()
  const view = useRowView(state, filters.group, now)
  // A snooze ends by the clock, without an event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for each minute
  useEffect(() => {
    if (document.visibilityState === 'visible') desk.changed()
  }, [desk, now])
  const [isAll, setAll] = useState(false)
  const shownNeeds = isAll ? state.needs.length : NEEDS_SHOWN
  const order = useMemo(
    () => orderOf(state.needs.slice(0, shownNeeds), view),
    [state.needs, shownNeeds, view],
  )
  const [selected, select] = useSelected(openId)
  const windowHandle = useRef<WindowHandle>(null)
  const hands = useHands({ desk, state, order, selected, select, windowHandle })
  const { chosen } = hands
  // Other filters list other rows, so what was chosen is no longer in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the filters count
  useEffect(() => hands.endChoosing(), [filters])
  const [menu, setMenu] = useState<OpenMenu>()
  const [isSearchOpen, setSearchOpen] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const section = useRef<HTMLElement>(null)
  useFirstSight(desk, state.isReady, openId, windowHandle, order)
  useEffect(() => (state.isReady ? whenListed() : undefined), [state.isReady, whenListed])

  const openSnooze = (rows = hands.about(), beside?: Element | null) => {
    if (rows.length > 0)
      setMenu({ kind: 'snooze', rows, beside: beside ?? selectedRow(section.current) })
  }
  const showNew = () => {
    desk.showNew()
    windowHandle.current?.toTop()
  }
  const keys = useRef<ListKeys>(null as unknown as ListKeys)
  keys.current = {
    hands,
    isUnreadOnly: filters.view === 'unread',
    setUnreadOnly: (isSo) => setFilters({ view: isSo ? 'unread' : undefined }),
    snooze: () => openSnooze(),
    search() {
      setSearchOpen(true)
      searchField.current?.focus()
    },
    showNew,
    escape() {
      const isInDetail = document.activeElement?.closest('main section') !== section.current
      if (chosen !== undefined) hands.endChoosing()
      else if (selected !== undefined && isInDetail) hands.focusSelected()
      else if (filters.q !== undefined) setFilters({ q: undefined })
    },
  }
  useListCommands(keys)
  useSwipes(section, state.isReady && chosen === undefined, hands, desk)

  const router = useRouter()
  const tail = useMemo(
    () => router.buildLocation({ to: '/inbox', search: filters }).searchStr,
    [router, filters],
  )
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const act = target.closest<HTMLElement>('[data-act]')
    const box = target.closest<HTMLElement>('[data-choose]')
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (act !== null) return doAct(act, act.dataset.act as RowAct, act.dataset.of ?? '')
    if (box !== null) return hands.choose(box.dataset.choose)
    // A link in a new tab is the browser's own doing.
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (chosen !== undefined && !matchMedia('(hover: hover)').matches) return hands.choose(id)
    if (id === selected && event.detail === 0) focusOpened()
    else select(id, { isStep: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnRow = event.target instanceof Element && event.target.matches('[data-row]')
    if (event.key !== ' ' || !isOnRow) return
    event.preventDefault()
    pageOpened(event.shiftKey ? -1 : 1)
  }
  const doAct = (button: HTMLElement, act: RowAct, id: string) => {
    const rows = hands.about(id)
    if (act === 'read') hands.toggleRead(id)
    else if (act === 'away') hands.away(id)
    else setMenu({ kind: act === 'menu' ? 'row' : 'snooze', rows, beside: button })
  }

  const stop = selected !== undefined && order.indexOf(selected) >= 0 ? selected : order.idAt(0)
  const renderRow = (position: number) => {
    const id = view.idAt(position)
    const row = id === undefined ? undefined : state.rows.get(id)
    if (row === undefined) return <Skeleton />
    return (
      <Row
        row={row}
        href={`/inbox/${row.thread_id}${tail}`}
        now={now}
        isOpen={selected === row.thread_id}
        isStop={stop === row.thread_id}
        isChosen={chosen?.has(row.thread_id)}
      />
    )
  }
  const { group } = filters
  const onRange = useCallback(
    (range: { first: number; end: number }) => {
      // A list by workspaces shows what is there, and asks for more by a button.
      if (group === undefined) desk.want(range)
    },
    [desk, group],
  )
  const onTop = useCallback((isAtTop: boolean) => desk.atTop(isAtTop), [desk])
  // The bar above every screen says it then, and the rows stay.
  const isOffline = useLive().state === 'offline'
  const isLoading = !state.isReady && state.pieces.length === 0 && state.error === null
  const total = state.pieces.reduce((sum, { count }) => sum + count, 0)
  const known = state.pieces.reduce((sum, { ids }) => sum + ids.length, 0)
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
          {...{ filters, setFilters, searchField, isSearchOpen, setSearchOpen }}
          unread={filters.view === 'snoozed' ? 0 : state.unread}
          openFilters={(beside) => setMenu({ kind: 'filter', rows: [], beside })}
          openMore={(beside) => setMenu({ kind: 'more', rows: [], beside })}
        />
      ) : (
        <Suspense>
          <ChosenBar
            hands={hands}
            rows={hands.about()}
            total={total}
            loaded={known}
            onSnooze={(beside) => openSnooze(hands.about(), beside)}
          />
        </Suspense>
      )}
      {state.news > 0 ? (
        <div className={css.pillPlace}>
          <button type="button" className={css.pill} onClick={showNew}>
            <ArrowUp size={14} aria-hidden />
            {state.news > 99 ? '99+ new' : `${state.news} new`}
            <Key name="." />
          </button>
        </div>
      ) : null}
      <News count={state.news} />
      <Window
        key={JSON.stringify(filters)}
        handle={windowHandle}
        groups={view.groups}
        renderRow={renderRow}
        keyOf={(position) => view.idAt(position) ?? String(position)}
        kept={stop === undefined ? -1 : view.positionOf(stop)}
        itemClass={rowCss.item}
        isBusy={isOld || isLoading}
        onRange={onRange}
        onTop={onTop}
        above={
          <>
            {state.error === null || isOffline ? null : (
              <div className={css.failure} role="alert">
                <p>{`Couldn't load the inbox: ${state.error.message}.`}</p>
                <Button onClick={() => desk.changed()}>Try again</Button>
              </div>
            )}
            <NeedsYou
              rows={state.needs}
              shown={shownNeeds}
              onShowAll={() => setAll(true)}
              {...{ selected, stop, chosen, tail }}
            />
          </>
        }
        below={
          <>
            {isLoading ? <Loading /> : null}
            {state.isReady && order.total === 0 && !state.isSearching ? (
              <Suspense>
                <EmptyList filters={filters} clear={() => setFilters(EVERYTHING)} />
              </Suspense>
            ) : null}
            {group === 'workspace' && known < total ? (
              <div className={css.more}>
                <Button onClick={() => void desk.bringTo(known + 100)}>Show older</Button>
              </div>
            ) : null}
            {state.isSearching ? <p className={css.searching}>Searching…</p> : null}
            {state.hasMore && !state.isSearching && group === undefined ? (
              <div className={css.more}>
                <Button onClick={() => desk.goOn()}>Search older</Button>
              </div>
            ) : null}
          </>
        }
      />
      {menu === undefined ? null : (
        <Suspense>
          <ListMenus
            key={menu.kind}
            {...{ menu, hands, filters, setFilters }}
            open={setMenu}
            // The browser tells of it a frame later, when the next may be open.
            close={() => setMenu((now) => (now === menu ? undefined : now))}
          />
        </Suspense>
      )}
    </section>
  )
})
