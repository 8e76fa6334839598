import { isObject, type Json } from '../../../core/json.ts'
import { faultOf } from '../../../core/requests/request-types.ts'
import css from './dialogs.module.css'

/** The object in the words, or the fault that keeps it from being one of its type. */
export function readJson(type: string, text: string): { value: Json } | { fault: string } {
  try {
    const value = JSON.parse(text) as Json
    if (!isObject(value))
      return { fault: 'This is JSON, but no object: it begins with { and ends with }' }
    const fault = faultOf(type, value)
    return fault === null ? { value } : { fault }
  } catch (error) {
    return { fault: `This is no JSON: ${(error as Error).message}` }
  }
}

type Props = { label: string; text: string; fault: string | null; onChange: (text: string) => void }

export function JsonEditor({ label, text, fault, onChange }: Props) {
  return (
    <label className={css.labelled}>
      <span>{label}</span>
      <textarea
        className={css.json}
        rows={8}
        spellCheck={false}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : 'json-fault'}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault === null ? null : (
        <span id="json-fault" className={css.fault} role="alert">
          {`${fault}.`}
        </span>
      )}
    </label>
  )
}
