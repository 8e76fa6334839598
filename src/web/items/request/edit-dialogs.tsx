import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { changesBetween } from '../../../core/requests/changes.ts'
import { faultOf } from '../../../core/requests/request-types.ts'
import { CallRefusal, call, makeKey } from '../../api/call.ts'
import { clearDraft, useDraft } from '../../live/drafts.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { Changes } from './config-change.tsx'
import css from './dialogs.module.css'
import { partsOf, refetch, type WholeRequest } from './request-query.ts'

type EditProps = {
  whole: WholeRequest
  isReady: boolean
  onClose: () => void
  onApprove: (payload: string) => void
}

/** Approves the request with changes, which are shown before it's sent. */
export function EditDialog({ whole, isReady, onClose, onApprove }: EditProps) {
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
        <p className="break red" role="alert">
          {`This became v${request.revision} while you were editing. Close this and read it first.`}
        </p>
      ) : (
        <p>{`${request.requester} gets exactly this, and is notified that you changed it.`}</p>
      )}
      <JsonEditor
        label="What is approved"
        text={text}
        fault={'fault' in read ? read.fault : null}
        onChange={setText}
      />
      {changes.length === 0 ? null : (
        <div className={css.changes}>
          <p className="ink semi py-3">Different from the request</p>
          <Changes changes={changes} heads={['Asked', 'Approved']} />
        </div>
      )}
    </Dialog>
  )
}

/** The object this text describes, or why it isn't a payload of this type. */
function readJson(type: string, text: string): { value: Json } | { fault: string } {
  try {
    const value = JSON.parse(text) as Json
    if (!isObject(value))
      return { fault: 'This is JSON but not an object: it must start with { and end with }' }
    const fault = faultOf(type, value)
    return fault === null ? { value } : { fault }
  } catch (error) {
    return { fault: `This isn’t JSON: ${(error as Error).message}` }
  }
}

type EditorProps = {
  label: string
  text: string
  fault: string | null
  onChange: (text: string) => void
}

function JsonEditor({ label, text, fault, onChange }: EditorProps) {
  return (
    <label className="grid gap-2 quiet mt-5">
      <span>{label}</span>
      <textarea
        className={css.json}
        rows={8}
        spellCheck={false}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : 'json-fault'}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault === null ? null : (
        <span id="json-fault" className="break red" role="alert">
          {`${fault}.`}
        </span>
      )}
    </label>
  )
}

type ResubmitDraft = { title: string; description: string; payload: string }

type ResubmitProps = {
  whole: WholeRequest
  onClose: () => void
  /** Counts as having seen the revision. */
  onWrote: (revision: number) => void
}

/** Submits the next revision on the agent's behalf, and shows the changes as the person types. */
export function ResubmitDialog({ whole, onClose, onWrote }: ResubmitProps) {
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
        <p className="break red" role="alert">
          {`${request.requester} already submitted v${request.revision}. Yours was not sent.`}
        </p>
      ) : null}
      <label className="grid gap-2 quiet mt-5">
        <span>Title</span>
        <input
          className="full ink field control-l py-3 px-5 resize-y"
          maxLength={200}
          value={title}
          onChange={({ target }) => keep({ title: target.value })}
        />
      </label>
      <label className="grid gap-2 quiet mt-5">
        <span>Description</span>
        <textarea
          className="full ink field control-l py-3 px-5 resize-y"
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
        <p className="ink semi py-3">
          {changes.length === 0 ? 'No changes yet' : `Changed since v${began}`}
        </p>
        {changes.length === 0 ? null : (
          <Changes changes={changes} heads={[`v${began}`, `v${began + 1}`]} />
        )}
      </div>
      {error === null ? null : (
        <p className="break red" role="alert">
          {`Not submitted: ${error.message}${error instanceof CallRefusal && error.code === 'revision_conflict' ? '. Close this and read it first' : ''}.`}
        </p>
      )}
    </Dialog>
  )
}

function draftOf(last: WholeRequest['revisions'][number] | undefined): ResubmitDraft {
  const { title = '', description = '', payload = {} } = last ?? {}
  return { title, description, payload: escapeUnseen(JSON.stringify(payload, null, 2)) }
}
