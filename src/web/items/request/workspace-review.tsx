import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Code, Markdown } from '../documents/document.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-query.ts'

type ProposedChange = { kind: string; path: string; summary: string; patch?: string }
const FIRST = 3

export function WorkspaceReview({ payload }: { payload: PayloadMembers }) {
  const changes = (Array.isArray(payload.changes)
    ? payload.changes
    : []) as unknown as ProposedChange[]
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, FIRST)
  const rest = changes.length - shown.length
  return (
    <>
      <div className="pt-4 pb-6">
        <Markdown text={String(payload.body)} />
      </div>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b>{changes.length === 1 ? '1 proposed change' : `${changes.length} proposed changes`}</b>
        </div>
        {shown.map((change, at) => (
          <Proposed key={`${at}${change.path}`} change={change} />
        ))}
      </div>
      {rest > 0 ? (
        <Button look="quiet" onClick={() => setShowsAll(true)}>{`Show ${rest} more`}</Button>
      ) : null}
    </>
  )
}

function Proposed({ change: { kind, path, summary, patch } }: { change: ProposedChange }) {
  return (
    <details className={css.changed} open={patch !== undefined && patch.length < 2000}>
      <summary>
        <b>{kind}</b>
        <span className="code">{path}</span>
        <p dir="auto">{summary}</p>
      </summary>
      {patch === undefined ? (
        <p className={css.body}>The changed lines weren’t included.</p>
      ) : (
        <Code text={patch} language="diff" />
      )}
    </details>
  )
}
