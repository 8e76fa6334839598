// Reads and changes the choices in a screen's address. Anyone can write an address, so a screen uses only values that
// it knows and the server accepts, and ignores all others.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isName } from '../../core/agents/agent.ts'

/** The parts of an address, each of which may be missing. */
export type SearchParts<T> = { [Key in keyof T]?: T[Key] | undefined }

export type GivenSearch = Record<string, unknown>

/**
 * Makes the hook that reads and changes a screen's address. An item can also be open at another screen's address, so a
 * change keeps the parts that `read` doesn't know.
 */
export function makeSearch<Search extends object>(read: (given: GivenSearch) => Search) {
  return function useScreenSearch(): [Search, (change: Partial<Search>) => void] {
    const given: GivenSearch = useSearch({ strict: false })
    const search = useMemo(() => read(given), [given])
    const navigate = useNavigate()
    const change = (next: Partial<Search>) => {
      const changed = (before: object) => ({ ...before, ...next })
      void navigate({ to: '.', search: changed as never, replace: true })
    }
    return [search, change]
  }
}

/** Reads a string, cut to what the server accepts. Accepts numbers, because digits are parsed as a number. */
export function textIn(value: unknown, most = 200): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).replaceAll('\0', '').slice(0, most).toWellFormed()
  return text.trim() === '' ? undefined : text
}

export function idIn(value: unknown): string | undefined {
  return textIn(value, 128)
}

export function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && isName(value) ? value : undefined
}

export function oneOf<Word extends string>(
  words: readonly Word[],
  value: unknown,
): Word | undefined {
  return words.find((word) => word === value)
}

const TYPING_MS = 150

/**
 * The text of a field. The address is updated a moment later, and the list follows the address. If the address changes
 * in another way, such as by Reset or Back, so does the field. An update that came from the field itself doesn't change
 * it, because more may have been typed since.
 */
export function useTyped(
  value: string,
  onChange: (value: string) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === told.current) return
    const timer = setTimeout(() => {
      told.current = typed
      tell.current(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
