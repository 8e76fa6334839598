import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { RISKS } from '../../../core/requests/request-record.ts'
import { RISK_WORDS } from '../../items/request/risk.tsx'
import type { ApprovalSearch } from '../../items/request/search.ts'
import { typeOf } from '../../items/request/type-words.ts'
import { SaveView } from '../../shell/save-view.tsx'
import { Button } from '../../ui/button.tsx'
import { oneOf } from '../../ui/search.ts'
import { SearchField } from '../../ui/search-field.tsx'
import css from './queue.module.css'

type Props = {
  search: ApprovalSearch
  setSearch: (next: Partial<ApprovalSearch>) => void
  types: readonly { type: string; count: number }[]
}

/** The title and the type at hand; risk and order are a step away, unless one of them is set. */
export function Filters({ search, setSearch, types }: Props) {
  const { q, type, risk, sort, tab } = search
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || risk !== undefined || sort !== undefined
  return (
    <>
      <div className={css.filters}>
        <SearchField
          label="Search titles"
          value={q ?? ''}
          onChange={(next) => setSearch({ q: next === '' ? undefined : next })}
        />
        <select
          className={css.types}
          aria-label="Type"
          value={type ?? ''}
          onChange={({ target }) => setSearch({ type: target.value || undefined })}
        >
          <option value="">All types</option>
          {typesShown(types, type).map((one) => (
            <option key={one.type} value={one.type}>
              {`${typeOf(one.type).word} (${one.count})`}
            </option>
          ))}
        </select>
        <Button
          look="quiet"
          icon={ListFilter}
          label="Risk and order"
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
        />
        <SaveView />
      </div>
      {isShown ? (
        <div className={css.filters}>
          <select
            className={css.choice}
            aria-label="Risk"
            value={risk ?? ''}
            onChange={({ target }) => setSearch({ risk: oneOf(RISKS, target.value) })}
          >
            <option value="">Any risk</option>
            {RISKS.map((one) => (
              <option key={one} value={one}>
                {`${RISK_WORDS[one].word} risk`}
              </option>
            ))}
          </select>
          {tab === 'resolved' ? null : (
            <select
              className={css.choice}
              aria-label="Order"
              value={sort ?? 'expiry'}
              onChange={({ target }) =>
                setSearch({ sort: target.value === 'new' ? 'new' : undefined })
              }
            >
              <option value="expiry">Runs out first</option>
              <option value="new">Newest first</option>
            </select>
          )}
        </div>
      ) : null}
    </>
  )
}

function typesShown(types: Props['types'], chosen: string | undefined) {
  const isMissing = chosen !== undefined && !types.some(({ type }) => type === chosen)
  return isMissing ? [...types, { type: chosen, count: 0 }] : types
}
