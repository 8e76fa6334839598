// A native dialog, which traps the focus and restores it when closed. On a phone, it's a sheet at the bottom.

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import css from './dialog.module.css'

type DialogProps = {
  isOpen: boolean
  title: string
  /** The label of the submit button. It should say what the button does. */
  action: string
  look?: 'ink' | 'danger'
  /** The keyboard shortcut for the same action. */
  hint?: string
  isDisabled?: boolean
  cancel?: string
  /** The button that gets the focus. If undefined, the first field gets it. */
  focus?: 'cancel' | 'action'
  onClose: () => void
  /** Also called while the button is disabled. */
  onSubmit: () => void
  /** The part between the title and the buttons. */
  children: ReactNode
}

export function Dialog(props: DialogProps) {
  const { isOpen, title, action, look = 'ink', hint, isDisabled, focus, cancel = 'Cancel' } = props
  const { onClose, onSubmit, children } = props
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
      // Escape fires `cancel` immediately and `close` a moment later, by which time the dialog may be open again.
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
            event.currentTarget.requestSubmit()
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
          <div className={css.buttons}>
            <Button autoFocus={focus === 'cancel'} hint="Escape" onClick={onClose}>
              {cancel}
            </Button>
            <Button
              look={look}
              type="submit"
              autoFocus={focus === 'action'}
              hint={hint}
              aria-disabled={isDisabled}
            >
              {action}
            </Button>
          </div>
        </form>
      ) : null}
    </dialog>
  )
}

type ConfirmProps = Pick<DialogProps, 'isOpen' | 'title' | 'action' | 'onClose' | 'children'> & {
  onConfirm: () => void
}

/** Asks for confirmation before an action that can't be undone. Cancel has the focus. */
export function Confirm({ onConfirm, ...rest }: ConfirmProps) {
  const confirm = () => {
    rest.onClose()
    onConfirm()
  }
  return <Dialog {...rest} look="danger" focus="cancel" onSubmit={confirm} />
}
