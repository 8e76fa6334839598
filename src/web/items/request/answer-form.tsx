import { type ReactNode, useMemo, useRef } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { choicesOf } from '../../../core/requests/answer-form.ts'
import { useDraft } from '../../live/drafts.ts'
import { useSendKey } from '../../shell/send-key.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import css from './answer-form.module.css'
import type { VerdictParts } from './request-query.ts'
import { draftKeyOf } from './use-decision.ts'

type Props = {
  id: string
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

type BoxProps = { isHidden: boolean; canSend: boolean; send: () => void; children: ReactNode }

function AnswerBox({ isHidden, canSend, send, children }: BoxProps) {
  const form = useRef<HTMLFormElement>(null)
  // The form of a panel that stands in its place has the key meanwhile.
  useSendKey(form, () => isHidden || form.current?.requestSubmit())
  useCommands(
    useMemo(() => {
      const run = () => {
        const chosen = form.current?.querySelector<HTMLElement>('[type=radio]:checked')
        const field = form.current?.querySelector<HTMLElement>('textarea, input, select')
        ;(chosen ?? field)?.focus()
      }
      return isHidden ? [] : [{ title: 'Answer', keys: 'r', group: 'Approvals', run }]
    }, [isHidden]),
  )
  return (
    <form
      ref={form}
      className={css.form}
      hidden={isHidden}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) send()
      }}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && target instanceof HTMLElement) target.blur()
      }}
    >
      {children}
      <Button look="ink" type="submit" hint="Mod+Enter" aria-disabled={!canSend}>
        Answer
      </Button>
    </form>
  )
}

type WordsProps = Omit<Props, 'payload'> & { options: readonly string[] }

/** An option is chosen by its number and sent by hand. Where there are options, only they are answers. */
function WordsForm({ id, options, isReady, isHidden, onAnswer }: WordsProps) {
  const [written, setAnswer] = useDraft(draftKeyOf('approve', id), '')
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
      [options, isHidden, setAnswer],
    ),
  )
  return (
    <AnswerBox
      isHidden={isHidden}
      canSend={isReady && answer.trim() !== ''}
      send={() => onAnswer({ answer: answer.trim() })}
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
    </AnswerBox>
  )
}

type ValuesProps = Omit<Props, 'payload'> & { schema: { [key: string]: Json } }
type FieldValue = string | boolean
type FormValues = Record<string, FieldValue>

/** The flat form of a question: texts, numbers, flags and choices. The server checks the answer. */
function ValuesForm({ id, schema, isReady, isHidden, onAnswer }: ValuesProps) {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  const [written, keep] = useDraft<FormValues>(draftKeyOf('approve', id), {})
  const values = { ...defaultsOf(properties), ...written }
  const shown = (name: string, form: Json): FieldValue | undefined => {
    const value = values[name]
    return fits(value, isObject(form) ? form : {}) ? value : undefined
  }
  const send = () => {
    const given = properties.flatMap(([name, form]): [string, Json][] => {
      const value = shown(name, form)
      if (value === undefined || value === '') return []
      const type = isObject(form) ? form.type : undefined
      const isNumber = type === 'number' || type === 'integer'
      return [[name, isNumber ? Number(value) : value]]
    })
    onAnswer({ values: JSON.stringify(Object.fromEntries(given)) })
  }
  return (
    <AnswerBox isHidden={isHidden} canSend={isReady} send={send}>
      {properties.map(([name, form]) => (
        <FormField
          key={name}
          name={name}
          form={isObject(form) ? form : {}}
          isRequired={required.includes(name)}
          value={shown(name, form)}
          onChange={(value) => keep((now) => ({ ...now, [name]: value }))}
        />
      ))}
    </AnswerBox>
  )
}

/** A field may have become another one since it was filled in. */
function fits(value: FieldValue | undefined, form: { [key: string]: Json }): boolean {
  if (typeof value !== 'string') return form.type === 'boolean'
  const choices = choicesOf(form)
  return form.type !== 'boolean' && (choices?.some((one) => one.value === value) ?? true)
}

/** The form's own defaults are filled in, and may be changed. */
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
