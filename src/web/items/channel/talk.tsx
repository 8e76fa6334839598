// Shows a channel's messages by day, newest last. While the reader is further up, new ones only raise a count.

import { ArrowDown } from 'lucide-react'
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useDisplayName } from '../../shell/names.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'
import { amountOf } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { useLatest } from '../../ui/store.ts'
import { dayOf, useMinute } from '../../ui/time.tsx'
import { type TalkEntry, useEntries } from './entries.ts'
import { OneEntry } from './entry.tsx'
import css from './talk.module.css'

export type TalkProps = {
  instance: string
  total: number
  /** The entry to show first; undefined for the end. */
  at: number | undefined
  members: readonly string[]
  onReply: (entry: TalkEntry) => void
}

export function Talk({ instance, total, at, members, onReply }: TalkProps) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const held = useEntries(instance, at)
  const { entries, isKnown, error, hasOlder, older, newer, newest, again } = held
  const last = entries.at(-1)?.seq ?? 0
  const isWhole = isKnown && last >= total
  const onBottom = useCallback(() => {
    if (!isWhole) newer()
  }, [isWhole, newer])
  const keys = useMemo(() => entries.map(({ id }) => id), [entries])
  const { rows, register } = useRows()
  const { isAtEnd, toEnd, onScroll } = useAnchored(
    { box, content, keys, rows },
    { onTop: older, onBottom, isWhole, beginsAtEnd: at === undefined },
  )
  const fresh = useFresh({ total, isRead: isAtEnd && isWhole, isKnown })
  // If the reader is at the end, new entries are loaded immediately.
  useEffect(() => {
    if (isKnown && isAtEnd && last < total && error === null) newer()
  }, [isKnown, isAtEnd, last, total, newer, error])
  const goToEnd = () => {
    if (!isWhole) newest()
    toEnd()
  }
  const command = { group: 'Channel', run: goToEnd }
  useCommands([
    { title: 'Jump to latest', keys: 'l', ...command },
    { title: 'Newest messages', keys: '.', ...command },
    { title: 'Newest messages', keys: 'End', ...command },
  ])
  useShownFirst(rows, entries.find(({ seq }) => seq === at)?.id, onScroll)
  const now = useMinute()
  const days = useMemo(() => daysOf(entries, now), [entries, now])
  const bySeq = useMemo(() => new Map(entries.map((one) => [one.id, one])), [entries])
  return (
    <div className={css.around}>
      <div
        ref={box}
        className={css.scroll}
        onScroll={onScroll}
        role="log"
        aria-label="Messages"
        aria-live="off"
        aria-busy={!isKnown && error === null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
        tabIndex={0}
      >
        <div ref={content} className={css.talk}>
          {error !== null && entries.length > 0 ? (
            <p className={css.failed} role="alert">
              {`Couldn’t load more: ${error.message}.`} <Button onClick={again}>Try again</Button>
            </p>
          ) : hasOlder ? (
            <p className={css.further}>Loading older messages…</p>
          ) : null}
          {isKnown || error !== null ? null : <Skeleton again={again} />}
          {days.map(({ key, label, entries: own }) => (
            <section key={key} aria-label={label}>
              <h3 className={css.day}>{label}</h3>
              <ol>
                {own.map((entry) => (
                  <li key={entry.id} ref={register} data-entry={entry.id} data-seq={entry.seq}>
                    <OneEntry
                      entry={entry}
                      isShown={entry.seq === at}
                      answered={entry.reply_to === null ? undefined : bySeq.get(entry.reply_to)}
                      members={members}
                      onReply={onReply}
                    />
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </div>
      </div>
      {error !== null && entries.length === 0 ? (
        <div className={css.empty} role="alert">
          <p>{`Couldn’t load the channel: ${error.message}.`}</p>
          <Button onClick={again}>Try again</Button>
        </div>
      ) : null}
      {isKnown && !isAtEnd ? (
        <Button look={fresh > 0 ? 'ink' : 'plain'} icon={ArrowDown} onClick={goToEnd} hint="End">
          {fresh === 0 ? 'Newest' : amountOf(fresh, 'new message')}
        </Button>
      ) : null}
      <Spoken entry={isAtEnd ? entries.at(-1) : undefined} />
    </div>
  )
}

function useRows() {
  const rows = useRef(new Map<string, HTMLElement>())
  const register = useCallback((row: HTMLElement | null) => {
    const id = row?.dataset.entry
    if (row == null || id === undefined) return
    rows.current.set(id, row)
    return () => {
      if (rows.current.get(id) === row) rows.current.delete(id)
    }
  }, [])
  return { rows, register }
}

type Freshness = { total: number; isRead: boolean; isKnown: boolean }

/** How many messages arrived since the person was last at the end. */
function useFresh({ total, isRead, isKnown }: Freshness): number {
  const [seen, setSeen] = useState<number>()
  useEffect(() => {
    if (isRead || (isKnown && seen === undefined)) setSeen(total)
  }, [isRead, isKnown, seen, total])
  return seen === undefined ? 0 : Math.max(0, total - seen)
}

/** Scrolls once to the entry that the URL points to. */
function useShownFirst(
  rows: React.RefObject<ReadonlyMap<string, HTMLElement>>,
  id: string | undefined,
  onScroll: () => void,
): void {
  const done = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (id === undefined || done.current === id) return
    const found = rows.current.get(id)
    if (found === undefined) return
    done.current = id
    found.scrollIntoView({ block: 'center' })
    // Record the position now: entries may be added above before the browser fires its scroll event.
    onScroll()
  })
}

/** Lets screen readers announce each new entry once, and no earlier entries. */
function Spoken({ entry }: { entry: TalkEntry | undefined }) {
  const called = useDisplayName()
  const first = useRef(entry?.seq)
  first.current ??= entry?.seq
  const isNew = entry !== undefined && entry.seq !== first.current
  return (
    <p className="spoken" role="status">
      {isNew ? `${called(entry.from)}: ${entry.message.slice(0, 300)}` : ''}
    </p>
  )
}

type TalkDay = { key: string; label: string; entries: TalkEntry[] }

function daysOf(entries: readonly TalkEntry[], now: number): TalkDay[] {
  const days: TalkDay[] = []
  for (const entry of entries) {
    const at = new Date(entry.timestamp)
    const key = at.toDateString()
    if (days.at(-1)?.key === key) days.at(-1)?.entries.push(entry)
    else days.push({ key, label: headingOf(at, now), entries: [entry] })
  }
  return days
}

/** Each day has its own heading, no matter how long ago it was. */
function headingOf(at: Date, now: number): string {
  const day = dayOf(at, now)
  if (day === 'Today' || day === 'Yesterday') return day
  return at.toLocaleDateString(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(at.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }),
  })
}

// While content is added above or below, the text in view stays in the same place. A reader at the end stays at the
// end.

/** A scroll position within this many pixels of the end counts as being at the end. */
const END = 80
/** More entries are fetched when an edge is within this many pixels. */
const NEAR = 900

type Anchor = { key: string; from: number }

type ReadingPlace = {
  isAtEnd: boolean
  toEnd: () => void
  onScroll: () => void
}

type Edges = {
  onTop: () => void
  onBottom: () => void
  /** Whether the end of the box is also the end of the channel. Following can only start there. */
  isWhole: boolean
  beginsAtEnd: boolean
}

type Boxes = {
  box: RefObject<HTMLElement | null>
  content: RefObject<HTMLElement | null>
  keys: readonly string[]
  rows: RefObject<ReadonlyMap<string, HTMLElement>>
}

function useAnchored(
  { box, content, keys, rows }: Boxes,
  { onTop, onBottom, isWhole, beginsAtEnd }: Edges,
): ReadingPlace {
  const [isAtEnd, setAtEnd] = useState(beginsAtEnd)
  const follows = useRef(beginsAtEnd)
  const anchor = useRef<Anchor>(null)
  const latestKeys = useLatest(keys)

  const look = useCallback(() => {
    const { current } = box
    // A hidden box has no height. It'll have the same scroll position when it's shown again.
    if (current === null || current.clientHeight === 0) return
    const left = current.scrollHeight - current.clientHeight - current.scrollTop
    // Following continues until the reader scrolls away, even while more entries are loading.
    follows.current = left <= END && (isWhole || follows.current)
    setAtEnd(follows.current)
    anchor.current = findAnchor(latestKeys.current, rows.current, current.scrollTop)
    if (current.scrollTop < NEAR) onTop()
    if (left < NEAR) onBottom()
  }, [box, rows, latestKeys, onTop, onBottom, isWhole])

  const hold = useCallback(() => {
    const { current } = box
    if (current === null || current.clientHeight === 0) return
    if (follows.current) current.scrollTop = current.scrollHeight
    else if (anchor.current !== null) {
      const { key, from } = anchor.current
      const row = rows.current.get(key)
      if (row !== undefined) current.scrollTop = row.offsetTop - from
    }
  }, [box, rows])

  // Holds the position after each render. The observer below does the same when the content's height changes.
  useLayoutEffect(hold)
  // A layout effect, so an observer from the previous render can't run with the old `isWhole`.
  useLayoutEffect(() => {
    const [inner, outer] = [content.current, box.current]
    if (inner === null || outer === null) return
    const watcher = new ResizeObserver(() => {
      hold()
      look()
    })
    watcher.observe(inner)
    watcher.observe(outer)
    return () => watcher.disconnect()
  }, [content, box, hold, look])

  const toEnd = useCallback(() => {
    follows.current = true
    hold()
    look()
  }, [hold, look])
  return { isAtEnd, toEnd, onScroll: look }
}

function findAnchor(
  keys: readonly string[],
  rows: ReadonlyMap<string, HTMLElement>,
  top: number,
): Anchor | null {
  for (const key of keys) {
    const row = rows.get(key)
    if (row !== undefined && row.offsetTop + row.offsetHeight > top) {
      return { key, from: row.offsetTop - top }
    }
  }
  return null
}
