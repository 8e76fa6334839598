// A search field. The key / focuses it, and the address follows a moment after the typing.

import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useCommands } from './commands.ts'
import { Key } from './key.tsx'
import css from './list.module.css'
import { useTyped } from './search.ts'

type Props = {
  /** The placeholder and accessible name. */
  label: string
  value: string | undefined
  /** Undefined for an empty field. */
  onChange: (value: string | undefined) => void
  /** For a screen that styles the field differently. */
  className?: string | undefined
}

export function SearchField({ label, value = '', onChange, className = css.search }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value, (next) => onChange(next === '' ? undefined : next))
  useCommands([{ title: label, keys: '/', group: 'Lists', run: () => field.current?.focus() }])
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
