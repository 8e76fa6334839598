// The panels that open out of the bar at the foot, so that what is decided stays in sight.

import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import css from './foot.module.css'

const CONFIRM_MS = 800

type ConfirmProps = {
  consequence: string
  title: string
  onCancel: () => void
  onConfirm: () => void
}

export function Confirm({ consequence, title, onCancel, onConfirm }: ConfirmProps) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <fieldset
      className={css.panel}
      aria-label="Confirm a high risk"
      onKeyDown={({ key, metaKey, ctrlKey }) => {
        if (key === 'Escape') onCancel()
        if (key === 'Enter' && (metaKey || ctrlKey) && isReady) onConfirm()
      }}
    >
      <p className={css.question}>Approve at high risk?</p>
      <p dir="auto">{consequence === '' ? title : consequence}</p>
      <div className={css.buttons}>
        <Button autoFocus hint="Escape" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" hint="Mod+Enter" disabled={!isReady} onClick={onConfirm}>
          Approve
        </Button>
      </div>
    </fieldset>
  )
}

type RejectProps = { onCancel: () => void; onReject: (notes: string) => void }

export function Reject({ onCancel, onReject }: RejectProps) {
  const [notes, setNotes] = useState('')
  return (
    <form
      className={css.panel}
      onSubmit={(event) => {
        event.preventDefault()
        onReject(notes.trim())
      }}
    >
      <label className={css.question} htmlFor="reject-reason">
        Why? The agent is told. You may leave it out.
      </label>
      <input
        id="reject-reason"
        className={css.field}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this
        autoFocus
        maxLength={2000}
        value={notes}
        onChange={({ target }) => setNotes(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onCancel()
        }}
      />
      <div className={css.buttons}>
        <Button hint="Escape" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="ink" type="submit" hint="Enter">
          Reject
        </Button>
      </div>
    </form>
  )
}
