import { isObject, type Json } from '../../../core/json.ts'
import { KeyValues } from './key-values.tsx'
import { Risk } from './labels.tsx'
import css from './payload.module.css'
import type { PayloadMembers } from './request-query.ts'

export function ToolInvocation({ payload }: { payload: PayloadMembers }) {
  const { tool, arguments: given, description, risk } = payload
  return (
    <>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b className="code">{String(tool)}</b>
          {description === undefined ? null : <span className="quiet">{String(description)}</span>}
        </div>
        <div className={css.body}>
          <KeyValues value={given ?? {}} />
        </div>
      </div>
      <div className={css.section}>
        <h3>Risk</h3>
        {isObject(risk) ? <Risk level={String(risk.level)} /> : null}
        {isObject(risk) && risk.score !== undefined ? (
          <span className="quiet">{`score ${String(risk.score)}`}</span>
        ) : null}
      </div>
      {isObject(risk) ? (
        <>
          <Points of={risk.reasons} />
          <div className={css.section}>
            <h3>What it can affect</h3>
          </div>
          <Points of={risk.touches} />
        </>
      ) : (
        <p className="quiet">No risk assessment was provided.</p>
      )}
    </>
  )
}

function Points({ of }: { of: Json | undefined }) {
  const points = Array.isArray(of) ? of : []
  if (points.length === 0) return <p className="quiet">None listed.</p>
  return (
    <ul className={css.list}>
      {points.map((point) => (
        <li key={String(point)} dir="auto">
          {String(point)}
        </li>
      ))}
    </ul>
  )
}
