import { isObject, type Json } from '../../core/requests/json.ts'
import css from './payload.module.css'

/** Any object, key by key. */
export function KeyValues({ value }: { value: Json }) {
  if (!isObject(value)) return <p className={css.mono}>{JSON.stringify(value, null, 2)}</p>
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className={css.quiet}>Nothing.</p>
  return (
    <dl className={css.values}>
      {entries.map(([key, one]) => (
        <div key={key} className={css.pair}>
          <dt dir="auto">{key}</dt>
          <dd dir="auto">
            {typeof one === 'string' ? (
              <span className={css.mono}>{one}</span>
            ) : (
              <Value value={one} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value }: { value: Json }) {
  if (isObject(value) && Object.keys(value).length > 0) return <KeyValues value={value} />
  return <span className={css.mono}>{JSON.stringify(value, null, 2)}</span>
}
