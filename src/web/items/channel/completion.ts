import { type RefObject, useState } from 'react'

const BEGUN = /(?:^|[^\w@])@([a-zA-Z0-9_-]*)$/
const MOST = 8

export type Completion = {
  /** Empty unless a mention is being typed. */
  names: readonly string[]
  chosen: number
  look: () => void
  close: () => void
  onKey: (key: string, choose: (name: string) => void) => boolean
}

export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  all: readonly string[],
): Completion {
  const [begun, setBegun] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const look = () => {
    const { current } = field
    if (current === null) return
    const before = current.value.slice(0, current.selectionStart)
    setBegun(BEGUN.exec(before)?.[1] ?? null)
    setAt(0)
  }
  const close = () => setBegun(null)
  const isBegun = begun !== null && text.includes('@')
  const names = isBegun
    ? all.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, MOST)
    : []
  const chosen = Math.min(at, Math.max(0, names.length - 1))
  const onKey = (key: string, choose: (name: string) => void) => {
    const name = names[chosen]
    // If the name is complete, Enter sends the message.
    if (name === undefined || (key === 'Enter' && name === begun)) return false
    if (key === 'ArrowDown') setAt((chosen + 1) % names.length)
    else if (key === 'ArrowUp') setAt((chosen + names.length - 1) % names.length)
    else if (key === 'Escape') close()
    else if (key === 'Tab' || key === 'Enter') choose(name)
    else return false
    return true
  }
  return { names, chosen, look, close, onKey }
}

export function completeMention(
  text: string,
  caret: number,
  name: string,
): { text: string; at: number } {
  const before = text.slice(0, caret)
  const begun = BEGUN.exec(before)?.[1] ?? ''
  const start = before.slice(0, before.length - begun.length) + name
  const after = text.slice(caret)
  const gap = after.startsWith(' ') ? '' : ' '
  return { text: start + gap + after, at: start.length + 1 }
}
