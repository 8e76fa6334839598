// Toasts are short messages about what was done, with Undo if it can be undone. They're in live regions for screen
// readers. Pointing at a toast keeps it from disappearing.

import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { type KeyCommand, useCommands, useUndoKey } from './commands.ts'
import { createStore, useStore } from './store.ts'
import css from './toasts.module.css'

type Toast = {
  id: string
  text: string
  more?: string
  /** Undoes the action until the given time. With `stays`, the undo key still works after the toast is gone. */
  undo?: { run: () => void; until: number; stays?: true }
  /** Opens what the toast is about; ⇧N does the same. */
  open?: { run: () => void }
  /** Something the person can do about it. The toast stays until they do it or dismiss the toast. */
  action?: { title: string; run: () => void }
  isFailure?: boolean
}

const SHOWN_MS = 10_000
const MOST = 3
/** Enough for someone to restore twenty items that they trashed by mistake. */
const MOST_UNDOS = 50
const toasts = createStore<readonly Toast[]>([])
const undos = createStore<readonly Toast[]>([])

export function showToast(toast: Toast): void {
  const isOther = ({ id }: Toast) => id !== toast.id
  const added = toast.undo === undefined ? [] : [toast]
  undos.set([...undos.get().filter(isOther), ...added].slice(-MOST_UNDOS))
  toasts.set([...toasts.get().filter(isOther), toast].slice(-MOST))
}

export function dismissToast(id: string): void {
  undos.set(undos.get().filter((toast) => toast.id !== id))
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

/** Removes a toast when its time is up. The undo key still works if `stays` is set. */
function expireToast(id: string): void {
  undos.set(undos.get().filter((toast) => toast.id !== id || toast.undo?.stays))
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const shown = useStore(toasts)
  const undo = useStore(undos).at(-1)?.undo
  const open = shown.findLast(({ open }) => open !== undefined)?.open
  const command = (title: string, keys: string, run: () => void): KeyCommand => {
    return { title, keys, group: 'Everywhere', run, isFirst: true }
  }
  useCommands(
    undo === undefined ? [] : ['z', 'Mod+z'].map((keys) => command('Undo', keys, undo.run)),
  )
  useCommands(open === undefined ? [] : [command('Next item that needs you', 'N', open.run)])
  return (
    <div className={css.region}>
      {['status', 'alert'].map((role) => (
        <div key={role} role={role}>
          {shown
            .filter(({ isFailure = false }) => isFailure === (role === 'alert'))
            .map((one) => (
              <Toast key={one.id} toast={one} />
            ))}
        </div>
      ))}
    </div>
  )
}

function Toast({ toast: { id, text, more, undo, open, action } }: { toast: Toast }) {
  const ms = undo === undefined ? SHOWN_MS : Math.max(0, undo.until - Date.now())
  const [isHeld, setHeld] = useState(false)
  const undoKey = useUndoKey()
  // The server limits how long a decision can be undone, so hovering can't extend that time.
  const canHold = undo === undefined || undo.stays === true
  const stays = action !== undefined || (isHeld && canHold)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => expireToast(id), ms)
    return () => clearTimeout(timer)
  }, [id, ms, stays])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it in sight
    <div
      className={css.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={css.words}>
        <p className="break medium">{text}</p>
        {more === undefined ? null : <p className="meta quiet">{more}</p>}
      </div>
      {open === undefined ? null : (
        <Button hint="N" onClick={open.run}>
          Open
        </Button>
      )}
      {action === undefined ? null : <Button onClick={action.run}>{action.title}</Button>}
      {undo === undefined ? (
        <Button look="quiet" label="Dismiss" icon={X} onClick={() => dismissToast(id)} />
      ) : (
        <Button hint={undoKey} onClick={undo.run}>
          Undo
        </Button>
      )}
    </div>
  )
}
