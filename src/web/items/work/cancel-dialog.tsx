import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { WorkThread } from './question.ts'

/** Canceling can't be undone, so it asks first. */
export function CancelWork({ thread }: { thread: WorkThread }) {
  const { thread_id: id, assigned_to, subject } = thread
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [key] = useState(makeKey)
  const called = useDisplayName()
  const close = () => setOpen(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const why = reason.trim()
      return call('cancel', { thread: id, ...(why === '' ? {} : { reason: why }) }, { key })
    },
    onSuccess() {
      showToast({
        id,
        text: `Canceled “${subject}”`,
        more: `${called(assigned_to)} will be asked to stop`,
      })
      close()
    },
    onSettled() {
      void queries.invalidateQueries({ queryKey: ['show', { thread: id }] })
      void queries.invalidateQueries({ queryKey: ['list'] })
    },
  })
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Cancel work…
      </Button>
      <Dialog
        isOpen={isOpen}
        title={`Cancel “${subject}”?`}
        onClose={close}
        onSubmit={() => isPending || mutate()}
        cancel="Keep it"
        action="Cancel this work"
        look="danger"
        isDisabled={isPending}
        focus="cancel"
      >
        <p>{`${called(assigned_to)} will be asked to stop and will lose its lease. Canceled work can’t be resumed.`}</p>
        <input
          className="full field control-l py-3 mt-5 px-5"
          aria-label="Reason (the agent will see it)"
          placeholder="Why? (optional)"
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {error === null ? null : (
          <p className="red mt-5" role="alert">{`Couldn’t cancel it: ${error.message}.`}</p>
        )}
      </Dialog>
    </>
  )
}
