// The keys of the inbox's list.

import { type RefObject, useMemo } from 'react'
import { type KeyCommand, useCommands } from '../../ui/commands.ts'
import type { Hands } from './list-hands.ts'

export type ListKeys = {
  hands: Hands
  isUnreadOnly: boolean
  setUnreadOnly: (isSo: boolean) => void
  snooze: () => void
  search: () => void
  showNew: () => void
  /** Leaves the innermost of what the person is in. */
  escape: () => void
}

/** The commands stay the same objects, so that a step through the list does not change the registry. */
export function useListCommands(latest: RefObject<ListKeys>): void {
  useCommands(useMemo(() => [...moving(latest), ...handling(latest)], [latest]))
}

function moving(latest: RefObject<ListKeys>): KeyCommand[] {
  const group = 'Lists'
  const move = (title: string, keys: string, step: number): KeyCommand => ({
    ...{ title, keys, group, repeats: true, run: () => latest.current.hands.move(step) },
  })
  const to = (title: string, keys: string, place: () => number): KeyCommand => ({
    ...{ title, keys, group, run: () => void latest.current.hands.goTo(place()) },
  })
  const last = () => Number.POSITIVE_INFINITY
  return [
    move('Next', 'j', 1),
    move('Next', 'ArrowDown', 1),
    move('Previous', 'k', -1),
    move('Previous', 'ArrowUp', -1),
    to('First', 'Home', () => 0),
    to('First', 'g g', () => 0),
    to('Last', 'End', last),
    to('Last', 'G', last),
    { title: 'Into the message', keys: 'o', group, run: focusOpened },
    // A button under the focus has this key for itself, so the list hears it on its rows alone.
    { title: 'Page through the message', keys: 'Space', group, run: () => pageOpened(1) },
    {
      ...{ title: 'Next, from within the message', keys: ']', group },
      run: () => latest.current.hands.move(1, false),
    },
    {
      ...{ title: 'Previous, from within the message', keys: '[', group },
      run: () => latest.current.hands.move(-1, false),
    },
    { title: 'Search the inbox', keys: '/', group, run: () => latest.current.search() },
    { title: 'Show what is new', keys: '.', group, run: () => latest.current.showNew() },
    { title: 'Back', keys: 'Escape', group, run: () => latest.current.escape() },
  ]
}

function handling(latest: RefObject<ListKeys>): KeyCommand[] {
  const group = 'Inbox'
  const hands = () => latest.current.hands
  const away = () => hands().away()
  return [
    { title: 'Read or unread', keys: 'u', group, run: () => hands().toggleRead() },
    { title: 'Read, and next', keys: 'e', group, run: () => hands().readAndNext() },
    { title: 'Snooze', keys: 'h', group, run: () => latest.current.snooze() },
    { title: 'Move to trash', keys: 'Delete', group, run: away },
    { title: 'Move to trash', keys: 'Backspace', group, run: away },
    { title: 'Move to trash', keys: '#', group, run: away },
    {
      ...{ title: 'Unread only', keys: 'U', group },
      run: () => latest.current.setUnreadOnly(!latest.current.isUnreadOnly),
    },
    { title: 'Select', keys: 'x', group, run: () => hands().choose(hands().selected()) },
    {
      ...{ title: 'Select with the next', keys: 'J', group, repeats: true },
      run: () => hands().extend(1),
    },
    {
      ...{ title: 'Select with the previous', keys: 'K', group, repeats: true },
      run: () => hands().extend(-1),
    },
    { title: 'Select all that is loaded', keys: 'Mod+a', group, run: () => hands().chooseLoaded() },
  ]
}

/** The title of the opened message takes the focus; from there Escape leads back. */
export function focusOpened(): void {
  document.getElementById('item-title')?.focus()
}

/** Scrolls the opened message by what is seen of it. */
export function pageOpened(step: number): void {
  let box = document.getElementById('item-title')?.parentElement
  while (box && box.scrollHeight <= box.clientHeight) box = box.parentElement
  box?.scrollBy({ top: step * box.clientHeight * 0.9 })
}
