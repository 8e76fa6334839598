// A field to search with: the key / leads to it, and the address follows what is typed a moment later.

import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../shell/commands.ts'
import { Key } from './key.tsx'
import css from './list.module.css'

const TYPING_MS = 150

type Props = {
  /** The words in the field while it is empty, and its name. */
  label: string
  value: string
  onChange: (value: string) => void
  /** The look of the field, where a screen has its own. */
  className?: string | undefined
}

export function SearchField({ label, value, onChange, className = css.search }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  useCommands(
    useMemo(
      () => [{ title: label, keys: '/', group: 'Lists', run: () => field.current?.focus() }],
      [label],
    ),
  )
  // An address that changed otherwise, by Reset or by going back, changes the field.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  // The address follows the field, and the list the address.
  useEffect(() => {
    if (typed === told.current) return
    const timer = setTimeout(() => {
      told.current = typed
      onChange(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, onChange])
  return (
    <label className={className}>
      <Search size={16} aria-hidden />
      <input
        ref={field}
        className={css.input}
        type="search"
        placeholder={label}
        aria-label={label}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return
          setTyped('')
          currentTarget.blur()
        }}
      />
      <Key name="/" />
    </label>
  )
}
