import type { Json } from '../../core/requests/json.ts'
import { Code, Markdown } from '../documents/document.tsx'
import { sizeOf } from '../ui/size.ts'
import css from './payload.module.css'
import type { PayloadMembers } from './request-answer.ts'

type UploadedFile = {
  name: string
  media_type: string
  size: number
  path?: string
  text?: string
  replaces?: string
}

export function KnowledgeUpload({ payload }: { payload: PayloadMembers }) {
  const files = payload.files as Json[] as unknown as UploadedFile[]
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const shown = files.find(({ text }) => text !== undefined)
  return (
    <>
      <div className={css.frame}>
        <div className={css.head}>
          <b>{files.length === 1 ? '1 file' : `${files.length} files`}</b>
          <span className={css.quiet}>{`${sizeOf(total)}, to ${String(payload.destination)}`}</span>
        </div>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Size</th>
              <th scope="col">Replaces</th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ name, media_type, size, replaces }, at) => (
              <tr key={`${at}${name}`}>
                <td className={css.path} dir="auto">
                  {name}
                </td>
                <td>{media_type}</td>
                <td>{sizeOf(size)}</td>
                <td>{replaces ?? <span className={css.quiet}>New</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
