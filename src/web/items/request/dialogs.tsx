// The dialogs in which a person writes to the requester: asking for a revision, approving with changes, and submitting the
// next revision.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { changesBetween } from '../../../core/requests/changes.ts'
import { faultOf } from '../../../core/requests/request-types.ts'
import { CallRefusal, call, makeKey } from '../../api/call.ts'
import { clearDraft, useDraft } from '../../live/drafts.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { clockOf } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { STATUSES } from '../status/request-status.tsx'
import { Changes } from './changes.tsx'
import css from './dialogs.module.css'
import { partsOf, refetch, type WholeRequest } from './request-query.ts'
import { draftKeyOf, editKeyOf, type LaterRevision } from './use-decision.ts'

type RevisionProps = {
  whole: WholeRequest
  revised: LaterRevision | null
  isReady: boolean
  onSeen: () => void
  onClose: () => void
  onSend: (notes: string) => void
}

/**
 * The draft survives closing the dialog and changes to the request. If someone else decides first, the notes can be
 * sent as a comment.
 */
export function RevisionDialog(props: RevisionProps) {
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
    ? by === ''
      ? 'This was decided while you were writing'
      : `${by} decided this while you were writing`
    : revised === null
      ? `What should ${requester} change?`
      : `This became v${revised.to} while you were writing`
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      onSubmit={send}
      cancel={isDecided ? 'Close' : revised === null ? 'Cancel' : `Read v${revised.to} first`}
      action={isDecided ? 'Send as comment' : 'Request revision'}
      hint="Mod+Enter"
      isDisabled={isDecided ? comment.isPending : !isReady}
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

type EditProps = {
  whole: WholeRequest
  isReady: boolean
  onClose: () => void
  onApprove: (payload: string) => void
}

/** The edited payload, and the revision it was edited from. */
const NO_EDIT = { revision: 0, text: '' }

/** Approves the request with changes, which are shown before it's sent. */
export function EditDialog({ whole, isReady, onClose, onApprove }: EditProps) {
  const { request, revisions } = whole
  const asked = revisions.at(-1)?.payload ?? {}
  const [began] = useState(request.revision)
  const [draft, setDraft] = useDraft(editKeyOf(request.request_id), NO_EDIT)
  const text = draft.revision === began ? draft.text : escapeUnseen(JSON.stringify(asked, null, 2))
  const read = readJson(request.type, text)
  const changes = 'value' in read ? changesBetween(asked, read.value) : []
  const isLater = began !== request.revision
  const canSend = 'value' in read && changes.length > 0 && !isLater && isReady
  return (
    <Dialog
      isOpen
      title={`Approve “${request.title}” with changes`}
      onClose={onClose}
      onSubmit={() => canSend && onApprove(text)}
      action="Approve with changes"
      isDisabled={!canSend}
    >
      {isLater ? (
        <p className="break red" role="alert">
          {`The agent submitted v${request.revision} while you were editing. Close this and read it first.`}
        </p>
      ) : (
        <p>{`${request.requester} gets exactly this, and is notified that you changed it.`}</p>
      )}
      <JsonEditor
        label="Payload to approve"
        text={text}
        fault={'fault' in read ? read.fault : null}
        onChange={(next) => setDraft({ revision: began, text: next })}
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

/** Parses the text as a payload of this type. Returns the object, or why it isn't valid. */
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
  /** Writing a revision counts as having seen it. */
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
  const read = readJson(request.type, draft.payload)
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
      action="Submit again"
      isDisabled={!canSend || isPending}
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
