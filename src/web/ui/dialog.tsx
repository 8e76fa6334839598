// The browser's own dialog, which keeps the focus inside and returns it. On a phone it is a sheet at the bottom.

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import css from './dialog.module.css'

type DialogProps = {
  isOpen: boolean
  title: string
  onClose: () => void
  onSubmit: () => void
  /** The part between the title and the buttons. */
  children: ReactNode
  buttons: ReactNode
}

export function Dialog({ isOpen, title, onClose, onSubmit, children, buttons }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = dialog
    if (current === null || current.open === isOpen) return
    if (isOpen) current.showModal()
    else current.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-words`}
      // Escape fires cancel at once and close a moment later, when the dialog may be open again.
      onCancel={onClose}
      onClose={() => {
        if (dialog.current?.open === false) onClose()
      }}
    >
      {isOpen ? (
        <form
          className={css.form}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return
            event.preventDefault()
            // A disabled button doesn't submit.
            event.currentTarget.querySelector<HTMLElement>('[type=submit]')?.click()
          }}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          <h2 id={`${id}-title`} className={css.title}>
            {title}
          </h2>
          <div id={`${id}-words`} className="break quiet">
            {children}
          </div>
          <div className={css.buttons}>{buttons}</div>
        </form>
      ) : null}
    </dialog>
  )
}

type ConfirmProps = {
  isOpen: boolean
  title: string
  /** The label of the button, which says what it does. */
  action: string
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

/** Asks again before something that can't be undone. Cancel has the focus. */
export function Confirm({ action, onConfirm, ...rest }: ConfirmProps) {
  const { onClose } = rest
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog
      {...rest}
      onSubmit={confirm}
      buttons={
        <>
          <Button autoFocus hint="Escape" onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" type="submit">
            {action}
          </Button>
        </>
      }
    />
  )
}
