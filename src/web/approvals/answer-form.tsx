import { useMemo, useRef, useState } from 'react'
import { choicesOf } from '../../core/requests/answer-form.ts'
import { isObject, type Json } from '../../core/requests/json.ts'
import { useCommands } from '../shell/commands.ts'
import { useSendKey } from '../shell/send-key.ts'
import { Button } from '../ui/button.tsx'
import css from './answer-form.module.css'
import type { VerdictParts } from './request-answer.ts'

type Props = {
  payload: Json
  isReady: boolean
  /** The form keeps what was written while another panel is in its place. */
  isHidden: boolean
  onAnswer: (parts: VerdictParts) => void
}

export function AnswerForm({ payload, ...rest }: Props) {
  const question = isObject(payload) ? payload : {}
  if (isObject(question.schema)) {
    return <ValuesForm schema={question.schema} {...rest} />
  }
  const options = Array.isArray(question.options) ? question.options.map(String) : []
  return <WordsForm options={options} {...rest} />
}

type WordsProps = Omit<Props, 'payload'> & { options: readonly string[] }

/** An option is chosen by its number and sent by hand. Where there are options, only they are answers. */
function WordsForm({ options, isReady, isHidden, onAnswer }: WordsProps) {
  const [written, setAnswer] = useState('')
  // The chosen option may be gone by now.
  const answer = options.length === 0 || options.includes(written) ? written : ''
  useCommands(
    useMemo(
      () =>
        (isHidden ? [] : options).slice(0, 9).map((option, at) => ({
          title: `Choose ${option}`,
          keys: String(at + 1),
          group: 'Approvals',
          run: () => setAnswer(option),
        })),
      [options, isHidden],
    ),
  )
  const send = () => isReady && answer.trim() !== '' && onAnswer({ answer: answer.trim() })
  const form = useRef<HTMLFormElement>(null)
  useSendKey(form, send)
  return (
    <form
      ref={form}
      className={css.form}
      hidden={isHidden}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {options.length === 0 ? (
        <textarea
          className={css.field}
          rows={2}
          aria-label="Your answer"
          placeholder="Write an answer"
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
      ) : (
        <fieldset className={css.options}>
          <legend className={css.legend}>Your answer</legend>
          {options.map((option, at) => (
            <label key={option} className={css.option}>
              <input
                type="radio"
                name="answer"
                checked={answer === option}
                onChange={() => setAnswer(option)}
              />
              <span dir="auto">{`${at + 1}. ${option}`}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Button
        look="ink"
        type="submit"
        hint="Mod+Enter"
        aria-disabled={!isReady || answer.trim() === ''}
      >
        Answer
      </Button>
    </form>
  )
}

type ValuesProps = Omit<Props, 'payload'> & { schema: { [key: string]: Json } }
type FieldValue = string | boolean

/** The flat form of a question: texts, numbers, flags and choices. The server checks the answer. */
function ValuesForm({ schema, isReady, isHidden, onAnswer }: ValuesProps) {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  const [values, setValues] = useState<Record<string, FieldValue>>(() => defaultsOf(properties))
  const set = (name: string, value: FieldValue) =>
    setValues((before) => ({ ...before, [name]: value }))
  const send = () => {
    const given = properties.flatMap(([name, form]): [string, Json][] => {
      const value = values[name]
      if (value === undefined || value === '') return []
      const type = isObject(form) ? form.type : undefined
      const isNumber = type === 'number' || type === 'integer'
      return [[name, isNumber ? Number(value) : value]]
    })
    if (isReady) onAnswer({ values: JSON.stringify(Object.fromEntries(given)) })
  }
  return (
    <form
      className={css.form}
      hidden={isHidden}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {properties.map(([name, form]) => (
        <FormField
          key={name}
          name={name}
          form={isObject(form) ? form : {}}
          isRequired={required.includes(name)}
          value={values[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
      <Button look="ink" type="submit" aria-disabled={!isReady}>
        Answer
      </Button>
    </form>
  )
}

/** The form's own defaults are filled in, and may be changed. */
function defaultsOf(properties: [string, Json][]): Record<string, FieldValue> {
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
      <label className={css.option}>
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
    <label className={css.labelled}>
      <span>
        {label}
        {about === undefined ? null : <span className={css.about}>{` ${about}`}</span>}
      </span>
      {choices === null ? (
        <input
          className={css.field}
          type={isNumber ? 'number' : 'text'}
          step={form.type === 'integer' ? 1 : 'any'}
          required={isRequired}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <select
          className={css.field}
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
