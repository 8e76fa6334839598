import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MAIL_TYPES, type MailType } from '../../../core/vocabulary.ts'
import { asking } from '../../api/queries.ts'
import { SaveView } from '../../shell/save-view.tsx'
import { Choice } from '../../ui/list-pane.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Dates } from './dates.tsx'
import type { TypeCounts } from './pages.ts'
import css from './screen.module.css'
import { isFiltered, typesIn, useHistorySearch } from './search.ts'

/**
 * Without a chosen type all messages are shown. The first chosen type shows only its own, and each further one adds more.
 */
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
