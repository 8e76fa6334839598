import { useMemo, useState } from 'react'
import { changesBetween } from '../../../core/requests/changes.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Changes } from './config-change.tsx'
import css from './dialogs.module.css'
import { JsonEditor, readJson } from './json-editor.tsx'
import type { WholeRequest } from './request-query.ts'

type Props = {
  whole: WholeRequest
  isReady: boolean
  onClose: () => void
  onApprove: (payload: string) => void
}

/** Approves something else than was asked for. The difference is shown before it counts. */
export function EditDialog({ whole, isReady, onClose, onApprove }: Props) {
  const { request, revisions } = whole
  const asked = revisions.at(-1)?.payload ?? {}
  const [began] = useState(request.revision)
  const [text, setText] = useState(() => escapeUnseen(JSON.stringify(asked, null, 2)))
  const read = useMemo(() => readJson(request.type, text), [request.type, text])
  const changes = 'value' in read ? changesBetween(asked, read.value) : []
  const isLater = began !== request.revision
  const canSend = 'value' in read && changes.length > 0 && !isLater && isReady
  return (
    <Dialog
      isOpen
      title={`Approve “${request.title}” with changes`}
      onClose={onClose}
      onSubmit={() => canSend && onApprove(text)}
      buttons={
        <>
          <Button hint="Escape" onClick={onClose}>
            Cancel
          </Button>
          <Button look="ink" type="submit" aria-disabled={!canSend}>
            Approve with changes
          </Button>
        </>
      }
    >
      {isLater ? (
        <p className={css.fault} role="alert">
          {`This became v${request.revision} while you were editing. Close this, and read it first.`}
        </p>
      ) : (
        <p>{`${request.requester} gets exactly what stands here, and is told that it was changed.`}</p>
      )}
      <JsonEditor
        label="What is approved"
        text={text}
        fault={'fault' in read ? read.fault : null}
        onChange={setText}
      />
      {changes.length === 0 ? null : (
        <div className={css.changes}>
          <p className={css.head}>Other than asked</p>
          <Changes changes={changes} heads={['Asked', 'Approved']} />
        </div>
      )}
    </Dialog>
  )
}
