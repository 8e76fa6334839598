import { useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { Button } from '../../ui/button.tsx'
import css from './payload.module.css'
import { isSecretName, MASK } from './secrets.ts'

export function KeyValues({ value }: { value: Json }) {
  if (!isObject(value)) return <p className="code pre-wrap">{JSON.stringify(value, null, 2)}</p>
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className="quiet">Empty</p>
  return (
    <dl className={css.values}>
      {entries.map(([key, one]) => (
        <div key={key} className={css.pair}>
          <dt dir="auto">{key}</dt>
          <dd dir="auto">{isSecretName(key) ? <Secret /> : <Value value={one} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function Secret() {
  return (
    <>
      <span className="code pre-wrap">{MASK}</span> <span className="quiet">hidden</span>
    </>
  )
}

function Value({ value }: { value: Json }) {
  if (isObject(value) && Object.keys(value).length > 0) return <KeyValues value={value} />
  return <Long text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
}

const LETTERS = 600
const LINES = 12

/** Long values are cut off until the person expands them. */
function Long({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const start = text.slice(0, LETTERS).split('\n').slice(0, LINES).join('\n')
  if (isWhole || start === text) return <span className="code pre-wrap">{text}</span>
  return (
    <>
      <span className="code pre-wrap">{`${start} …`}</span>
      <Button look="quiet" onClick={() => setWhole(true)}>
        {`Show all ${text.length.toLocaleString()} characters`}
      </Button>
    </>
  )
}
