// The one registry of what a person can do with a key: the keys, the buttons' hints, the palette and the sheet of help
// all read it. A screen hands over its commands while it is shown.

import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore, useStore } from './store.ts'

export type KeyCommand = {
  /** The words in the palette and on the sheet. */
  title: string
  /**
   * One key as the keyboard names it, or two in a row: `g a`. With Ctrl, or what Apple's keyboards have: `Mod+a`. Empty:
   * only the palette has it.
   */
  keys: string
  /** The heading under which the sheet lists it. */
  group: string
  run: () => void
  /** The sign before it in the palette. */
  icon?: LucideIcon
  /** Whether a key that is held down repeats it. Only movement does. */
  repeats?: true
  /** Why it cannot be done just now; it is listed all the same. */
  disabled?: string | undefined
  /** Whether it wins where another has its key, whichever came last. */
  isFirst?: true
  /** The palette does not list the command that opens it, or what it lists by itself. */
  isPalette?: true
}

/** The heading of the ways to screens. */
export const GO_TO = 'Go to'

const SEQUENCE_MS = 800
const scopes: (readonly KeyCommand[])[] = []
const listed = createStore<readonly KeyCommand[]>([])
const pending = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Single keys can be switched off, for people whose voice or switch would press them by accident. The browser remembers
 * it, so that no key acts while the settings are still on their way.
 */
const KEYS_SETTING = 'keys'

/** Letters and signs, alone or the first of two, and the keys that delete. */
const SINGLE = /^([!-~]|Delete|Backspace)( |$)/

export function rememberSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(KEYS_SETTING)
  else localStorage.setItem(KEYS_SETTING, 'off')
  changed()
}

/** Whether these keys do anything; those that do not are shown nowhere. */
export function isOn(keys: string): boolean {
  return !SINGLE.test(keys) || localStorage.getItem(KEYS_SETTING) !== 'off'
}

export function useIsOn(keys: string): boolean {
  return useSyncExternalStore(listed.watch, () => isOn(keys))
}

/** The key that is shown for taking something back. */
export function useUndoKey(): string {
  return useIsOn('z') ? 'z' : 'Mod+z'
}

function changed(): void {
  listed.set(scopes.flat())
}

/** The commands of a part of the page, as long as it is there. The latest wins where two have one key. */
export function useCommands(commands: readonly KeyCommand[]): void {
  useEffect(() => {
    scopes.push(commands)
    changed()
    return () => {
      scopes.splice(scopes.indexOf(commands), 1)
      changed()
    }
  }, [commands])
}

export function useAllCommands(): readonly KeyCommand[] {
  return useStore(listed)
}

/** Does what a key does, for a button that stands for it elsewhere on the page. */
export function press(wanted: string): void {
  const found = listed.get().findLast(({ keys }) => keys === wanted)
  if (found?.disabled === undefined) found?.run()
}

/** The first of two keys, while the second is waited for; else empty. */
export function usePendingKey(): string {
  return useStore(pending)
}

export function listenForKeys(): () => void {
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  // Shift alone is no key yet: the letter comes with it.
  if (event.altKey || ['Shift', 'Control', 'Meta'].includes(event.key)) return
  if (
    document.querySelector('dialog[open], [role=dialog], [role=alertdialog], [role=menu]') !== null
  )
    return
  const isWithCommand = event.ctrlKey || event.metaKey
  const key = isWithCommand ? `Mod+${event.key.toLowerCase()}` : event.key
  // Escape, Enter and the arrows are nothing that a voice could say by accident.
  if (!isOn(key)) return
  const before = pending.get()
  const typed = before === '' ? key : `${before} ${key}`
  const known = listed.get().filter(({ keys }) => keys === typed)
  const found = known.find(({ isFirst }) => isFirst) ?? known.at(-1)
  forgetPending()
  if (found !== undefined) {
    if (event.repeat && !found.repeats) return
    event.preventDefault()
    if (found.disabled === undefined) found.run()
    return
  }
  if (listed.get().some(({ keys }) => keys.startsWith(`${key} `))) {
    pending.set(key)
    timer = setTimeout(forgetPending, SEQUENCE_MS)
  }
}

function forgetPending(): void {
  clearTimeout(timer)
  if (pending.get() !== '') pending.set('')
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
  )
}
