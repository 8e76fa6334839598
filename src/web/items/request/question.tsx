import { Markdown } from '../documents/document.tsx'
import { KeyValues } from './key-values.tsx'
import css from './payload.module.css'
import type { PayloadView } from './request-query.ts'

/** The question as it was asked. It is answered at the foot, where its options are. */
export function Question({ payload, isAnswerable }: PayloadView) {
  const options = Array.isArray(payload.options) ? payload.options : []
  return (
    <div className={css.frame}>
      <div className={css.body}>
        <Markdown text={String(payload.text)} />
        {options.length === 0 || isAnswerable ? null : (
          <ol className={css.list}>
            {options.map((option, at) => (
              <li key={String(option)} dir="auto">
                {`${at + 1}. ${String(option)}`}
              </li>
            ))}
          </ol>
        )}
        {payload.schema === undefined || isAnswerable ? null : <KeyValues value={payload.schema} />}
      </div>
    </div>
  )
}
