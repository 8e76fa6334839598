import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../shell/commands.ts'
import { Key } from './key.tsx'
import css from './list.module.css'

type Props = {
  /** The words in the field while it is empty, and its name. */
  label: string
  value: string
  onChange: (value: string) => void
}

/** The search above a list. The address follows the field a moment later, and the list the address. */
export function SearchField({ label, value, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const settled = useDeferredValue(typed)
  useCommands(
    useMemo(
      () => [{ title: label, keys: '/', group: 'Lists', run: () => field.current?.focus() }],
      [label],
    ),
  )
  useEffect(() => {
    if (settled === value) return
    const timer = setTimeout(() => onChange(settled), 120)
    return () => clearTimeout(timer)
  }, [settled, value, onChange])
  return (
    <label className={css.search}>
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
