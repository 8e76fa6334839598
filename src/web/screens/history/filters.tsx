import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Calendar, ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { MAIL_TYPES, type MailType } from '../../../core/vocabulary.ts'
import { asking } from '../../api/queries.ts'
import { SaveView } from '../../shell/save-view.tsx'
import { Choice, SearchField } from '../../ui/list-pane.tsx'
import { dateOf } from '../../ui/moment.tsx'
import { DAY, useMinute } from '../../ui/time.tsx'
import type { TypeCounts } from './pages.ts'
import css from './screen.module.css'
import { isFiltered, typesIn, useHistorySearch } from './search.ts'

/** With no type chosen, all messages are shown; otherwise, only those of the chosen types. */
export function Filters({ counts }: { counts: TypeCounts | undefined }) {
  const [search, setSearch] = useHistorySearch()
  const chosen = typesIn(search.type)
  const toggle = (type: MailType) => {
    const next = chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]
    setSearch({ type: next.join(',') })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: screen readers support role="search" better than the search element
    <div className="rigid line-bottom" role="search" aria-label="Filters">
      <fieldset className={css.types}>
        <legend className="spoken">Types</legend>
        {MAIL_TYPES.map((type) => (
          <button
            key={type}
            type="button"
            className={css.chip}
            aria-pressed={chosen.includes(type)}
            onClick={() => toggle(type)}
          >
            {type}
            {counts === undefined ? null : (
              <span className="quiet regular"> {(counts.get(type) ?? 0).toLocaleString()}</span>
            )}
          </button>
        ))}
      </fieldset>
      <div className={css.fields}>
        <Choice
          label="Agent"
          all="All agents"
          value={search.agent}
          options={useNames()}
          onChange={(agent) => setSearch({ agent })}
        />
        <Choice
          label="Workspace"
          all="All workspaces"
          value={search.ws}
          options={useWorkspaces()}
          onChange={(ws) => setSearch({ ws })}
        />
        <Choice
          label="Direction"
          all="Sent and received"
          value={search.dir}
          options={WAYS}
          onChange={(dir) => setSearch({ dir })}
        />
        <Dates from={search.from} to={search.to} onChange={setSearch} />
        <SearchField
          label="Search messages"
          className={css.search}
          value={search.q}
          onChange={(q) => setSearch({ q })}
        />
        {!isFiltered(search) ? null : (
          <Link className="link" to="." search={{}}>
            Reset
          </Link>
        )}
        <SaveView />
      </div>
    </div>
  )
}

type Option = { value: string; label: string }

const WAYS: readonly Option[] = [
  { value: 'in', label: 'To you' },
  { value: 'out', label: 'From you' },
]

function useNames(): readonly Option[] {
  const { data } = useQuery(asking('agent list', { limit: 500 }))
  return data?.agents.map(({ agent_id }) => ({ value: agent_id, label: agent_id })) ?? []
}

function useWorkspaces(): readonly Option[] {
  const { data } = useQuery(asking('workspace list', {}))
  return data?.workspaces.map(({ workspace_id, label }) => ({ value: workspace_id, label })) ?? []
}

type Days = { from?: string | undefined; to?: string | undefined }
type Props = Days & { onChange: (days: Days) => void }

function Dates({ from, to, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const now = useMinute()
  useEffect(() => {
    if (!isOpen) return
    box.current?.querySelector('button')?.focus()
    const onPointer = ({ target }: PointerEvent) => {
      if (!box.current?.parentElement?.contains(target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', onPointer)
    return () => removeEventListener('pointerdown', onPointer)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const choose = (days: Days) => {
    onChange({ from: undefined, to: undefined, ...days })
    close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the open panel inside
    <div
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.preventDefault()
        close()
      }}
    >
      <button
        ref={button}
        type="button"
        className="row gap-4 nowrap field px-4 h-control-l"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`Dates: ${wordsFor({ from, to }, now)}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Calendar size={16} aria-hidden />
        {wordsFor({ from, to }, now)}
        <ChevronDown size={14} aria-hidden />
      </button>
      {isOpen ? (
        // biome-ignore lint/a11y/useSemanticElements: the group isn't part of a form
        <div ref={box} id={id} className={css.panel} role="group" aria-label="Dates">
          {SPANS.map(({ word, days }) => (
            <button key={word} type="button" className={css.span} onClick={() => choose(days(now))}>
              {word}
            </button>
          ))}
          <label className={css.line}>
            From
            <input
              className="ink field px-4 h-control-l"
              type="date"
              value={from ?? ''}
              max={to ?? dayIn(now)}
              onChange={({ target }) => onChange({ from: target.value })}
            />
          </label>
          <label className={css.line}>
            To
            <input
              className="ink field px-4 h-control-l"
              type="date"
              value={to ?? ''}
              min={from}
              onChange={({ target }) => onChange({ to: target.value })}
            />
          </label>
        </div>
      ) : null}
    </div>
  )
}

const SPANS: { word: string; days: (now: number) => Days }[] = [
  { word: 'Any date', days: () => ({}) },
  { word: 'Today', days: (now) => ({ from: dayIn(now) }) },
  {
    word: 'Yesterday',
    days: (now) => ({ from: dayIn(now - DAY), to: dayIn(now - DAY) }),
  },
  { word: 'Last 7 days', days: (now) => ({ from: dayIn(now - 6 * DAY) }) },
  { word: 'Last 30 days', days: (now) => ({ from: dayIn(now - 29 * DAY) }) },
]

function dayIn(at: number): string {
  return dateOf(new Date(at))
}

function wordsFor({ from, to }: Days, now: number): string {
  if (from === undefined && to === undefined) return 'Any date'
  const today = dayIn(now)
  if (from === today && (to === undefined || to === today)) return 'Today'
  if (from === undefined) return `Until ${shown(to ?? '')}`
  if (to === undefined) return `Since ${shown(from)}`
  return from === to ? shown(from) : `${shown(from)} – ${shown(to)}`
}

function shown(day: string): string {
  const date = new Date(`${day}T12:00`)
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })
}
