import { type KeyCommand, useCommands } from '../../ui/commands.ts'
import type { ListControl } from './control.ts'

export type ListKeys = {
  control: ListControl
  isUnreadOnly: boolean
  setUnreadOnly: (isOn: boolean) => void
  snooze: () => void
  search: () => void
  showNew: () => void
  /** Backs out of one level: the selection, the open item or the search. */
  escape: () => void
}

export function useListCommands(keys: ListKeys): void {
  useCommands([...movingCommands(keys), ...rowCommands(keys)])
}

function movingCommands({ control, search, showNew, escape: leave }: ListKeys): KeyCommand[] {
  const group = 'Lists'
  const move = (title: string, keys: string, step: number): KeyCommand => {
    return { title, keys, group, repeats: true, run: () => control.move(step) }
  }
  const first = () => void control.goToFirst()
  const last = () => void control.goToLast()
  return [
    move('Next', 'j', 1),
    move('Next', 'ArrowDown', 1),
    move('Previous', 'k', -1),
    move('Previous', 'ArrowUp', -1),
    { title: 'First', keys: 'Home', group, run: first },
    { title: 'First', keys: 'g g', group, run: first },
    { title: 'Last', keys: 'End', group, run: last },
    { title: 'Last', keys: 'G', group, run: last },
    { title: 'Go to the message', keys: 'o', group, run: focusOpened },
    // A focused button uses this key itself, so the list handles it only on its rows.
    { title: 'Scroll the message', keys: 'Space', group, run: () => pageOpened(1) },
    { title: 'Next message (while reading)', keys: ']', group, run: () => control.move(1, false) },
    {
      title: 'Previous message (while reading)',
      keys: '[',
      group,
      run: () => control.move(-1, false),
    },
    { title: 'Search the inbox', keys: '/', group, run: search },
    { title: 'Show new messages', keys: '.', group, run: showNew },
    { title: 'Back', keys: 'Escape', group, run: leave },
  ]
}

function rowCommands({ control, isUnreadOnly, setUnreadOnly, snooze }: ListKeys): KeyCommand[] {
  const group = 'Inbox'
  const putAway = () => control.putAway()
  const extend = (title: string, keys: string, step: number): KeyCommand => {
    return { title, keys, group, repeats: true, run: () => control.chooseAndMove(step) }
  }
  const chooseLoaded = () => control.chooseLoaded()
  return [
    { title: 'Mark as read or unread', keys: 'u', group, run: () => control.toggleRead() },
    { title: 'Mark as read and go to next', keys: 'e', group, run: () => control.readAndNext() },
    { title: 'Snooze', keys: 'h', group, run: snooze },
    { title: 'Move to trash', keys: 'Delete', group, run: putAway },
    { title: 'Move to trash', keys: 'Backspace', group, run: putAway },
    { title: 'Move to trash', keys: '#', group, run: putAway },
    { title: 'Unread only', keys: 'U', group, run: () => setUnreadOnly(!isUnreadOnly) },
    { title: 'Select', keys: 'x', group, run: () => control.chooseSelected() },
    extend('Extend selection down', 'J', 1),
    extend('Extend selection up', 'K', -1),
    { title: 'Select all loaded messages', keys: 'Mod+a', group, run: chooseLoaded },
  ]
}

/** Moves the focus to the title of the opened message. Escape moves it back to the list. */
export function focusOpened(): void {
  document.getElementById('item-title')?.focus()
}

/** Scrolls the opened message by most of its visible height. */
export function pageOpened(step: number): void {
  let box = document.getElementById('item-title')?.parentElement
  while (box && box.scrollHeight <= box.clientHeight) box = box.parentElement
  box?.scrollBy({ top: step * box.clientHeight * 0.9 })
}
