import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import css from './revision-dialog.module.css'

type Props = {
  isOpen: boolean
  requester: string
  draftOf: string
  onClose: () => void
  onSend: (notes: string) => void
}

/** The browser's own dialog keeps the focus inside and gives it back. A draft outlives it. */
export function RevisionDialog({ isOpen, requester, draftOf, onClose, onSend }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const place = `draft:revision:${draftOf}`
  const [notes, setNotes] = useState(() => sessionStorage.getItem(place) ?? '')
  const [isEmpty, setEmpty] = useState(false)
  useEffect(() => {
    const { current } = dialog
    if (current === null || current.open === isOpen) return
    if (isOpen) current.showModal()
    else current.close()
  }, [isOpen])
  const keep = (next: string) => {
    setNotes(next)
    setEmpty(false)
    sessionStorage.setItem(place, next)
  }
  const send = () => {
    if (notes.trim() === '') return setEmpty(true)
    sessionStorage.removeItem(place)
    onSend(notes.trim())
    onClose()
  }
  return (
    <dialog ref={dialog} className={css.dialog} aria-labelledby="revision-title" onClose={onClose}>
      {isOpen ? (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <h2 id="revision-title" className={css.title}>{`What should ${requester} change?`}</h2>
          <textarea
            className={css.field}
            rows={5}
            autoFocus
            aria-label="Notes for the revision"
            aria-invalid={isEmpty}
            aria-describedby={isEmpty ? 'revision-missing' : undefined}
            value={notes}
            onChange={({ target }) => keep(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
            }}
          />
          {isEmpty ? (
            <p id="revision-missing" className={css.missing} role="alert">
              Say what should change; the agent starts from your notes.
            </p>
          ) : null}
          <div className={css.buttons}>
            <Button hint="Escape" onClick={onClose}>
              Cancel
            </Button>
            <Button look="ink" type="submit" hint="⌘ Enter">
              Request revision
            </Button>
          </div>
        </form>
      ) : null}
    </dialog>
  )
}
