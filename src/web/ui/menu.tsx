// A menu over the page, beside the element it belongs to, or at the bottom of the screen on a phone. It's a native
// dialog, which traps the focus and restores it when closed.

import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import css from './menu.module.css'

type MenuProps = {
  label: string
  /** The element the menu belongs to. Without one, the menu is centered. */
  beside?: Element | null | undefined
  onClose: () => void
  children: ReactNode
}

export function Menu({ label, beside, onClose, children }: MenuProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (current === null || current.open) return
    current.showModal()
    const box = beside?.getBoundingClientRect()
    if (box === undefined) return
    const { offsetWidth, offsetHeight } = current
    const left = Math.max(8, Math.min(box.left, innerWidth - 8 - offsetWidth))
    const top = Math.min(box.bottom + 4, innerHeight - offsetHeight - 8)
    current.style.setProperty('--left', `${left}px`)
    current.style.setProperty('--top', `${Math.max(8, top)}px`)
    current.dataset.placed = 'true'
  }, [beside])
  return (
    <dialog
      ref={dialog}
      className={css.menu}
      aria-label={label}
      onClose={onClose}
      onKeyDown={moveFocus}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      {children}
    </dialog>
  )
}

type ItemProps = {
  icon: LucideIcon
  hint?: string | undefined
  isOn?: boolean | undefined
  onClick: () => void
  children: ReactNode
}

export function MenuItem({ icon: Icon, hint, isOn, onClick, children }: ItemProps) {
  return (
    <button
      type="button"
      className={css.item}
      aria-pressed={isOn}
      onClick={({ currentTarget }) => {
        currentTarget.closest('dialog')?.close()
        onClick()
      }}
    >
      <Icon size={16} aria-hidden />
      <span className={css.title}>{children}</span>
      {hint === undefined ? null : <span className="rigid quiet">{hint}</span>}
    </button>
  )
}

export const menuCss = css

function moveFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLButtonElement)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(event.target)
  event.preventDefault()
  all[(at + step + all.length) % all.length]?.focus()
}
