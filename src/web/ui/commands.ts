// The registry of commands: keys, button hints, the palette and the help sheet all read it. A screen registers its
// commands while it is shown.

import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore, useLatest, useStore } from './store.ts'

export type KeyCommand = {
  /** Its name in the palette and on the help sheet. */
  title: string
  /**
   * One key, named as in `KeyboardEvent.key`, or two in sequence: `g a`. `Mod+a` is A with Ctrl, or with ⌘ on an Apple
   * keyboard. Empty if the command is only in the palette.
   */
  keys: string
  /** The heading it's listed under on the help sheet. */
  group: string
  run: () => void
  /** Its icon in the palette. */
  icon?: LucideIcon
  /** Whether holding the key down repeats the command. Only movement commands repeat. */
  repeats?: true
  /** Why the command can't run right now. It's still listed. */
  disabled?: string | undefined
  /** Wins over other commands with the same key, even newer ones. */
  isFirst?: true
  /** Not listed in the palette, because it opens the palette or the palette lists it anyway. */
  isPalette?: true
}

/** The group of commands that open screens. */
export const GO_TO = 'Go to'

const SEQUENCE_MS = 800
const scopes: (readonly KeyCommand[])[] = []
const listed = createStore<readonly KeyCommand[]>([])
const pending = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Single-key shortcuts can be turned off for people whose voice or switch control could trigger them by accident. Also
 * stored in the browser, so that it applies even before the settings have loaded.
 */
const KEYS_SETTING = 'keys'

/** Matches a printable character, alone or as the first of two keys, and the keys that delete. */
const SINGLE = /^([!-~]|Delete|Backspace)( |$)/

export function rememberSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(KEYS_SETTING)
  else localStorage.setItem(KEYS_SETTING, 'off')
  changed()
}

/** Whether this shortcut is active. Inactive shortcuts aren't shown. */
export function isOn(keys: string): boolean {
  return !SINGLE.test(keys) || localStorage.getItem(KEYS_SETTING) !== 'off'
}

export function useIsOn(keys: string): boolean {
  return useSyncExternalStore(listed.watch, () => isOn(keys))
}

/** The key shown for undo. */
export function useUndoKey(): string {
  return useIsOn('z') ? 'z' : 'Mod+z'
}

function changed(): void {
  listed.set(scopes.flat())
}

/**
 * Registers commands while a component is mounted. If two have the same key, the latest wins. The objects can be new in
 * each render: commands are registered again only if more than `run` changes, and the latest `run` is used.
 */
export function useCommands(commands: readonly KeyCommand[]): void {
  const latest = useLatest(commands)
  const shown = JSON.stringify(commands)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the commands show says whether they differ
  useEffect(() => {
    const scope = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find((one) => isSame(one, command))?.run(),
    }))
    scopes.push(scope)
    changed()
    return () => {
      scopes.splice(scopes.indexOf(scope), 1)
      changed()
    }
  }, [shown, latest])
}

function isSame(one: KeyCommand, other: KeyCommand): boolean {
  return one.keys === other.keys && one.title === other.title
}

export function useAllCommands(): readonly KeyCommand[] {
  return useStore(listed)
}

/** Lets a button elsewhere on the page run the command for a key. */
export function press(wanted: string): void {
  const found = listed.get().findLast(({ keys }) => keys === wanted)
  if (found?.disabled === undefined) found?.run()
}

/** The first key of a sequence while the second is expected; otherwise empty. */
export function usePendingKey(): string {
  return useStore(pending)
}

export function listenForKeys(): () => void {
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  // A modifier alone isn't a shortcut yet: the key that it modifies follows.
  if (event.altKey || ['Shift', 'Control', 'Meta'].includes(event.key)) return
  if (
    document.querySelector('dialog[open], [role=dialog], [role=alertdialog], [role=menu]') !== null
  )
    return
  const isWithCommand = event.ctrlKey || event.metaKey
  const key = isWithCommand ? `Mod+${event.key.toLowerCase()}` : event.key
  // Escape, Enter and the arrows always work, because speech can't trigger them by accident.
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
