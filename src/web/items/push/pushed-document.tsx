// Shows one document of a push, live: text is rendered, images are shown, and HTML has a preview. For other files, it
// says why they can't be shown.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ChevronDown,
  CircleHelp,
  Download,
  FileText,
  FileX,
  History,
  Image,
  Lock,
  Maximize2,
  Scissors,
  ShieldCheck,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { queries } from '../../api/queries.ts'
import { addressOf } from '../../api/session.ts'
import { useLive } from '../../live/live.ts'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { sinceIn } from '../../ui/moment.tsx'
import { clockOf, useMinute } from '../../ui/time.tsx'
import { Code, InWorkspace, Markdown } from '../documents/document.tsx'
import { fileAddress, freshAddress, readingFile, sizeOf, WHOLE_BYTES } from '../documents/file.ts'
import css from './pushed-document.module.css'

type Props = {
  entry: string
  document: PushedDoc
  agent: string
  isOpen: boolean
  onToggle: () => void
}

/** How long the header says that the document was just updated. */
const FRESH_MS = 60_000

export function PushedDocument({ entry, document: now, agent, isOpen, onToggle }: Props) {
  const { path, state, size, media_type, kind } = now
  const isFresh = useFresh(now.sha256 ?? state)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const isOpenable = canOpen(now)
  const Icon = state !== 'there' ? FileX : kind === 'image' ? Image : FileText
  const name = (
    <>
      <Icon size={16} aria-hidden />
      <span className="truncate code min-0 semi">
        <span className="quiet regular">{folder}</span>
        {path.slice(folder.length)}
      </span>
    </>
  )
  return (
    <section className={css.document} aria-label={path} data-path={path}>
      <header className={css.head}>
        {isOpenable ? (
          <button
            type="button"
            className={css.opener}
            data-opener
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {name}
          </button>
        ) : (
          <span className={css.opener}>{name}</span>
        )}
        <span className="row meta gap-5 rigid quiet">
          {isOpen && state === 'there' ? (
            <LiveSince at={now.modified_at} isFresh={isFresh} />
          ) : (
            <span className={now.changed ? css.roomy : undefined}>
              {state === 'there' ? `${typeOf(path, media_type)}, ${sizeOf(size ?? 0)}` : null}
            </span>
          )}
          {now.changed && !(isOpen && isOpenable) ? (
            <span className={css.changed}>
              <History size={14} aria-hidden />
              Changed
            </span>
          ) : null}
          {state === 'there' && (!isOpenable || !isOpen) ? (
            <a
              className={css.tool}
              href={addressOf(fileAddress({ entry, path }))}
              aria-label={`Download ${path}`}
              title="Download"
              download
            >
              <Download size={16} aria-hidden />
            </a>
          ) : null}
          {isOpenable && isOpen ? (
            <Link
              className={css.tool}
              to="."
              search={(before: object) => ({ ...before, doc: path })}
              aria-label={`Show ${path} full page`}
              title="Show full page"
            >
              <Maximize2 size={16} aria-hidden />
              <Key name="f" />
            </Link>
          ) : null}
          {isOpenable ? (
            <ChevronDown size={16} aria-hidden className={css.turn} data-open={isOpen} />
          ) : null}
        </span>
      </header>
      {isOpen && isOpenable && now.changed ? (
        <p className={css.notice} data-look="changed">
          <History size={16} aria-hidden />
          {`Changed since ${agent} pushed it`}
          {now.modified_at === null ? '' : `, last at ${clockOf(new Date(now.modified_at))}`}
        </p>
      ) : null}
      {isOpenable && !isOpen ? null : <DocumentContent entry={entry} document={now} />}
    </section>
  )
}

function LiveSince({ at, isFresh }: { at: string | null; isFresh: boolean }) {
  const now = useMinute()
  const { state } = useLive()
  if (at === null) return null
  // Without a live connection, the page doesn't hear about changes.
  if (state !== 'live') return <span>{`Changed ${sinceIn(new Date(at), now)}`}</span>
  return (
    <span className="row gap-4" role="status">
      <span className={css.dot} aria-hidden />
      {isFresh ? (
        'Updated just now'
      ) : (
        <span>
          Live<span className={css.roomy}>{` · ${sinceIn(new Date(at), now)}`}</span>
        </span>
      )}
    </span>
  )
}

function useFresh(version: string): boolean {
  const first = useRef(version)
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    if (first.current === version) return
    first.current = version
    setFresh(true)
    const timer = setTimeout(() => setFresh(false), FRESH_MS)
    return () => clearTimeout(timer)
  }, [version])
  return isFresh
}

const TYPES: Record<string, string> = { xlsx: 'Excel', docx: 'Word', pptx: 'PowerPoint' }

/** People know file extensions better than media types. */
function typeOf(path: string, media: string | null): string {
  if (media === 'application/pdf') return 'PDF'
  const ending = /\.([a-z0-9]{1,6})$/i.exec(path)?.[1]
  return ending === undefined ? 'File' : (TYPES[ending.toLowerCase()] ?? ending.toUpperCase())
}

export type PushedDoc = OperationAnswer<'push show'>['documents'][number]
type ContentProps = { entry: string; document: PushedDoc; isFull?: boolean }

const ABSENT: Record<PushedDoc['state'], ReactNode> = {
  there: null,
  missing: (
    <span>
      <b>Moved or deleted</b> in the workspace.
    </span>
  ),
  gone: 'This file’s workspace no longer exists.',
  outside: 'This path is outside the workspace, so it isn’t shown.',
  special: 'This is a folder, a pipe or a device, not a file.',
  too_large: 'This file is too large to show here. Open it in the workspace.',
  unreadable: 'The server isn’t allowed to read this file.',
}

/** Larger images are only offered as downloads. */
const MOST_PICTURE = 16_000_000
/** The server refuses larger previews. */
const MOST_PREVIEW = 1024 * 1024

/** Whether the document can be opened here. If not, its row already shows all there is to know. */
export function canOpen({ state, kind, size }: PushedDoc): boolean {
  if (state !== 'there') return false
  return kind === 'text' || (kind === 'image' && (size ?? 0) <= MOST_PICTURE)
}

export function DocumentContent({ entry, document, isFull = false }: ContentProps) {
  const { state, path, kind, sha256 } = document
  if (state !== 'there') return <Absent document={document} entry={entry} />
  if (!canOpen(document)) return null
  const place = { entry, path }
  if (kind === 'image') {
    return (
      <div className={css.body}>
        <img className="block mx-auto max-full" src={freshAddress(place, sha256)} alt={path} />
      </div>
    )
  }
  return <TextContent entry={entry} document={document} isFull={isFull} />
}

function Absent({ document: { state, size, path }, entry }: ContentProps) {
  const Icon = state === 'unreadable' ? Lock : CircleHelp
  return (
    <p className={css.notice}>
      <Icon size={16} aria-hidden />
      {ABSENT[state]}
      {state === 'too_large' && size !== null ? sizeOf(size) : null}
      {state === 'missing' ? (
        <Button
          look="quiet"
          aria-label={`Check again for ${path}`}
          onClick={() => void queries.invalidateQueries({ queryKey: ['push show', { entry }] })}
        >
          Check again
        </Button>
      ) : null}
    </p>
  )
}

function TextContent({ entry, document, isFull }: Required<ContentProps>) {
  const { path, sha256, size, language } = document
  const [isWhole, setWhole] = useState(false)
  const [isPreview, setPreview] = useState(false)
  const place = { entry, path }
  const { data, error, refetch } = useQuery(readingFile(place, sha256 ?? '', isWhole))
  const length = size ?? 0
  if (data === undefined) {
    if (error === null) {
      return (
        <div className={css.body}>
          <Skeleton />
        </div>
      )
    }
    return (
      <p className={css.notice}>
        <CircleHelp size={16} aria-hidden />
        {`Couldn’t load it: ${error.message}.`}
        <Button look="quiet" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  const canPreview = language === 'html' && length <= MOST_PREVIEW
  return (
    <>
      {canPreview ? <SourceOrPreview isPreview={isPreview} onChoose={setPreview} /> : null}
      {isPreview && canPreview ? (
        <iframe
          className={css.preview}
          data-full={isFull}
          title={`Preview of ${path}`}
          sandbox=""
          referrerPolicy="no-referrer"
          src={freshAddress(place, sha256, 'preview')}
        />
      ) : (
        <>
          {data.isWhole ? null : (
            <p className={css.notice}>
              <Scissors size={16} aria-hidden />
              {`Showing the first ${sizeOf(Math.round((data.text ?? '').length / 1000) * 1000)}.`}
              {length <= WHOLE_BYTES ? (
                <Button look="quiet" onClick={() => setWhole(true)}>
                  {`Show all ${sizeOf(length)}`}
                </Button>
              ) : (
                <a className="link text-underline" href={addressOf(fileAddress(place))} download>
                  {`Download ${sizeOf(length)}`}
                </a>
              )}
            </p>
          )}
          <div className={css.body} data-code={language !== 'markdown' && data.text !== ''}>
            <InWorkspace place={place}>
              <Text text={data.text} language={language} />
            </InWorkspace>
          </div>
        </>
      )}
    </>
  )
}

function Text({ text, language }: { text: string | null; language: string | null }) {
  if (text === null) return <p className="quiet">This file isn’t text.</p>
  if (text === '') return <p className="quiet">This file is empty.</p>
  return language === 'markdown' ? (
    <Markdown text={text} />
  ) : (
    <Code text={text} language={language ?? ''} />
  )
}

/** An agent's HTML is shown as source first. The preview runs no scripts. */
function SourceOrPreview({
  isPreview,
  onChoose,
}: {
  isPreview: boolean
  onChoose: (is: boolean) => void
}) {
  return (
    <div className={css.notice}>
      {isPreview ? (
        <>
          <ShieldCheck size={16} aria-hidden />
          Scripts and remote images are blocked.
        </>
      ) : (
        'This is the source of a web page.'
      )}
      <fieldset className={css.ways}>
        <legend className="spoken">Show</legend>
        <Button look="quiet" aria-pressed={!isPreview} onClick={() => onChoose(false)}>
          Source
        </Button>
        <Button look="quiet" aria-pressed={isPreview} onClick={() => onChoose(true)}>
          Preview
        </Button>
      </fieldset>
    </div>
  )
}
