import { Link } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import css from './rail.module.css'
import { useSettings } from './settings.ts'
import { isSame, useFilters, wayTo } from './views.ts'

/** The person's views, under the screens. */
export function ViewLinks({ onGo }: { onGo?: () => void }) {
  const [{ views }] = useSettings()
  const shown = useFilters()
  if (views.length === 0) return null
  return (
    <div className="pt-4">
      <p className="meta faint py-2 px-4" aria-hidden>
        Views
      </p>
      <ul aria-label="Views">
        {views.map((view) => (
          <li key={view.name}>
            <Link
              {...wayTo(view)}
              className={css.entry}
              activeProps={{}}
              activeOptions={{ exact: true, includeSearch: true }}
              data-on={isSame(view, shown)}
              title={view.name}
              onClick={onGo}
            >
              <ListFilter size={16} aria-hidden />
              <span className={css.words} dir="auto">
                {view.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
