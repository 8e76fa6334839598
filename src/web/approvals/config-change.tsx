import { diffWords } from 'diff'
import { useState } from 'react'
import { type Change, changesBetween } from '../../core/requests/changes.ts'
import { isObject, type Json } from '../../core/requests/json.ts'
import { Button } from '../ui/button.tsx'
import { KeyValues } from './key-values.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-answer.ts'

export function ConfigChange({ payload }: { payload: PayloadMembers }) {
  const [showsAll, setShowsAll] = useState(false)
  const changes = changesBetween(payload.current ?? {}, payload.proposed ?? {})
  const same =
    leaves(payload.current ?? {}) - changes.filter(({ before }) => before !== undefined).length
  return (
    <div className={css.frame}>
      <div className={css.head}>
        <b>{changes.length === 1 ? '1 field changes' : `${changes.length} fields change`}</b>
        <span className={css.quiet}>{`${Math.max(0, same)} stay the same`}</span>
        <span className={css.end}>
          <Button look="quiet" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            Show all
          </Button>
        </span>
      </div>
      <Changes changes={changes} />
      {showsAll ? (
        <div className={css.body}>
          <KeyValues value={payload.proposed ?? {}} />
        </div>
      ) : null}
    </div>
  )
}

/** A table of changes, readable without its colours. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Now</th>
          <th scope="col">Proposed</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRow key={change.path} change={change} />
        ))}
      </tbody>
    </table>
  )
}

/** Texts of this length are compared word by word. */
const LONG = 24

function ChangeRow({ change: { path, before, after } }: { change: Change }) {
  const isLong =
    typeof before === 'string' &&
    typeof after === 'string' &&
    Math.max(before.length, after.length) > LONG
  return (
    <tr>
      <td className={css.path}>
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
              <span className={css.quiet}>Not set</span>
            ) : (
              <del className={css.before}>{`− ${asText(before)}`}</del>
            )}
          </td>
          <td>
            {after === undefined ? (
              <span className={css.quiet}>Removed</span>
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
      {parts.length === 0 ? null : (
        <span className={css.parent}>{`${parts.join('.')}${isPlace ? '' : '.'}`}</span>
      )}
      {isPlace ? `[${last}]` : last}
    </>
  )
}

function asText(value: Json): string {
  return JSON.stringify(value, null, isObject(value) || Array.isArray(value) ? 2 : 0)
}

function leaves(value: Json): number {
  if (isObject(value))
    return Object.values(value).reduce<number>((sum, one) => sum + leaves(one), 0)
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + leaves(one), 0)
  return 1
}
