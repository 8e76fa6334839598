// The panels that open out of the bar at the foot, so that what is decided stays in sight.

import { useDraft } from '../../live/drafts.ts'
import { Button } from '../../ui/button.tsx'
import css from './foot.module.css'
import { draftOf } from './kept.ts'
import { useWarm } from './warm.ts'

const CONFIRM_MS = 800

/** A panel that was opened about one revision takes nothing about the next before that was seen. */
const DISARMED = 'It has changed since you opened this. Nothing is sent before you have seen it.'

type ArmedProps = {
  /** Names the revision that the panel decides; null while it may not be decided. Another one arms the panel anew. */
  about: string | null
  isRevised: boolean
}

type ConfirmProps = ArmedProps & {
  consequence: string
  title: string
  onCancel: () => void
  onConfirm: () => void
}

export function Confirm(props: ConfirmProps) {
  const { about, isRevised, consequence, title, onCancel, onConfirm } = props
  const isReady = useWarm(about, CONFIRM_MS)
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
      <p className={css.words} dir="auto">
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

function Disarmed({ isRevised }: { isRevised: boolean }) {
  return (
    <p className={css.failure} role="alert">
      {isRevised ? DISARMED : ''}
    </p>
  )
}

type RejectProps = ArmedProps & {
  id: string
  /** The word on its button. */
  action: string
  onCancel: () => void
  onReject: (notes: string) => void
}

export function Reject({ id, action, about, isRevised, onCancel, onReject }: RejectProps) {
  const [notes, setNotes] = useDraft(draftOf('reject', id), '')
  return (
    <form
      className={css.panel}
      onSubmit={(event) => {
        event.preventDefault()
        if (about !== null) onReject(notes.trim())
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
        <Button look="ink" type="submit" hint="Enter" aria-disabled={about === null}>
          {action}
        </Button>
      </div>
    </form>
  )
}
