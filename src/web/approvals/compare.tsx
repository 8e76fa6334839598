import { useMemo } from 'react'
import { changesBetween } from '../../core/requests/changes.ts'
import { Button } from '../ui/button.tsx'
import css from './compare.module.css'
import { Changes } from './config-change.tsx'
import type { WholeRequest } from './request-answer.ts'
import { useApprovalSearch } from './search.ts'

/** The differences between two revisions: the latest two, or any two that are chosen. */
export function Compare({ whole: { revisions } }: { whole: WholeRequest }) {
  const [{ rev }, setSearch] = useApprovalSearch()
  const last = revisions.length
  const [from, to] = chosen(rev, last)
  const changes = useMemo(() => {
    const of = (revision: number) => {
      const { title = '', description = '', payload = {} } = revisions[revision - 1] ?? {}
      return { title, description, payload }
    }
    return changesBetween(of(from), of(to))
  }, [revisions, from, to])
  if (last < 2) return null
  return (
    <section aria-labelledby="compare-title">
      <header className={css.header}>
        <h3 id="compare-title" className={css.title}>{`Since v${from}`}</h3>
        <span className={css.quiet}>
          {changes.length === 1 ? '1 field differs' : `${changes.length} fields differ`}
        </span>
        <span className={css.versions}>
          {revisions.map(({ revision }) => (
            <Button
              key={revision}
              look="quiet"
              aria-pressed={revision === from || revision === to}
              disabled={revision === to}
              onClick={() =>
                setSearch({ rev: revision === last ? undefined : `${revision}-${last}` })
              }
            >
              {`v${revision}`}
            </Button>
          ))}
        </span>
      </header>
      <Changes changes={changes} />
    </section>
  )
}

function chosen(rev: string | undefined, last: number): [number, number] {
  const [from = last - 1, to = last] = (rev ?? '').split('-').filter(Boolean).map(Number)
  const isThere = (revision: number) => revision >= 1 && revision <= last
  return isThere(from) && isThere(to) ? [from, to] : [last - 1, last]
}
