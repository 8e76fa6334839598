import { useMemo, useState } from 'react'
import type { Json } from '../../../core/json.ts'
import { useCommands } from '../../ui/commands.ts'
import { Key } from '../../ui/key.tsx'
import { sizeOf } from '../../ui/size.ts'
import { Code, Markdown } from '../documents/document.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-query.ts'

type UploadedFile = {
  name: string
  media_type: string
  size: number
  path?: string
  text?: string
  replaces?: string
}

const LARGE = 10_000_000

export function KnowledgeUpload({ payload }: { payload: PayloadMembers }) {
  const files = payload.files as Json[] as unknown as UploadedFile[]
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const readable = useMemo(
    () => files.flatMap(({ text }, at) => (text === undefined ? [] : [at])),
    [files],
  )
  const [chosen, setChosen] = useState(readable[0])
  const shown = chosen === undefined ? undefined : files[chosen]
  useCommands(
    useMemo(() => {
      const go = (step: number) => () =>
        setChosen((before) => readable[readable.indexOf(before ?? -1) + step] ?? before)
      const group = 'Approvals'
      return [
        { title: 'Next file', keys: 'n', group, run: go(1) },
        { title: 'Previous file', keys: 'p', group, run: go(-1) },
      ]
    }, [readable]),
  )
  return (
    <>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b>{files.length === 1 ? '1 file' : `${files.length} files`}</b>
          <span className="quiet">{`${sizeOf(total)}, to ${String(payload.destination)}`}</span>
          {readable.length < 2 ? null : (
            <span className="push">
              <Key name="p" /> <Key name="n" />
            </span>
          )}
        </div>
        <ul className={css.files}>
          {files.map((file, at) => (
            <li key={`${at}${file.name}`}>
              <button
                type="button"
                aria-current={at === chosen ? 'true' : undefined}
                disabled={file.text === undefined}
                onClick={() => setChosen(at)}
              >
                <span className="code" dir="auto">
                  {file.name}
                </span>
                <span className="quiet">{file.replaces === undefined ? 'New' : 'Replaces'}</span>
                <span className="quiet">
                  {`${file.media_type}, ${sizeOf(file.size)}${file.replaces === undefined ? '' : `, replaces ${file.replaces}`}`}
                </span>
                <Warning file={file} files={files} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      {shown?.text === undefined ? null : (
        <>
          <div className={css.section}>
            <h3>{shown.name}</h3>
          </div>
          <div className={css.body}>
            {shown.media_type === 'text/markdown' ? (
              <Markdown text={shown.text} />
            ) : (
              <Code text={shown.text} />
            )}
          </div>
        </>
      )}
    </>
  )
}

function Warning({ file, files }: { file: UploadedFile; files: readonly UploadedFile[] }) {
  const twin = files.find(
    (one) => one !== file && (one.name === file.name || isSameText(one, file)),
  )
  if (twin !== undefined) {
    return (
      <span className="amber">
        {twin.name === file.name ? 'Listed twice' : `Same text as ${twin.name}`}
      </span>
    )
  }
  return file.size > LARGE ? <span className="amber">Over 10 MB</span> : null
}

function isSameText(a: UploadedFile, b: UploadedFile): boolean {
  return a.text !== undefined && a.text !== '' && a.text === b.text
}
