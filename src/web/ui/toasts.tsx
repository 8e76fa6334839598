// Short notices about what was done, with the way back where there is one. They stand in one region that readers of the
// screen hear; whoever needs longer stops the clock by pointing at it.

import { X } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { useCommands, useUndoKey } from './commands.ts'
import css from './toasts.module.css'

export type Notice = {
  id: string
  text: string
  more?: string
  /** The action that takes it back, and until when. One that stays works by its key after the notice has gone. */
  undo?: { run: () => void; until: number; stays?: true }
  /** Leads to what it speaks of; ⇧N does the same. */
  open?: { run: () => void }
  /** A thing to do about it. Such a notice stays until it is done or dismissed. */
  action?: { title: string; run: () => void }
  isFailure?: boolean
}

const SHOWN_MS = 10_000
const MOST = 3
/** A person who has put away twenty things by mistake can bring all of them back. */
const MOST_UNDOS = 50
let notices: readonly Notice[] = []
let undos: readonly Notice[] = []
const watchers = new Set<() => void>()

function set(next: readonly Notice[]): void {
  notices = next
  for (const watcher of watchers) watcher()
}

export function notify(notice: Notice): void {
  const isOther = ({ id }: Notice) => id !== notice.id
  const added = notice.undo === undefined ? [] : [notice]
  undos = [...undos.filter(isOther), ...added].slice(-MOST_UNDOS)
  set([...notices.filter(isOther), notice].slice(-MOST))
}

export function dismiss(id: string): void {
  undos = undos.filter((notice) => notice.id !== id)
  set(notices.filter((notice) => notice.id !== id))
}

/** The time of a notice is over. */
function expire(id: string): void {
  undos = undos.filter((notice) => notice.id !== id || notice.undo?.stays)
  set(notices.filter((notice) => notice.id !== id))
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function Notices() {
  const shown = useSyncExternalStore(watch, () => notices)
  const undo = useSyncExternalStore(watch, () => undos.at(-1)?.undo)
  const openable = shown.findLast(({ open }) => open !== undefined)
  useCommands(
    useMemo(
      () =>
        undo === undefined
          ? []
          : ['z', 'Mod+z'].map((keys) => ({
              title: 'Undo',
              keys,
              group: 'Everywhere',
              run: undo.run,
              isFirst: true as const,
            })),
      [undo],
    ),
  )
  useCommands(
    useMemo(() => {
      if (openable?.open === undefined) return []
      const { run } = openable.open
      return [{ title: 'Next that needs you', keys: 'N', group: 'Everywhere', run, isFirst: true }]
    }, [openable]),
  )
  return (
    <div className={css.region}>
      <div role="status">
        {shown
          .filter(({ isFailure }) => !isFailure)
          .map((one) => (
            <One key={one.id} notice={one} />
          ))}
      </div>
      <div role="alert">
        {shown
          .filter(({ isFailure }) => isFailure)
          .map((one) => (
            <One key={one.id} notice={one} />
          ))}
      </div>
    </div>
  )
}

function One({ notice: { id, text, more, undo, open, action } }: { notice: Notice }) {
  const ms = undo === undefined ? SHOWN_MS : Math.max(0, undo.until - Date.now())
  const [isHeld, setHeld] = useState(false)
  const undoKey = useUndoKey()
  // The time of a decision runs out at the server, whoever points at it.
  const canHold = undo === undefined || undo.stays === true
  const stays = action !== undefined || (isHeld && canHold)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => expire(id), ms)
    return () => clearTimeout(timer)
  }, [id, ms, stays])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only stops its clock
    <div
      className={css.notice}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={css.words}>
        <p className={css.text}>{text}</p>
        {more === undefined ? null : <p className={css.more}>{more}</p>}
      </div>
      {open === undefined ? null : (
        <Button hint="N" onClick={open.run}>
          Open
        </Button>
      )}
      {action === undefined ? null : <Button onClick={action.run}>{action.title}</Button>}
      {undo === undefined ? (
        <Button look="quiet" label="Dismiss" icon={X} onClick={() => dismiss(id)} />
      ) : (
        <Button hint={undoKey} onClick={undo.run}>
          Undo
        </Button>
      )}
    </div>
  )
}
