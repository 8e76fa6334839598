import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { clearDraft, useDraft } from '../../live/drafts.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { clockOf } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { STATUSES } from '../status/request-status.ts'
import { Changes } from './config-change.tsx'
import css from './dialogs.module.css'
import { refetch, type WholeRequest } from './request-query.ts'
import { draftKeyOf, type LaterRevision } from './use-decision.ts'

type Props = {
  whole: WholeRequest
  revised: LaterRevision | null
  isReady: boolean
  onSeen: () => void
  onClose: () => void
  onSend: (notes: string) => void
}

/**
 * The draft survives closing the dialog and changes to the request. If someone decides it first, the notes can go as a
 * comment.
 */
export function RevisionDialog(props: Props) {
  const { whole, revised, isReady, onSeen, onClose, onSend } = props
  const { request, actions } = whole
  const { request_id, requester } = request
  const place = draftKeyOf('request-revision', request_id)
  const [notes, setNotes] = useDraft(place, '')
  const [isEmpty, setEmpty] = useState(false)
  const [key] = useState(makeKey)
  const called = useDisplayName()
  const isDecided = !actions.includes('request_revision')
  const comment = useMutation({
    mutationFn: () => call('comment', { request: request_id, body: notes.trim() }, { key }),
    onSuccess() {
      clearDraft(place)
      showToast({ id: key, text: `Sent to ${requester} as a comment` })
      onClose()
    },
    onSettled: () => refetch(request_id),
  })
  const keep = (next: string) => {
    setNotes(next)
    setEmpty(false)
  }
  const send = () => {
    if (notes.trim() === '') return setEmpty(true)
    if (isDecided) return comment.isPending ? undefined : comment.mutate()
    if (isReady) onSend(notes.trim())
  }
  const by = called(request.decided_by ?? request.held_by ?? '')
  const word = STATUSES[request.status].word
  const title = isDecided
    ? `${by === '' ? 'This' : by} decided this while you were writing`
    : revised === null
      ? `What should ${requester} change?`
      : `This became v${revised.to} while you were writing`
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      onSubmit={send}
      buttons={
        <>
          <Button hint="Escape" onClick={onClose}>
            {isDecided ? 'Close' : revised === null ? 'Cancel' : `Read v${revised.to} first`}
          </Button>
          <Button
            look="ink"
            type="submit"
            hint="Mod+Enter"
            aria-disabled={isDecided ? comment.isPending : !isReady}
          >
            {isDecided ? 'Send as comment' : 'Request revision'}
          </Button>
        </>
      }
    >
      {isDecided ? (
        <p>
          {`${word}${request.decided_at === null ? '' : ` at ${clockOf(new Date(request.decided_at))}`}. Your notes were not sent. You can send them to ${requester} as a comment, which doesn’t change the decision.`}
        </p>
      ) : null}
      {!isDecided && revised !== null ? (
        <>
          <p>{`${called(revised.by)} sent it at ${clockOf(new Date(revised.at))}. Your notes were about v${revised.from} and were not sent.`}</p>
          <div className={css.changes}>
            <p className="ink semi py-3">{`Since v${revised.from}`}</p>
            <Changes changes={revised.changes} heads={[`v${revised.from}`, `v${revised.to}`]} />
          </div>
          <p>
            <Button onClick={onSeen}>I’ve read it</Button>
          </p>
        </>
      ) : null}
      <textarea
        className={css.notes}
        rows={5}
        autoFocus
        aria-label="Notes for the revision"
        aria-invalid={isEmpty}
        aria-describedby={isEmpty ? 'revision-missing' : undefined}
        value={notes}
        onChange={({ target }) => keep(target.value)}
      />
      {isEmpty ? (
        <p id="revision-missing" className="break red" role="alert">
          Say what should change. The agent starts from your notes.
        </p>
      ) : null}
      {comment.error === null ? null : (
        <p className="break red" role="alert">{`Couldn’t send it: ${comment.error.message}.`}</p>
      )}
    </Dialog>
  )
}
