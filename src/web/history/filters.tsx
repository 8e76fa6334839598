import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { MAIL_TYPES, type MailType } from '../../core/vocabulary.ts'
import { asking } from '../api/queries.ts'
import { useCommands } from '../shell/commands.ts'
import { Key } from '../ui/key.tsx'
import css from './screen.module.css'
import { typesIn, useHistorySearch } from './search.ts'

const TYPING_MS = 200

/** With no type chosen all are shown; to choose one shows it alone, and each further one adds to it. */
export function Filters() {
  const [search, setSearch] = useHistorySearch()
  const chosen = typesIn(search.type)
  const names = useNames(search.agent)
  const field = useRef<HTMLInputElement>(null)
  useCommands(
    useMemo(
      () => [{ title: 'Search', keys: '/', group: 'History', run: () => field.current?.focus() }],
      [],
    ),
  )
  const toggle = (type: MailType) => {
    const next = chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]
    setSearch({ type: next.join(',') })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is no better known
    <div className={css.filters} role="search" aria-label="Filters">
      <fieldset className={css.types}>
        <legend className={css.spoken}>Types</legend>
        {MAIL_TYPES.map((type) => (
          <button
            key={type}
            type="button"
            className={css.chip}
            aria-pressed={chosen.includes(type)}
            onClick={() => toggle(type)}
          >
            {type}
          </button>
        ))}
      </fieldset>
      <div className={css.fields}>
        <select
          className={css.select}
          aria-label="With"
          value={search.agent ?? ''}
          onChange={({ target }) => setSearch({ agent: target.value })}
        >
          <option value="">All agents</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the field inside has a name of its own */}
        <label className={css.search}>
          <Search size={16} aria-hidden />
          <SearchField inputRef={field} value={search.q ?? ''} onChange={(q) => setSearch({ q })} />
          <Key name="/" />
        </label>
        {Object.keys(search).length === 0 ? null : (
          <Link className={css.clear} to="." search={{}}>
            Reset
          </Link>
        )}
      </div>
    </div>
  )
}

/** The one that is chosen is listed even where it is no longer known. */
function useNames(chosen: string | undefined): readonly string[] {
  const { data } = useQuery(asking('agent list', { limit: 500 }))
  return useMemo(() => {
    const known = data?.agents.map(({ agent_id }) => agent_id) ?? []
    return [...new Set([...known, ...(chosen === undefined ? [] : [chosen])])]
  }, [data, chosen])
}

type FieldProps = {
  value: string
  onChange: (value: string) => void
  inputRef: React.RefObject<HTMLInputElement | null>
}

function SearchField({ value, onChange, inputRef }: FieldProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  // An address that changed otherwise, by Reset or by going back, changes the field.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  // The address follows the field a moment later, and the list the address.
  useEffect(() => {
    if (typed === told.current) return
    const timer = setTimeout(() => {
      told.current = typed
      onChange(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, onChange])
  return (
    <input
      ref={inputRef}
      className={css.input}
      type="search"
      placeholder="Search words"
      aria-label="Search words"
      maxLength={200}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        setTyped('')
        currentTarget.blur()
      }}
    />
  )
}
