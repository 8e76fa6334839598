import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { inShell } from '../../api/in-shell.ts'
import { everyPage, pagesOf, usePages } from '../../api/pages.ts'
import { me, queries } from '../../api/queries.ts'
import { OpenPush } from '../../items/push/push.tsx'
import { focusRow, useMovement } from '../../shell/movement.ts'
import { amountOf } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { ListEmpty, ListHeader, ListPane } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { RowTime } from '../../ui/moment.tsx'
import { LinkedRow } from '../../ui/row.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'

const PAGE = 100

export function TrashScreen() {
  const { id } = useParams({ strict: false })
  const trash = usePages(pagesOf('push history', { trashed: true, limit: PAGE }), 'entries')
  const { rows: entries, first } = trash
  const ids = entries.map(({ entry_id }) => entry_id)
  useMovement(ids, id, '/trash/$id')
  const total = first?.trashed ?? 0
  const subject = entries.find(({ entry_id }) => entry_id === id)?.subject ?? ''
  const handling = useHandling(ids, id, subject)
  const { data: server } = useQuery(me)
  return (
    <>
      <ListScreen
        title="Trash"
        titleId="trash-title"
        hint="Select a message to restore it."
        opened={
          id === undefined ? null : (
            <OpenPush key={id} id={id} isTrashed backTo="/trash" tools={handling.tools} />
          )
        }
        list={
          <ListPane
            titleId="trash-title"
            what="trash"
            header={
              <ListHeader
                title="Trash"
                count={total === 0 ? '' : total}
                tools={total === 0 ? null : <Empty />}
              />
            }
            note={
              <p className="meta quiet py-4 px-5">
                {
                  'Messages are deleted forever after 30 days in the trash, unless someone still has something to read in them. The server does this daily; while no server is running, only '
                }
                <code className="break">{inShell(server, 'prune')}</code>
                {' does.'}
              </p>
            }
            queries={[trash.query]}
            isEmpty={entries.length === 0}
            empty={<ListEmpty>The trash is empty.</ListEmpty>}
            more="Show older"
          >
            <ul>
              {entries.map(({ entry_id, subject, agent, trashed_at, workspace_label }) => (
                <LinkedRow
                  key={entry_id}
                  to="/trash/$id"
                  id={entry_id}
                  isOpen={id === entry_id}
                  name={agent}
                  title={subject}
                  time={trashed_at === null ? '' : <RowTime at={trashed_at} />}
                  who={agent}
                  about={workspace_label}
                />
              ))}
            </ul>
          </ListPane>
        }
      />
      {handling.confirm}
    </>
  )
}

/** Restores or deletes the open message, then opens the next one. */
function useHandling(ids: readonly string[], id: string | undefined, subject: string) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const goOn = (isDone: boolean) => {
    if (!isDone) return
    const at = ids.indexOf(id ?? '')
    const next = ids[at + 1] ?? ids[at - 1]
    const isPhone = matchMedia('(max-width: 767px)').matches
    if (next === undefined || isPhone || at < 0) return void navigate({ to: '/trash' })
    void navigate({ to: '/trash/$id', params: { id: next }, replace: true })
    focusRow(next)
  }
  const open = id === undefined ? [] : [id]
  const restoreIt = () => void restore(open, subject).then(goOn)
  const ask = () => setAsked(true)
  const group = 'Trash'
  const commands = [
    { title: 'Restore', keys: 'z', group, icon: RotateCcw, run: restoreIt },
    { title: 'Delete forever', keys: 'Delete', group, icon: Trash2, run: ask },
    { title: 'Delete forever', keys: 'Backspace', group, icon: Trash2, run: ask },
  ]
  useCommands(id === undefined ? [] : commands)
  return {
    tools: (
      <>
        <Button look="quiet" icon={RotateCcw} hint="z" onClick={restoreIt}>
          Restore
        </Button>
        <Button look="quiet" icon={Trash2} hint="Backspace" onClick={ask}>
          Delete…
        </Button>
      </>
    ),
    confirm: (
      <Confirm
        isOpen={isAsked}
        title={subject === '' ? 'Delete this message forever?' : `Delete “${subject}” forever?`}
        action="Delete forever"
        onClose={() => setAsked(false)}
        onConfirm={() => void deleteForever(open).then(goOn)}
      >
        <p>
          This removes its text and all replies from the store. The documents stay where they are.
        </p>
      </Confirm>
    ),
  }
}

function Empty() {
  const [asked, setAsked] = useState<string[] | null>(null)
  const [done, setDone] = useState<{ of: number; count: number } | null>(null)
  const navigate = useNavigate()
  const ask = async () => {
    const ids = await inTrash()
    if (ids.length > 0) setAsked(ids)
  }
  const empty = async (ids: string[]) => {
    const of = ids.length
    setDone({ of, count: 0 })
    await deleteAll(ids, (count) => setDone({ of, count }))
    setDone(null)
    void navigate({ to: '/trash' })
  }
  const messages = amountOf(asked?.length ?? 0, 'message')
  return (
    <>
      {done === null ? (
        <Button look="quiet" icon={Trash2} onClick={() => void ask()}>
          Empty…
        </Button>
      ) : (
        <span role="status">{`${done.count} of ${done.of} deleted`}</span>
      )}
      <Confirm
        isOpen={asked !== null}
        title={`Delete ${messages} forever?`}
        action={`Delete ${messages}`}
        onClose={() => setAsked(null)}
        onConfirm={() => void empty(asked ?? [])}
      >
        <p>
          This removes their text and all replies from the store. The documents stay where they are.
        </p>
      </Confirm>
    </>
  )
}

const NOTICE = 'trash'
const MOST = 500

async function restore(ids: string[], subject: string): Promise<boolean> {
  return saying(async () => {
    await call('push restore', { entries: ids })
    const run = () => {
      dismissToast(NOTICE)
      void saying(() => call('push trash', { entries: ids }))
    }
    const undo = { run, until: Date.now() + 10_000 }
    showToast({ id: NOTICE, text: 'Back in the inbox', more: subject, undo })
  })
}

async function deleteForever(ids: string[]): Promise<boolean> {
  return saying(async () => {
    await call('push delete', { entries: ids })
    showToast({ id: NOTICE, text: 'Deleted forever' })
  })
}

/** All messages that are in the trash now, so that the person confirms exactly what would be deleted. */
async function inTrash(): Promise<string[]> {
  const ids: string[] = []
  await saying(async () => {
    for await (const { entries } of everyPage('push history', { trashed: true, limit: MOST })) {
      ids.push(...entries.map(({ entry_id }) => entry_id))
    }
  })
  return ids
}

async function deleteAll(ids: string[], onProgress: (done: number) => void): Promise<void> {
  await saying(async () => {
    for (let at = 0; at < ids.length; at += MOST) {
      await call('push delete', { entries: ids.slice(at, at + MOST) })
      onProgress(Math.min(ids.length, at + MOST))
    }
    showToast({ id: NOTICE, text: `Deleted ${amountOf(ids.length, 'message')} forever` })
  })
}

async function saying(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    showToast({ id: NOTICE, text: `Couldn’t update the trash: ${why}`, isFailure: true })
    return false
  } finally {
    void queries.invalidateQueries({ queryKey: ['push history'] })
    void queries.invalidateQueries({ queryKey: ['desk list'] })
  }
}
