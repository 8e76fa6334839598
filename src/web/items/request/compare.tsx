import { useMemo } from 'react'
import { changesBetween } from '../../../core/requests/changes.ts'
import css from './compare.module.css'
import { Changes } from './config-change.tsx'
import { partsOf, type WholeRequest } from './request-query.ts'
import { useApprovalSearch } from './search.ts'

/** The differences between two revisions: by default the latest two. */
export function Compare({ whole: { revisions } }: { whole: WholeRequest }) {
  const [{ rev }, setSearch] = useApprovalSearch()
  const last = revisions.length
  const [from, to] = chosen(rev, last)
  const changes = useMemo(() => {
    const [before, after] = [revisions[from - 1], revisions[to - 1]]
    if (before === undefined || after === undefined) return []
    return changesBetween(partsOf(before), partsOf(after))
  }, [revisions, from, to])
  if (last < 2) return null
  const choose = (next: [number, number]) => {
    const isUsual = next[0] === last - 1 && next[1] === last
    setSearch({ rev: isUsual ? undefined : next.join('-') })
  }
  return (
    <section aria-labelledby="compare-title">
      <header className={css.header}>
        <h3 id="compare-title" className="semi">{`Since v${from}`}</h3>
        <span className="quiet">
          {changes.length === 1 ? '1 field differs' : `${changes.length} fields differ`}
        </span>
        <span className="row gap-3 push">
          <Version
            label="Compare from"
            value={from}
            last={last}
            onChange={(one) => choose([one, to])}
          />
          <span aria-hidden>→</span>
          <Version
            label="Compare to"
            value={to}
            last={last}
            onChange={(one) => choose([from, one])}
          />
        </span>
      </header>
      {changes.length === 0 ? (
        <p className="quiet">{`v${from} and v${to} are the same.`}</p>
      ) : (
        <Changes changes={changes} heads={[`v${from}`, `v${to}`]} />
      )}
    </section>
  )
}

type VersionProps = {
  label: string
  value: number
  last: number
  onChange: (revision: number) => void
}

function Version({ label, value, last, onChange }: VersionProps) {
  return (
    <select
      className={css.version}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {Array.from({ length: last }, (_, at) => at + 1).map((revision) => (
        <option key={revision} value={revision}>{`v${revision}`}</option>
      ))}
    </select>
  )
}

function chosen(rev: string | undefined, last: number): [number, number] {
  const [from = last - 1, to = last] = (rev ?? '').split('-').filter(Boolean).map(Number)
  const isThere = (revision: number) => revision >= 1 && revision <= last
  return isThere(from) && isThere(to) ? [from, to] : [last - 1, last]
}
