// The content of a document: its text drawn, its picture, its page as a preview; or why there is nothing to see.

import { useQuery } from '@tanstack/react-query'
import { CircleHelp, Lock, Scissors, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OperationAnswer } from '../../../ops/typed-call.ts'
import { queries } from '../../api/queries.ts'
import { addressOf } from '../../api/session.ts'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { sizeOf } from '../../ui/size.ts'
import { Code, Markdown } from '../documents/document.tsx'
import { fileAddress, freshAddress, readingFile, WHOLE_BYTES } from '../documents/file.ts'
import { InWorkspace } from '../documents/workspace-image.tsx'
import css from './pushed-document.module.css'

export type PushedDoc = OperationAnswer<'push show'>['documents'][number]
type ContentProps = { entry: string; document: PushedDoc; isFull?: boolean }

const ABSENT: Record<PushedDoc['state'], ReactNode> = {
  there: null,
  missing: (
    <span>
      <b>Moved or deleted</b> in the workspace.
    </span>
  ),
  gone: 'The workspace of this file no longer exists.',
  outside: 'This path leads out of the workspace, so it is not shown.',
  special: 'This is not a file but a folder, a pipe or a device.',
  too_large: 'This file is too large to be sent from here. Open it in the workspace.',
  unreadable: 'The server may not read this file.',
}

/** A picture of more than this is downloaded. */
const MOST_PICTURE = 16_000_000
/** The server draws no larger preview. */
const MOST_PREVIEW = 1024 * 1024

/** Whether there is something to open; else the row says all there is. */
export function isShown({ state, kind, size }: PushedDoc): boolean {
  if (state !== 'there') return false
  return kind === 'text' || (kind === 'image' && (size ?? 0) <= MOST_PICTURE)
}

export function DocumentContent({ entry, document, isFull = false }: ContentProps) {
  const { state, path, kind, sha256 } = document
  if (state !== 'there') return <Absent document={document} entry={entry} />
  if (!isShown(document)) return null
  const place = { entry, path }
  if (kind === 'image') {
    return (
      <div className={css.body}>
        <img className={css.image} src={freshAddress(place, sha256)} alt={path} />
      </div>
    )
  }
  return <TextContent {...{ entry, document, isFull }} />
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
          aria-label={`Look again for ${path}`}
          onClick={() => void queries.invalidateQueries({ queryKey: ['push show', { entry }] })}
        >
          Look again
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
        {`Couldn't load it: ${error.message}.`}
        <Button look="quiet" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  const canPreview = language === 'html' && length <= MOST_PREVIEW
  return (
    <>
      {canPreview ? <Ways isPreview={isPreview} onChoose={setPreview} /> : null}
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
                <a className={css.link} href={addressOf(fileAddress(place))} download>
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
  if (text === null) return <p className={css.quiet}>This file is no text after all.</p>
  if (text === '') return <p className={css.quiet}>This file is empty.</p>
  return language === 'markdown' ? (
    <Markdown text={text} />
  ) : (
    <Code text={text} language={language ?? ''} />
  )
}

/** A page that an agent wrote is its source first; its preview can do nothing. */
function Ways({ isPreview, onChoose }: { isPreview: boolean; onChoose: (is: boolean) => void }) {
  return (
    <div className={css.notice}>
      {isPreview ? (
        <>
          <ShieldCheck size={16} aria-hidden />
          Scripts and outside images are off.
        </>
      ) : (
        'The source of a page.'
      )}
      <fieldset className={css.ways}>
        <legend className={css.spoken}>Show</legend>
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
