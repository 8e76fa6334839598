// The panels that replace the decision bar: confirming a high risk, and rejecting with a reason. The request stays
// visible above them.

import { useEffect, useState } from 'react'
import { useDraft } from '../../live/drafts.ts'
import { Button } from '../../ui/button.tsx'
import css from './decision-bar.module.css'
import { draftKeyOf } from './use-decision.ts'

const CONFIRM_MS = 800

type PanelProps = {
  armedFor: string | null
  /** True if a later revision has arrived that the person hasn't seen. */
  isRevised: boolean
}

type ConfirmProps = PanelProps & {
  consequence: string
  title: string
  onCancel: () => void
  onConfirm: () => void
}

export function Confirm(props: ConfirmProps) {
  const { armedFor, isRevised, consequence, title, onCancel, onConfirm } = props
  const isReady = useDelayedEnable(armedFor, CONFIRM_MS)
  return (
    <fieldset
      className="grid gap-4 bare"
      aria-label="Confirm a high risk"
      onKeyDown={({ key, metaKey, ctrlKey }) => {
        if (key === 'Escape') onCancel()
        if (key === 'Enter' && (metaKey || ctrlKey) && isReady) onConfirm()
      }}
    >
      <p className="semi">Approve at high risk?</p>
      <p className="break" dir="auto">
        {consequence === '' ? title : consequence}
      </p>
      <Disarmed isRevised={isRevised} />
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

/** True once `what` has stayed the same for `ms`. A new value starts the wait over. Always false for null. */
function useDelayedEnable(what: string | null, ms: number): boolean {
  const [enabledFor, setEnabled] = useState<string | null>(null)
  useEffect(() => {
    if (what === null) return
    const timer = setTimeout(() => setEnabled(what), ms)
    return () => {
      clearTimeout(timer)
      setEnabled(null)
    }
  }, [what, ms])
  return what !== null && enabledFor === what
}

type RejectProps = PanelProps & {
  id: string
  action: string
  onCancel: () => void
  onReject: (notes: string) => void
}

export function Reject({ id, action, armedFor, isRevised, onCancel, onReject }: RejectProps) {
  const [notes, setNotes] = useDraft(draftKeyOf('reject', id), '')
  return (
    <form
      className="grid gap-4 bare"
      onSubmit={(event) => {
        event.preventDefault()
        if (armedFor !== null) onReject(notes.trim())
      }}
    >
      <label className="semi" htmlFor="reject-reason">
        Why? The agent reads this. You can leave it empty.
      </label>
      <input
        id="reject-reason"
        className="field control-l py-3 px-5"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this
        autoFocus
        maxLength={2000}
        value={notes}
        onChange={({ target }) => setNotes(target.value)}
        onKeyDown={({ key, metaKey, ctrlKey, currentTarget }) => {
          if (key === 'Escape') onCancel()
          if (key === 'Enter' && (metaKey || ctrlKey)) currentTarget.form?.requestSubmit()
        }}
      />
      <Disarmed isRevised={isRevised} />
      <div className={css.buttons}>
        <Button hint="Escape" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="ink" type="submit" hint="Enter" aria-disabled={armedFor === null}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function Disarmed({ isRevised }: { isRevised: boolean }) {
  return (
    <p className={css.failure} role="alert">
      {isRevised ? 'It changed after you opened this. Nothing is sent until you have seen it.' : ''}
    </p>
  )
}
