// The form for answering a question in a request or in work: with one of its options, with text, or with the fields of
// a JSON schema. A number key chooses an option without sending it. The draft is kept until the answer is sent.

import { Check } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { choicesOf } from '../../../core/requests/answer-form.ts'
import { clearDraft, useDraft } from '../../live/drafts.ts'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { useLatest } from '../../ui/store.ts'
import css from './answer-form.module.css'

type FieldValue = string | boolean
type FormValues = { [name: string]: FieldValue }
type AnswerDraft = { option: string; text: string; values: FormValues }

const EMPTY: AnswerDraft = { option: '', text: '', values: {} }

export type GivenAnswer = {
  option: string
  text: string
  /** The values of the schema's fields, if the question has a schema. */
  values: { [name: string]: Json }
}

type Props = {
  draftKey: string
  options: readonly string[]
  schema?: { [key: string]: Json } | undefined
  /** Whether text can accompany an option or replace it. Without options, the answer is always text. */
  takesText?: boolean
  placeholder?: string
  /** The heading under which the form's commands are listed. */
  group: string
  isReady: boolean
  /** True while a panel replaces the form. The form keeps its draft. */
  isHidden?: boolean
  error?: string | undefined
  onAnswer: (answer: GivenAnswer) => void
}

export function AnswerForm(props: Props) {
  const { draftKey, options, schema, takesText = false, placeholder = 'Write an answer' } = props
  const { group, isReady, isHidden = false, error, onAnswer } = props
  const [draft, setDraft] = useDraft(draftKey, EMPTY)
  const change = (part: Partial<AnswerDraft>) => {
    const next = { ...draft, ...part }
    const isEmpty = next.option + next.text === '' && Object.keys(next.values).length === 0
    if (isEmpty) clearDraft(draftKey)
    else setDraft((before) => ({ ...before, ...part }))
  }
  const form = useRef<HTMLFormElement>(null)
  const isOffline = useLive().state === 'offline'
  const hasText = schema === undefined && (takesText || options.length === 0)
  // The chosen option may be gone by now.
  const option = options.includes(draft.option) ? draft.option : ''
  const text = hasText ? draft.text.trim() : ''
  const fields = schema === undefined ? [] : fieldsOf(schema, draft.values)
  const canSend = isReady && !isOffline && (schema !== undefined || option + text !== '')
  const send = () => {
    if (canSend) onAnswer({ option, text, values: valuesOf(fields) })
  }
  // While a panel replaces the form, the panel handles the key.
  useSendKey(form, () => isHidden || form.current?.requestSubmit())
  const focus = () => {
    const places = ['textarea', '[type=radio]:checked', 'input, select']
    const found = places.map((place) => form.current?.querySelector<HTMLElement>(place))
    found.find((one) => one)?.focus()
  }
  const choosing = options.slice(0, 9).map((one, at) => ({
    title: `Choose ${one}`,
    keys: String(at + 1),
    group,
    run: () => setDraft((now) => ({ ...now, option: now.option === one ? '' : one })),
  }))
  useCommands(isHidden ? [] : [...choosing, { title: 'Answer', keys: 'r', group, run: focus }])
  return (
    <form
      ref={form}
      className={css.form}
      hidden={isHidden}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && target instanceof HTMLElement) target.blur()
      }}
    >
      {options.length === 0 || schema !== undefined ? null : (
        <Options options={options} chosen={option} onChoose={(one) => change({ option: one })} />
      )}
      {fields.map(({ name, schema: field, isRequired, value }) => (
        <FormField
          key={name}
          name={name}
          form={field}
          isRequired={isRequired}
          value={value}
          onChange={(next) =>
            setDraft((now) => ({ ...now, values: { ...now.values, [name]: next } }))
          }
        />
      ))}
      {error === undefined ? null : (
        <p className="red line-top py-4 px-6" role="alert">
          {error}
        </p>
      )}
      <div className={css.foot}>
        {hasText ? (
          <textarea
            className={css.text}
            rows={1}
            aria-label={options.length === 0 ? 'Your answer' : 'Add to your answer'}
            placeholder={options.length === 0 ? placeholder : 'Add a note, or write an answer'}
            value={draft.text}
            onChange={({ target }) => change({ text: target.value })}
          />
        ) : null}
        <Button look="ink" type="submit" hint="Mod+Enter" aria-disabled={!canSend}>
          {isOffline ? 'Needs a connection' : 'Answer'}
        </Button>
      </div>
    </form>
  )
}

/** Ctrl or ⌘ with Enter sends the open answer, wherever the focus is. An open dialog handles that key itself. */
function useSendKey(form: RefObject<HTMLElement | null>, send: () => void): void {
  const latest = useLatest(send)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return
      const dialog = document.querySelector('dialog[open]')
      if (dialog !== null && !dialog.contains(form.current)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [form, latest])
}

type OptionsProps = {
  options: readonly string[]
  chosen: string
  onChoose: (option: string) => void
}

function Options({ options, chosen, onChoose }: OptionsProps) {
  const name = useId()
  return (
    <fieldset className="bare">
      <legend className="spoken">Your answer</legend>
      {options.map((option, at) => (
        <label key={option} className={css.option} data-chosen={chosen === option}>
          <input
            type="radio"
            className="transparent absolute"
            name={name}
            checked={chosen === option}
            onChange={() => onChoose(option)}
          />
          <span className={css.number} aria-hidden>
            {at + 1}
          </span>
          <span className="grow break" dir="auto">
            {option}
          </span>
          {chosen === option ? <Check size={16} aria-hidden /> : null}
        </label>
      ))}
    </fieldset>
  )
}

type SchemaField = {
  name: string
  schema: { [key: string]: Json }
  isRequired: boolean
  value: FieldValue | undefined
}

function fieldsOf(schema: { [key: string]: Json }, draft: FormValues): SchemaField[] {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  const values = { ...defaultsOf(properties), ...draft }
  return properties.map(([name, given]) => {
    const field = isObject(given) ? given : {}
    const value = values[name]
    return {
      name,
      schema: field,
      isRequired: required.includes(name),
      value: fits(value, field) ? value : undefined,
    }
  })
}

function valuesOf(fields: readonly SchemaField[]): { [name: string]: Json } {
  const given = fields.flatMap(({ name, schema, value }): [string, Json][] => {
    if (value === undefined || value === '') return []
    const isNumber = schema.type === 'number' || schema.type === 'integer'
    return [[name, isNumber ? Number(value) : value]]
  })
  return Object.fromEntries(given)
}

/** Whether the value still fits its field, which may have changed since it was filled in. */
function fits(value: FieldValue | undefined, form: { [key: string]: Json }): boolean {
  if (typeof value !== 'string') return form.type === 'boolean'
  const choices = choicesOf(form)
  return form.type !== 'boolean' && (choices?.some((one) => one.value === value) ?? true)
}

function defaultsOf(properties: [string, Json][]): FormValues {
  const given = properties.flatMap(([name, form]): [string, FieldValue][] => {
    const value = isObject(form) ? form.default : undefined
    if (typeof value === 'boolean') return [[name, value]]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
  })
  return Object.fromEntries(given)
}

type FieldProps = {
  name: string
  form: { [key: string]: Json }
  isRequired: boolean
  value: FieldValue | undefined
  onChange: (value: FieldValue) => void
}

function FormField({ name, form, isRequired, value, onChange }: FieldProps) {
  const label = typeof form.title === 'string' ? form.title : name
  const about = typeof form.description === 'string' ? form.description : undefined
  const choices = choicesOf(form)
  const isNumber = form.type === 'number' || form.type === 'integer'
  if (form.type === 'boolean') {
    return (
      <label className="row gap-4 control-h py-3 px-6">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
    )
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of two
    <label className="grid gap-2 py-3 px-6">
      <span>
        {label}
        {about === undefined ? null : <span className="quiet">{` ${about}`}</span>}
      </span>
      {choices === null ? (
        <input
          className="field control-l py-3 px-5"
          type={isNumber ? 'number' : 'text'}
          step={form.type === 'integer' ? 1 : 'any'}
          required={isRequired}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <select
          className="field control-l py-3 px-5"
          required={isRequired}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">Choose…</option>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </label>
  )
}
