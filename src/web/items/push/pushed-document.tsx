// One document of a push, live: as its file is now, and again whenever the file changes.

import { Link } from '@tanstack/react-router'
import { ChevronDown, Download, FileText, FileX, History, Image, Maximize2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { addressOf } from '../../api/session.ts'
import { useLive } from '../../live/live.ts'
import { Key } from '../../ui/key.tsx'
import { sinceIn } from '../../ui/moment.tsx'
import { sizeOf } from '../../ui/size.ts'
import { clockOf, useMinute } from '../../ui/time.tsx'
import { fileAddress } from '../documents/file.ts'
import { DocumentContent, isShown, type PushedDoc } from './document-content.tsx'
import css from './pushed-document.module.css'

type Props = {
  entry: string
  document: PushedDoc
  agent: string
  isOpen: boolean
  onToggle: () => void
}

/** How long the head says that the document was just updated. */
const FRESH_MS = 60_000

export function PushedDocument({ entry, document: now, agent, isOpen, onToggle }: Props) {
  const { path, state, size, media_type, kind } = now
  const isFresh = useFresh(now.sha256 ?? state)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const canShow = isShown(now)
  const Icon = state !== 'there' ? FileX : kind === 'image' ? Image : FileText
  const name = (
    <>
      <Icon size={16} aria-hidden />
      <span className={css.path}>
        <span className={css.folder}>{folder}</span>
        {path.slice(folder.length)}
      </span>
    </>
  )
  return (
    <section className={css.document} aria-label={path} data-path={path}>
      <header className={css.head}>
        {canShow ? (
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
        <span className={css.facts}>
          {isOpen && state === 'there' ? (
            <LiveSince at={now.modified_at} isFresh={isFresh} />
          ) : (
            <span className={now.changed ? css.roomy : undefined}>
              {state === 'there' ? `${typeOf(path, media_type)}, ${sizeOf(size ?? 0)}` : null}
            </span>
          )}
          {now.changed && !(isOpen && canShow) ? (
            <span className={css.changed}>
              <History size={14} aria-hidden />
              Changed
            </span>
          ) : null}
          {state === 'there' && (!canShow || !isOpen) ? (
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
          {canShow && isOpen ? (
            <Link
              className={css.tool}
              to="."
              search={(before: object) => ({ ...before, doc: path })}
              aria-label={`${path} on a page of its own`}
              title="On a page of its own"
            >
              <Maximize2 size={16} aria-hidden />
              <Key name="f" />
            </Link>
          ) : null}
          {canShow ? (
            <ChevronDown size={16} aria-hidden className={css.turn} data-open={isOpen} />
          ) : null}
        </span>
      </header>
      {isOpen && canShow && now.changed ? (
        <p className={css.notice} data-look="changed">
          <History size={16} aria-hidden />
          {`Changed since ${agent} pushed it`}
          {now.modified_at === null ? '' : `, last at ${clockOf(new Date(now.modified_at))}`}
        </p>
      ) : null}
      {canShow && !isOpen ? null : <DocumentContent entry={entry} document={now} />}
    </section>
  )
}

function LiveSince({ at, isFresh }: { at: string | null; isFresh: boolean }) {
  const now = useMinute()
  const { state } = useLive()
  if (at === null) return null
  // Nothing is live while the server is not heard.
  if (state !== 'live') return <span>{`Changed ${sinceIn(new Date(at), now)}`}</span>
  return (
    <span className={css.live} role="status">
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

/** Whether it changed while it was looked at, a moment ago. */
function useFresh(sign: string): boolean {
  const first = useRef(sign)
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    if (first.current === sign) return
    first.current = sign
    setFresh(true)
    const timer = setTimeout(() => setFresh(false), FRESH_MS)
    return () => clearTimeout(timer)
  }, [sign])
  return isFresh
}

const TYPES: Record<string, string> = { xlsx: 'Excel', docx: 'Word', pptx: 'PowerPoint' }

/** Names the type by the ending of the file's name, which people know better than a media type. */
function typeOf(path: string, media: string | null): string {
  if (media === 'application/pdf') return 'PDF'
  const ending = /\.([a-z0-9]{1,6})$/i.exec(path)?.[1]
  return ending === undefined ? 'File' : (TYPES[ending.toLowerCase()] ?? ending.toUpperCase())
}
