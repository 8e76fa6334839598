// A document of a push, live: as its file is now, and again whenever the file changes.

import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Download, FileText, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { call } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { addressOf } from '../api/session.ts'
import { Code, Markdown } from '../documents/document.tsx'
import { sizeOf } from '../ui/size.ts'
import { Ago } from '../ui/time.tsx'
import css from './pushed-document.module.css'

type Described = OperationAnswer<'push show'>['documents'][number]
type Shown = OperationAnswer<'push file'>

type Props = { entry: string; first: Described; isOpen: boolean; agent: string }

const ABSENT: Record<string, string> = {
  missing: 'This file was moved or deleted in the workspace.',
  gone: 'The workspace of this file no longer exists.',
  outside: 'This path leads out of the workspace, so it is not shown.',
  special: 'This is not a file.',
  unreadable: 'The server may not read this file.',
}

export function PushedDocument({ entry, first, isOpen: isFirst, agent }: Props) {
  const [isOpen, setOpen] = useState(isFirst)
  const { path } = first
  const { data } = useQuery({ ...asking('push file', { entry, path }), enabled: isOpen })
  useWatched(entry, path, isOpen && data !== undefined, data?.sha256 ?? null)
  const now = data ?? first
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return (
    <section className={css.document} aria-label={path}>
      <header className={css.head}>
        <button
          type="button"
          className={css.opener}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={16} aria-hidden className={css.turn} data-open={isOpen} />
          <FileText size={16} aria-hidden />
          <span className={css.path}>
            <span className={css.folder}>{folder}</span>
            {path.slice(folder.length)}
          </span>
        </button>
        <span className={css.live}>
          {now.modified_at === null ? null : (
            <>
              Live · <Ago at={now.modified_at} />
            </>
          )}
        </span>
      </header>
      {isOpen && now.state === 'there' && now.changed ? (
        <p className={css.changed}>
          <History size={16} aria-hidden />
          {`Changed since ${agent} pushed it`}
        </p>
      ) : null}
      {isOpen ? (
        <div className={css.body}>
          {data === undefined ? null : <Content entry={entry} shown={data} />}
        </div>
      ) : null}
    </section>
  )
}

function Content({ entry, shown }: { entry: string; shown: Shown }) {
  const { path, state, content, encoding, language, media_type, size } = shown
  if (state !== 'there')
    return <p className={css.quiet}>{ABSENT[state] ?? `This file is ${state}.`}</p>
  if (content !== null && encoding === 'utf-8') {
    if (content === '') return <p className={css.quiet}>This file is empty.</p>
    return language === 'markdown' ? (
      <Markdown text={content} />
    ) : (
      <Code text={content} language={language ?? ''} />
    )
  }
  if (content !== null && encoding === 'base64' && media_type?.startsWith('image/')) {
    return <img className={css.image} src={`data:${media_type};base64,${content}`} alt={path} />
  }
  const address = `/api/inbox/${encodeURIComponent(entry)}/file?path=${encodeURIComponent(path)}`
  return (
    <p className={css.download}>
      <span className={css.quiet}>{`${media_type ?? 'A file'}, ${sizeOf(size ?? 0)}`}</span>
      <a className={css.link} href={addressOf(address)} download>
        <Download size={16} aria-hidden /> Download
      </a>
    </p>
  )
}

/** One wait after the other, as long as the document is open. */
function useWatched(entry: string, path: string, isWanted: boolean, sha256: string | null): void {
  useEffect(() => {
    if (!isWanted) return
    const ending = new AbortController()
    const { signal } = ending
    const watch = async () => {
      while (!signal.aborted) {
        const known = { entry, path, sha256: sha256 ?? 'missing', timeout_seconds: 50 }
        const { woke } = await call('push watch', known, { signal })
        if (!woke) continue
        await queries.invalidateQueries({ queryKey: ['push file', { entry, path }] })
        return
      }
    }
    // A server that is away comes back with the stream, and then everything is asked for again.
    void watch().catch(() => {})
    return () => ending.abort()
  }, [entry, path, isWanted, sha256])
}
