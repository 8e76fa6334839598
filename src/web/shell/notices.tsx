// Short notices about what was done, with the way back where there is one. They stand in one region that readers of the
// screen hear; whoever needs longer stops the clock by pointing at it.

import { X } from 'lucide-react'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { useCommands } from './commands.ts'
import css from './notices.module.css'

export type Notice = {
  id: string
  text: string
  more?: string
  /** What takes it back, until when. */
  undo?: { run: () => void; until: number }
  isFailure?: boolean
}

const SHOWN_MS = 10_000
const MOST = 3
let notices: readonly Notice[] = []
const watchers = new Set<() => void>()

function set(next: readonly Notice[]): void {
  notices = next
  for (const watcher of watchers) watcher()
}

export function notify(notice: Notice): void {
  set([...notices.filter(({ id }) => id !== notice.id), notice].slice(-MOST))
}

export function dismiss(id: string): void {
  set(notices.filter((notice) => notice.id !== id))
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function Notices() {
  const shown = useSyncExternalStore(watch, () => notices)
  const undoable = shown.findLast(({ undo }) => undo !== undefined)
  useCommands(
    useMemo(
      () =>
        undoable?.undo === undefined
          ? []
          : [
              {
                title: 'Undo',
                keys: 'z',
                group: 'Everywhere',
                run: undoable.undo.run,
                isFirst: true,
              },
            ],
      [undoable],
    ),
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

function One({ notice: { id, text, more, undo } }: { notice: Notice }) {
  const ms = undo === undefined ? SHOWN_MS : Math.max(0, undo.until - Date.now())
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), ms)
    return () => clearTimeout(timer)
  }, [id, ms])
  return (
    <div className={css.notice}>
      <div className={css.words}>
        <p className={css.text}>{text}</p>
        {more === undefined ? null : <p className={css.more}>{more}</p>}
      </div>
      {undo === undefined ? (
        <Button look="quiet" label="Dismiss" icon={X} onClick={() => dismiss(id)} />
      ) : (
        <Button hint="z" onClick={undo.run}>
          Undo
        </Button>
      )}
    </div>
  )
}
