import { Markdown } from '../documents/document.tsx'
import { KeyValues } from './key-values.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-answer.ts'

/** The question as it was asked. It is answered at the foot. */
export function Question({ payload }: { payload: PayloadMembers }) {
  const options = Array.isArray(payload.options) ? payload.options : []
  return (
    <div className={css.frame}>
      <div className={css.body}>
        <Markdown text={String(payload.text)} />
        {options.length === 0 ? null : (
          <ol className={css.list}>
            {options.map((option, at) => (
              <li key={String(option)} dir="auto">
                {`${at + 1}. ${String(option)}`}
              </li>
            ))}
          </ol>
        )}
        {payload.schema === undefined ? null : <KeyValues value={payload.schema} />}
      </div>
    </div>
  )
}
