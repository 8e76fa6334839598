import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Folder, SquareTerminal, Unplug } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { CallRefusal, call } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { submit } from '../../live/outbox.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { amountOf } from '../../ui/amounts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { copyWithToast } from '../../ui/copy-button.tsx'
import { Detail, DetailBody } from '../../ui/detail.tsx'
import dialogCss from '../../ui/dialog.module.css'
import { Moment } from '../../ui/moment.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { Conversation, type Word } from '../thread/conversation.tsx'
import { ItemTools } from '../thread/item-tools.tsx'
import { afterDwell, isToBeRead, openAnew, useDwell } from '../thread/read-after-dwell.ts'
import { ReplyBar, type SentReply } from '../thread/reply-bar.tsx'
import css from './push.module.css'
import { PushedDocuments } from './pushed-documents.tsx'

type ShownPush = OperationAnswer<'push show'>

type OpenProps = {
  id: string
  /** A push in the trash is read-only. */
  isTrashed?: boolean
  backTo?: ListAddress
  tools?: ReactNode
}

export function OpenPush({ id, isTrashed = false, backTo = '/inbox', tools }: OpenProps) {
  const { data, error } = useQuery(asking('push show', { entry: id }))
  if (data === undefined) {
    const gone = 'This message doesn’t exist. It may have been deleted.'
    return <NotFound label="Message" error={error} gone={gone} backTo={backTo} />
  }
  return <Push push={data} isTrashed={isTrashed} backTo={backTo} trashTools={tools} />
}

type PushProps = {
  push: ShownPush
  isTrashed: boolean
  backTo: ListAddress
  trashTools: ReactNode
}

function Push({ push, isTrashed, backTo, trashTools }: PushProps) {
  const { entry, documents } = push
  const { entry_id: id } = entry
  const actions = useHandling(entry, isTrashed, backTo)
  // In the inbox, the list handles these keys, because it knows the next row.
  const isListed = backTo === '/inbox' && !isTrashed
  const group = 'Inbox'
  const commands = [
    { title: 'Mark as read or unread', keys: 'u', group, run: actions.toggleRead },
    { title: 'Move to trash', keys: 'Delete', group, run: actions.trash },
    { title: 'Move to trash', keys: 'Backspace', group, run: actions.trash },
    { title: 'Move to trash', keys: '#', group, run: actions.trash },
  ]
  useCommands(isTrashed || isListed ? [] : commands)
  const isGone = entry.workspace === 'gone'
  return (
    <Detail
      titleId="item-title"
      backTo={backTo}
      meta={
        entry.workspace_label === '' ? null : (
          <span className={css.workspace} data-gone={isGone}>
            <Folder size={16} aria-hidden />
            {entry.workspace_label}
          </span>
        )
      }
      tools={
        isTrashed ? (
          trashTools
        ) : (
          <ItemTools isUnread={entry.unread} isPush actions={isListed ? undefined : actions} />
        )
      }
      foot={
        isGone ? (
          <p className={css.unreachable}>
            <Unplug size={16} aria-hidden />
            You can’t reply, because the agent’s workspace no longer exists.
          </p>
        ) : (
          <ReplyBar
            draftOf={id}
            to={entry.agent}
            thread={id}
            send={(text, key) => reply(entry, text, key)}
            beside={
              entry.origin.session === undefined ? null : (
                <OpenSession entry={id} agent={entry.agent} />
              )
            }
          />
        )
      }
    >
      <DetailBody titleId="item-title" title={entry.subject} by={<Sender push={push} />}>
        {documents.length === 0 ? null : (
          <PushedDocuments entry={id} documents={documents} agent={entry.agent} />
        )}
        <Conversation thread={id} words={messagesOf(push)} title="Conversation" />
      </DetailBody>
    </Detail>
  )
}

function Sender({ push: { entry, documents } }: { push: ShownPush }) {
  const { length: count } = documents
  return (
    <>
      <Avatar name={entry.agent} size="line" />
      <b>{entry.agent}</b>
      <span className="quiet">
        {entry.origin.backend === undefined ? '' : `${entry.origin.backend} · `}
        <Moment at={entry.created_at} />
        {count === 0 ? '' : ` · ${amountOf(count, 'document')}`}
      </span>
    </>
  )
}

async function reply(entry: ShownPush['entry'], text: string, key: string): Promise<SentReply> {
  const { entry_id: id, agent } = entry
  const input = { entry: id, comments: text }
  const title = `Your reply to ${agent}`
  const reach = await submit({ op: 'push reply', input, about: id, title, words: text, key })
  if (reach === null) return 'waiting'
  return { message: reach.message_id, why: reach.reachable ? null : reach.why }
}

/** What the agent wrote comes first, unless all of it is in the title. */
function messagesOf({ entry, replies }: ShownPush): Word[] {
  const { subject, comments, entry_id, agent, created_at, form } = entry
  // If the message starts with the title, that part isn't shown twice.
  const body = comments.startsWith(subject) ? comments.slice(subject.length).trim() : comments
  const isPlain = form === 'notification'
  const first = { id: entry_id, from: agent, subject, body, created_at, isPlain }
  return body === '' ? replies : [first, ...replies]
}

type ListAddress = '/inbox' | '/notifications' | '/trash'

type PushEntry = OperationAnswer<'push show'>['entry']

/** Marks a push as read or moves it to the trash. Both can be undone, so neither asks first. */
function useHandling(entry: PushEntry, isTrashed: boolean, backTo: ListAddress) {
  const { entry_id: id, unread, subject, replies } = entry
  const navigate = useNavigate()
  const refetch = () => {
    void queries.invalidateQueries({ queryKey: ['desk list'] })
    void queries.invalidateQueries({ queryKey: ['push show', { entry: id }] })
  }
  const { mutate: mark } = useMutation({
    networkMode: 'always',
    mutationFn: (op: 'push read' | 'push unread') =>
      submit({ op, input: { entries: [id] }, about: id, title: `Marking “${subject}”` }),
    async onMutate(op) {
      const { queryKey } = asking('push show', { entry: id })
      // A response that's still on its way may be older than the mark.
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(
        queryKey,
        (before) =>
          before && { ...before, entry: { ...before.entry, unread: op === 'push unread' } },
      )
    },
    onError: ({ message }) =>
      showToast({ id, text: `Couldn’t mark as read or unread: ${message}`, isFailure: true }),
    onSettled: refetch,
  })
  const { mutate: trash } = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      const title = `Moving “${subject}” to trash`
      return submit({ op: 'push trash', input: { entries: [id] }, about: id, title })
    },
    onSuccess(answer) {
      const restore = () => {
        dismissToast(id)
        const title = `Restoring “${subject}”`
        void submit({ op: 'push restore', input: { entries: [id] }, about: id, title })
          .catch(({ message }) =>
            showToast({ id, text: `Couldn’t restore it: ${message}`, isFailure: true }),
          )
          .finally(refetch)
      }
      const undo = { run: restore, until: Date.now() + 10_000 }
      const text = answer === null ? 'Moves to trash when you’re back online' : 'Moved to trash'
      showToast({ id, text, more: subject, undo })
      void navigate({ to: backTo, search: (before: object) => before })
    },
    onError: (error) =>
      showToast({ id, text: `Couldn’t move it to trash: ${error.message}`, isFailure: true }),
    onSettled: refetch,
  })
  const dwell = useDwell()
  useEffect(() => openAnew(id), [id])
  const opened = `${id} ${replies}`
  const readAs = useRef('')
  useEffect(() => {
    if (!unread || isTrashed || readAs.current === opened || dwell === undefined) return
    return afterDwell(dwell, () => {
      if (!isToBeRead(id)) return
      readAs.current = opened
      mark('push read')
    })
  }, [id, unread, isTrashed, opened, dwell, mark])
  return {
    toggleRead: () => mark(unread ? 'push read' : 'push unread'),
    trash: () => trash(),
  }
}

/** Opens the session in the owner's terminal if the server is allowed to. Otherwise shows a command to copy. */
function OpenSession({ entry, agent }: { entry: string; agent: string }) {
  const [command, setCommand] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => openSession(entry),
    onSuccess({ isOpen, shell, why }) {
      if (isOpen) showToast({ id: entry, text: `Opened ${agent}’s session in your terminal` })
      else if (shell === null) showToast({ id: entry, text: why, isFailure: true })
      else setCommand(shell)
    },
    onError: ({ message }) =>
      showToast({ id: entry, text: `Couldn’t open the session: ${message}`, isFailure: true }),
  })
  useCommands([{ title: 'Open session', keys: 't', group: 'Writing', run: () => mutate() }])
  return (
    <>
      <Button look="quiet" disabled={isPending} onClick={() => mutate()}>
        <span className={css.word}>Open session</span> <SquareTerminal size={16} aria-hidden />
      </Button>
      {command === null ? null : (
        <CommandDialog command={command} agent={agent} onClose={() => setCommand(null)} />
      )}
    </>
  )
}

type SessionStart = { isOpen: boolean; shell: string | null; why: string }

/** A session without the page's key isn't allowed to start anything, but it can still get the command. */
async function openSession(entry: string): Promise<SessionStart> {
  try {
    const { opened: isOpen, shell, why } = await call('open', { entry })
    return { isOpen, shell, why }
  } catch (error) {
    if (!(error instanceof CallRefusal) || error.status !== 403) throw error
    const { shell, why } = await call('push resume', { entry })
    return { isOpen: false, shell, why }
  }
}

type CommandProps = { command: string; agent: string; onClose: () => void }

function CommandDialog({ command, agent, onClose }: CommandProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const copy = async () => {
    await copyWithToast(command)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} className={css.dialog} aria-labelledby="session-title" onClose={onClose}>
      <h2 id="session-title" className={dialogCss.title}>{`Resume ${agent}’s session`}</h2>
      <p className="quiet">Run this in a terminal on the machine the agent ran on.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <pre className={css.command} tabIndex={0}>
        {command}
      </pre>
      <p className="quiet">
        If the server runs on your own machine, it can open the session for you: set INBOX_TERMINAL
        to your terminal.
      </p>
      <div className={dialogCss.buttons}>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
        {navigator.clipboard === undefined ? null : (
          <Button look="ink" icon={Copy} autoFocus onClick={() => void copy()}>
            Copy
          </Button>
        )}
      </div>
    </dialog>
  )
}
