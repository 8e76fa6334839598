// One document of a workflow, shown instead of the channel's messages: its current text or an earlier revision.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { CallRefusal } from '../../api/call.ts'
import { asking } from '../../api/queries.ts'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Moment } from '../../ui/moment.tsx'
import { Code, Markdown } from '../documents/document.tsx'
import { LOOK_AT_FILES_MS } from './documents.tsx'
import css from './open-document.module.css'
import { type ChannelSearch, useChannelSearch } from './search.ts'

type ShownRevision = OperationAnswer<'workflow context doc history'>['revisions'][number]

type Props = { instance: string; file: string }

const CompareRevisions = lazy(async () => ({
  default: (await import('./compare-revisions.tsx')).CompareRevisions,
}))

export function OpenDocument({ instance, file }: Props) {
  const { revision, since } = useChannelSearch()
  const rev = revision === undefined ? {} : { rev: revision }
  const { data, error, refetch } = useQuery({
    ...asking('workflow context doc read', { instance, file, ...rev }),
    ...(revision === undefined ? { refetchInterval: LOOK_AT_FILES_MS } : {}),
    // The last revision stays visible while another one loads.
    placeholderData: (before) => before,
  })
  const history = useQuery(asking('workflow context doc history', { instance, file }))
  const revisions = history.data?.revisions ?? []
  useBack(instance)
  return (
    <section className={css.document} aria-labelledby="document-title">
      <header className={css.header}>
        <Link
          className={css.back}
          to="/channels/$id"
          params={{ id: instance }}
          search={{}}
          aria-label="Back to the channel"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h2 id="document-title" className={css.title} tabIndex={-1} dir="auto">
          {file}
        </h2>
        {revisions.length === 0 ? null : <Revisions revisions={revisions} shown={revision} />}
        <Link
          className={css.close}
          to="/channels/$id"
          params={{ id: instance }}
          search={{}}
          aria-label="Close the document"
        >
          <X size={16} aria-hidden />
        </Link>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <div className={css.scroll} tabIndex={0}>
        <div className={css.column}>
          <div className="row gap-4 wrap between">
            <About
              revision={revisions.find((one) => one.revision === (revision ?? data?.revision))}
            />
            <Comparison revisions={revisions} shown={revision} since={since} />
          </div>
          {error === null ? null : <Failed error={error} onAgain={() => void refetch()} />}
          {error !== null ? null : data === undefined ? (
            <Skeleton />
          ) : since !== undefined ? (
            <Suspense fallback={<Skeleton />}>
              <CompareRevisions instance={instance} file={file} since={since} text={data.content} />
            </Suspense>
          ) : data.exists ? (
            <Content file={file} text={data.content} />
          ) : (
            <p className="quiet">This document hasn’t been written yet.</p>
          )}
        </div>
      </div>
    </section>
  )
}

function Content({ file, text }: { file: string; text: string }) {
  const ending = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''
  if (text === '') return <p className="quiet">This document is empty.</p>
  return ['md', 'markdown'].includes(ending) ? (
    <Markdown text={text} />
  ) : (
    <Code text={text} language={ending} />
  )
}

function Failed({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const isGone = error instanceof CallRefusal && error.status === 404
  return (
    <div className="grid gap-4 start red" role="alert">
      <p>
        {isGone
          ? `This document doesn’t exist: ${error.message}.`
          : `Couldn’t load it: ${error.message}.`}
      </p>
      {isGone ? null : <Button onClick={onAgain}>Try again</Button>}
    </div>
  )
}

const CHANGES: Record<string, string> = {
  write: 'Written',
  append: 'Added to',
  create: 'Created',
  delete: 'Deleted',
  outside: 'Changed outside Mailroom',
}

/** Who made the shown revision, and when. */
function About({ revision }: { revision: ShownRevision | undefined }) {
  const called = useDisplayName()
  if (revision === undefined) return null
  const { change, written_by, created_at, revision: number } = revision
  const by = written_by === '' ? '' : ` by ${inSentence(called(written_by)).split('@')[0]}`
  return (
    <p className="quiet">
      {`Revision ${number}. ${CHANGES[change] ?? 'Changed'}${by}, `}
      <Moment at={created_at} />
    </p>
  )
}

type ComparisonProps = RevisionsProps & { since: number | undefined }

/** Compares the shown revision with any other whose text is still stored. */
function Comparison({ revisions, shown, since }: ComparisonProps) {
  const navigate = useNavigate()
  const others = revisions.filter(
    ({ revision, is_kept, change }) => is_kept && change !== 'delete' && revision !== shown,
  )
  if (others.length === 0) return null
  return (
    <select
      className={css.select}
      aria-label="Compare with"
      value={since ?? ''}
      onChange={({ target: { value } }) => {
        const next = value === '' ? undefined : Number(value)
        const search = (before: ChannelSearch) => ({ ...before, since: next })
        void navigate({ to: '.', search: search as never, replace: true })
      }}
    >
      <option value="">Compare with…</option>
      {others.map(({ revision }) => (
        <option key={revision} value={revision}>{`Since revision ${revision}`}</option>
      ))}
    </select>
  )
}

type RevisionsProps = { revisions: readonly ShownRevision[]; shown: number | undefined }

function Revisions({ revisions, shown }: RevisionsProps) {
  const navigate = useNavigate()
  return (
    <select
      className={css.select}
      aria-label="Revision"
      value={shown ?? ''}
      onChange={({ target: { value } }) => {
        const search = value === '' ? {} : { revision: Number(value) }
        void navigate({ to: '.', search: search as never, replace: true })
      }}
    >
      <option value="">Current version</option>
      {revisions.map(({ revision, written_by, is_kept, change }) => (
        <option key={revision} value={revision} disabled={!is_kept || change === 'delete'}>
          {`Revision ${revision}${written_by === '' ? '' : `, ${written_by.split('@')[0]}`}`}
        </option>
      ))}
    </select>
  )
}

/** Escape goes back to the messages. */
function useBack(instance: string): void {
  const navigate = useNavigate()
  useCommands(
    useMemo(
      () => [
        {
          title: 'Back to the channel',
          keys: 'Escape',
          group: 'Channel',
          run: () =>
            void navigate({ to: '/channels/$id', params: { id: instance }, search: {} as never }),
        },
      ],
      [navigate, instance],
    ),
  )
}
