import { useState } from 'react'
import { Code, Markdown } from '../documents/document.tsx'
import { Button } from '../ui/button.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-answer.ts'

type ProposedChange = { kind: string; path: string; summary: string; patch?: string }
const FIRST = 3

export function WorkspaceReview({ payload }: { payload: PayloadMembers }) {
  const changes = (Array.isArray(payload.changes)
    ? payload.changes
    : []) as unknown as ProposedChange[]
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, FIRST)
  return (
    <>
      <div className={css.frame}>
        <div className={css.head}>
          <b className={css.path}>{String(payload.target_path)}</b>
        </div>
        <div className={css.body}>
          <Markdown text={String(payload.body)} />
        </div>
      </div>
      <div className={css.section}>
        <h3>{changes.length === 1 ? '1 proposed change' : `${changes.length} proposed changes`}</h3>
      </div>
      <ul className={css.list}>
        {shown.map(({ kind, path, summary, patch }, at) => (
          <li key={`${at}${path}`}>
            <b>{kind}</b> <span className={css.path}>{path}</span>
            <p dir="auto">{summary}</p>
            {patch === undefined ? null : <Code text={patch} language="diff" />}
          </li>
        ))}
      </ul>
      {changes.length > FIRST && !showsAll ? (
        <Button onClick={() => setShowsAll(true)}>{`Show ${changes.length - FIRST} more`}</Button>
      ) : null}
    </>
  )
}
