import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { CallRefusal } from '../../api/call.ts'
import { asking } from '../../api/queries.ts'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Detail, detailCss } from '../../ui/detail.tsx'
import { Choice } from '../../ui/list-pane.tsx'
import { Moment } from '../../ui/moment.tsx'
import { LOOK_AGAIN_MS } from '../agent/agent-status.tsx'
import { Code, Markdown } from '../documents/document.tsx'
import { CompareRevisions } from './compare-revisions.tsx'
import css from './open-document.module.css'
import { useChannelSearch } from './search.ts'

type ShownRevision = OperationAnswer<'workflow context doc history'>['revisions'][number]

type Props = { instance: string; file: string }

export function OpenDocument({ instance, file }: Props) {
  const [{ revision, since }] = useChannelSearch()
  const rev = revision === undefined ? {} : { rev: revision }
  const { data, error, refetch } = useQuery({
    ...asking('workflow context doc read', { instance, file, ...rev }),
    // Agents also write files directly, which doesn't record an event.
    ...(revision === undefined ? { refetchInterval: LOOK_AGAIN_MS } : {}),
    // The previous revision stays visible while another one loads.
    placeholderData: (before) => before,
  })
  const history = useQuery(asking('workflow context doc history', { instance, file }))
  const revisions = history.data?.revisions ?? []
  const navigate = useNavigate()
  const run = () => void navigate({ to: '/channels/$id', params: { id: instance }, search: {} })
  useCommands([{ title: 'Back to the channel', keys: 'Escape', group: 'Channel', run }])
  return (
    <Detail
      className={css.document}
      titleId="document-title"
      backTo="/channels/$id"
      backParams={{ id: instance }}
      backSearch={() => ({})}
      backLabel="Back to the channel"
      closeLabel="Close the document"
      meta={
        <>
          <h2 id="document-title" className={css.title} tabIndex={-1} dir="auto">
            {file}
          </h2>
          {revisions.length === 0 ? null : <Revisions revisions={revisions} shown={revision} />}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <div className={detailCss.scroll} tabIndex={0}>
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
            <CompareRevisions instance={instance} file={file} since={since} text={data.content} />
          ) : data.exists ? (
            <Content file={file} text={data.content} />
          ) : (
            <p className="quiet">This document hasn’t been written yet.</p>
          )}
        </div>
      </div>
    </Detail>
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

/** Compares the shown revision with any other whose content is still stored. */
function Comparison({ revisions, shown, since }: ComparisonProps) {
  const [, setSearch] = useChannelSearch()
  const others = revisions.filter((one) => isReadable(one) && one.revision !== shown)
  if (others.length === 0) return null
  return (
    <Choice
      className={css.select}
      label="Compare with"
      all="Compare with…"
      value={since?.toString()}
      options={others.map(({ revision }) => ({
        value: String(revision),
        label: `Since revision ${revision}`,
      }))}
      onChange={(next) => setSearch({ since: next === undefined ? undefined : Number(next) })}
    />
  )
}

type RevisionsProps = { revisions: readonly ShownRevision[]; shown: number | undefined }

function Revisions({ revisions, shown }: RevisionsProps) {
  const navigate = useNavigate()
  return (
    <Choice
      className={css.select}
      label="Revision"
      all="Current version"
      value={shown?.toString()}
      options={revisions.map((one) => ({
        value: String(one.revision),
        label: `Revision ${one.revision}${one.written_by === '' ? '' : `, ${one.written_by.split('@')[0]}`}`,
        isDisabled: !isReadable(one),
      }))}
      onChange={(next) => {
        const search = next === undefined ? {} : { revision: Number(next) }
        void navigate({ to: '.', search: search as never, replace: true })
      }}
    />
  )
}

function isReadable({ is_kept, change }: ShownRevision): boolean {
  return is_kept && change !== 'delete'
}
