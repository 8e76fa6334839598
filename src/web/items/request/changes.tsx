import { diffWords } from 'diff'
import { Fragment, useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { type Change, changesBetween } from '../../../core/requests/changes.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/list-pane.tsx'
import css from './payload.module.css'
import { type PayloadMembers, partsOf, type WholeRequest } from './request-query.ts'
import { useApprovalSearch } from './search.ts'
import { isSecretPath, MASK } from './secrets.ts'

export function ConfigChange({ payload }: { payload: PayloadMembers }) {
  const [showsAll, setShowsAll] = useState(false)
  const changes = changesBetween(payload.current ?? {}, payload.proposed ?? {})
  const same = unchanged(payload.current ?? {}, payload.proposed ?? {})
  return (
    <div className="clip round-card edge">
      <div className={css.head}>
        <b>
          {changes.length === 1 ? '1 field will change' : `${changes.length} fields will change`}
        </b>
        {same.length === 0 ? null : (
          <>
            <span className="quiet">
              {same.length === 1 ? '1 unchanged' : `${same.length} unchanged`}
            </span>
            <span className="push">
              <Button look="quiet" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
                Show unchanged
              </Button>
            </span>
          </>
        )}
      </div>
      <Changes changes={changes} same={showsAll ? same : []} />
    </div>
  )
}

type ChangesProps = {
  changes: readonly Change[]
  same?: readonly UnchangedField[]
  heads?: readonly [string, string]
}

/** A table of changes that can be read without colors. */
export function Changes({ changes, same = [], heads = ['Now', 'Proposed'] }: ChangesProps) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRow key={change.path} change={change} />
        ))}
        {same.map(({ path, value }) => (
          <tr key={path}>
            <td className="code">
              <Path path={path} />
            </td>
            <td colSpan={2} className="quiet">
              {isSecretPath(path) ? MASK : asText(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Strings longer than this are compared word by word. */
const LONG = 24

function ChangeRow({ change: { path, before, after } }: { change: Change }) {
  // Shows that a secret changes, but not its value.
  if (isSecretPath(path)) {
    return (
      <tr>
        <td className="code">
          <Path path={path} />
        </td>
        <td>{before === undefined ? <span className="quiet">Not set</span> : MASK}</td>
        <td>
          {after === undefined ? 'Removed' : `${MASK} ${before === undefined ? 'set' : 'changed'}`}
        </td>
      </tr>
    )
  }
  const isLong =
    typeof before === 'string' &&
    typeof after === 'string' &&
    Math.max(before.length, after.length) > LONG
  return (
    <tr>
      <td className="code">
        <Path path={path} />
      </td>
      {isLong ? (
        <td colSpan={2} dir="auto">
          {diffWords(before, after).map(({ value, added, removed }, at) => {
            const key = `${at}${value}`
            if (added)
              return (
                <ins key={key} className={css.after}>
                  {value}
                </ins>
              )
            if (removed)
              return (
                <del key={key} className={`${css.before} ${css.gone}`}>
                  {value}
                </del>
              )
            return <span key={key}>{value}</span>
          })}
        </td>
      ) : (
        <>
          <td>
            {before === undefined ? (
              <span className="quiet">Not set</span>
            ) : (
              <del className={css.before}>{`− ${asText(before)}`}</del>
            )}
          </td>
          <td>
            {after === undefined ? (
              <span className="quiet">Removed</span>
            ) : (
              <ins className={css.after}>{`+ ${asText(after)}`}</ins>
            )}
          </td>
        </>
      )}
    </tr>
  )
}

function Path({ path }: { path: string }) {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = parts.pop() ?? ''
  const isPlace = /^\d+$/.test(last)
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={parts.slice(0, at + 1).join('/')}>
          <span className="faint">{at === parts.length - 1 && isPlace ? part : `${part}.`}</span>
          <wbr />
        </Fragment>
      ))}
      {isPlace ? `[${last}]` : last}
    </>
  )
}

function asText(value: Json): string {
  return JSON.stringify(value, null, isObject(value) || Array.isArray(value) ? 2 : 0)
}

type UnchangedField = { path: string; value: Json }

function unchanged(before: Json, after: Json, path = ''): UnchangedField[] {
  if (isObject(before) && isObject(after)) {
    return Object.entries(before).flatMap(([key, value]) => {
      if (!Object.hasOwn(after, key)) return []
      const step = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      return unchanged(value, after[key] as Json, step)
    })
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [{ path, value: before }] : []
}

/** The differences between two revisions: by default the latest two. */
export function Compare({ whole: { revisions } }: { whole: WholeRequest }) {
  const [{ rev }, setSearch] = useApprovalSearch()
  const last = revisions.length
  const [from, to] = chosen(rev, last)
  const [before, after] = [revisions[from - 1], revisions[to - 1]]
  if (last < 2 || before === undefined || after === undefined) return null
  const changes = changesBetween(partsOf(before), partsOf(after))
  const choose = (next: [number, number]) => {
    const isUsual = next[0] === last - 1 && next[1] === last
    setSearch({ rev: isUsual ? undefined : next.join('-') })
  }
  return (
    <section aria-labelledby="compare-title">
      <header className={css.compare}>
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
    <Choice
      label={label}
      value={String(value)}
      options={Array.from({ length: last }, (_, at) => ({
        value: String(at + 1),
        label: `v${at + 1}`,
      }))}
      onChange={(next) => onChange(Number(next))}
    />
  )
}

function chosen(rev: string | undefined, last: number): [number, number] {
  const [from = last - 1, to = last] = (rev ?? '').split('-').filter(Boolean).map(Number)
  const isThere = (revision: number) => revision >= 1 && revision <= last
  return isThere(from) && isThere(to) ? [from, to] : [last - 1, last]
}
