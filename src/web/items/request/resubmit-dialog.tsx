import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { changesBetween } from '../../../core/requests/changes.ts'
import { CallRefusal, call, makeKey } from '../../api/call.ts'
import { clearDraft, useDraft } from '../../live/drafts.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { Changes } from './config-change.tsx'
import css from './dialogs.module.css'
import { JsonEditor, readJson } from './json-editor.tsx'
import type { WholeRequest } from './request-query.ts'
import { partsOf, refetch } from './request-query.ts'

type ResubmitDraft = { title: string; description: string; payload: string }

type Props = {
  whole: WholeRequest
  onClose: () => void
  /** The writer of a revision has seen it. */
  onWrote: (revision: number) => void
}

/** A person submits the next revision for the agent. What differs from the last one is shown while it is written. */
export function ResubmitDialog({ whole, onClose, onWrote }: Props) {
  const { request, revisions } = whole
  const last = revisions.at(-1)
  const place = `resubmit:${request.request_id}:${request.revision}`
  const [draft, setDraft] = useDraft(place, draftOf(last))
  const [began] = useState(request.revision)
  const [key] = useState(makeKey)
  const keep = (part: Partial<ResubmitDraft>) => setDraft({ ...draft, ...part })
  const read = useMemo(() => readJson(request.type, draft.payload), [request.type, draft.payload])
  const before = last === undefined ? { title: '', description: '', payload: {} } : partsOf(last)
  const { title, description } = draft
  const changes =
    'value' in read ? changesBetween(before, { title, description, payload: read.value }) : []
  const isLater = began !== request.revision
  const canSend = 'value' in read && changes.length > 0 && title.trim() !== '' && !isLater
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const has = (part: string) => changes.some(({ path }) => path.startsWith(`/${part}`))
      return call(
        'resubmit',
        {
          request: request.request_id,
          revision: began,
          ...(has('title') ? { title: title.trim() } : {}),
          ...(has('description') ? { description } : {}),
          ...(has('payload') ? { payload: draft.payload } : {}),
        },
        { key },
      )
    },
    onSuccess({ revision }) {
      onWrote(revision)
      clearDraft(place)
      showToast({ id: key, text: `Submitted v${revision} for ${request.requester}` })
      onClose()
    },
    onSettled: () => refetch(request.request_id),
  })
  return (
    <Dialog
      isOpen
      title={`Submit v${began + 1} for ${request.requester}`}
      onClose={onClose}
      onSubmit={() => canSend && !isPending && mutate()}
      buttons={
        <>
          <Button hint="Escape" onClick={onClose}>
            Cancel
          </Button>
          <Button look="ink" type="submit" aria-disabled={!canSend || isPending}>
            Submit again
          </Button>
        </>
      }
    >
      {isLater ? (
        <p className={css.fault} role="alert">
          {`${request.requester} submitted v${request.revision} itself. Nothing of yours was sent.`}
        </p>
      ) : null}
      <label className={css.labelled}>
        <span>Title</span>
        <input
          className={css.field}
          maxLength={200}
          value={title}
          onChange={({ target }) => keep({ title: target.value })}
        />
      </label>
      <label className={css.labelled}>
        <span>Description</span>
        <textarea
          className={css.field}
          rows={3}
          value={description}
          onChange={({ target }) => keep({ description: target.value })}
        />
      </label>
      <JsonEditor
        label="Payload"
        text={draft.payload}
        fault={'fault' in read ? read.fault : null}
        onChange={(payload) => keep({ payload })}
      />
      <div className={css.changes}>
        <p className={css.head}>
          {changes.length === 0 ? 'Nothing differs yet' : `Changed since v${began}`}
        </p>
        {changes.length === 0 ? null : (
          <Changes changes={changes} heads={[`v${began}`, `v${began + 1}`]} />
        )}
      </div>
      {error === null ? null : (
        <p className={css.fault} role="alert">
          {`Not submitted: ${error.message}${error instanceof CallRefusal && error.code === 'revision_conflict' ? '. Close this, and read it first' : ''}.`}
        </p>
      )}
    </Dialog>
  )
}

function draftOf(last: WholeRequest['revisions'][number] | undefined): ResubmitDraft {
  const { title = '', description = '', payload = {} } = last ?? {}
  return { title, description, payload: escapeUnseen(JSON.stringify(payload, null, 2)) }
}
