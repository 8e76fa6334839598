// The building blocks of the settings: a line has its text on the left and one control on the right.

import { type ReactNode, useId } from 'react'
import css from './controls.module.css'

type GroupProps = { title: string; about?: string; children: ReactNode }

export function Group({ title, about, children }: GroupProps) {
  const id = useId()
  return (
    <section className={css.group} aria-labelledby={id}>
      <h3 id={id} className={css.heading}>
        {title}
      </h3>
      {about === undefined ? null : <p className={css.about}>{about}</p>}
      <div className="line-bottom mt-4">{children}</div>
    </section>
  )
}

type LineProps = { title: ReactNode; about?: ReactNode; children?: ReactNode }

export function Line({ title, about, children }: LineProps) {
  return (
    <div className={css.line}>
      <div className={css.words}>
        {title}
        {about === undefined ? null : <p className={css.small}>{about}</p>}
      </div>
      <div className="row gap-4 wrap min-0">{children}</div>
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  title: string
  about?: string
  value: Value
  options: Readonly<Record<Value, string>>
  onChange: (value: Value) => void
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { title, about, value, options, onChange } = props
  const name = useId()
  return (
    <fieldset className="min-0 bare">
      <Line title={<legend className={css.legend}>{title}</legend>} about={about}>
        <div className={css.choices}>
          {(Object.entries(options) as [Value, string][]).map(([one, words]) => (
            <label key={one} className={css.choice}>
              <input
                type="radio"
                className={css.radio}
                name={name}
                checked={one === value}
                onChange={() => onChange(one)}
              />
              {words}
            </label>
          ))}
        </div>
      </Line>
    </fieldset>
  )
}

type SwitchProps = {
  title: string
  about?: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  children?: ReactNode
}

export function Switch({ title, about, isOn, onChange, children }: SwitchProps) {
  const id = useId()
  return (
    <Line title={<span id={id}>{title}</span>} about={about}>
      {children}
      <button
        type="button"
        role="switch"
        className={css.switch}
        aria-checked={isOn}
        aria-labelledby={id}
        onClick={() => onChange(!isOn)}
      />
    </Line>
  )
}
