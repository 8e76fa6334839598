// Notifications: short messages from programs, in a separate, quiet list. None of them ever needs the person.

import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CheckCheck } from 'lucide-react'
import { call } from '../../api/call.ts'
import { everyPage, pagesOf, usePages } from '../../api/pages.ts'
import { queries } from '../../api/queries.ts'
import { OpenPush } from '../../items/push/push.tsx'
import { useMovement } from '../../shell/movement.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { ListEmpty, ListHeader, ListPane } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { RowTime } from '../../ui/moment.tsx'
import { LinkedRow } from '../../ui/row.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'

const PAGE = 100
const MOST = 500
const NOTICE = 'notifications'

export function NotificationsScreen() {
  const { id } = useParams({ strict: false })
  const { query, rows, first } = usePages(
    pagesOf('desk list', { notifications: true, limit: PAGE }),
    'rows',
  )
  const ids = rows.map(({ thread_id }) => thread_id)
  useMovement(ids, id, '/notifications/$id')
  const unread = first?.unread ?? 0
  const { markAll, isPending } = useMarkAll(unread, first?.next_event_id ?? 0)
  const tools =
    unread === 0 ? null : (
      <Button look="quiet" icon={CheckCheck} hint="M" disabled={isPending} onClick={markAll}>
        {unread === 1 ? 'Mark as read' : `Mark all ${unread} as read`}
      </Button>
    )
  return (
    <ListScreen
      title="Notifications"
      titleId="notifications-title"
      hint="Select a notification."
      opened={id === undefined ? null : <OpenPush key={id} id={id} backTo="/notifications" />}
      list={
        <ListPane
          titleId="notifications-title"
          what="notifications"
          header={<ListHeader title="Notifications" tools={tools} />}
          queries={[query]}
          isEmpty={rows.length === 0}
          empty={<ListEmpty>No notifications yet.</ListEmpty>}
          more="Show older"
        >
          <ul>
            {rows.map(({ thread_id, title, latest_from, preview, unread: count, at }) => (
              <LinkedRow
                key={thread_id}
                to="/notifications/$id"
                id={thread_id}
                isOpen={id === thread_id}
                sign={count > 0 ? 'unread' : 'none'}
                isStrong={count > 0}
                {...(count > 0 ? { spoken: 'Unread. ' } : {})}
                name={latest_from}
                title={title}
                time={<RowTime at={at} />}
                who={latest_from}
                about={preview}
              />
            ))}
          </ul>
        </ListPane>
      }
    />
  )
}

/** Marks only the notifications that the button counted. Later ones stay unread. */
function useMarkAll(unread: number, upTo: number) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const wanted = await unreadUpTo(upTo)
      const changed = await inPieces(wanted, (entries) => call('push read', { entries }))
      return changed.flatMap((one) => one.changed)
    },
    onSuccess(changed) {
      const run = () => {
        dismissToast(NOTICE)
        void inPieces(changed, (entries) => call('push unread', { entries })).finally(refetch)
      }
      const text = changed.length === 1 ? 'Marked 1 as read' : `Marked ${changed.length} as read`
      showToast({ id: NOTICE, text, undo: { run, until: Date.now() + 10_000 } })
    },
    onError: ({ message }) =>
      showToast({ id: NOTICE, text: `Couldn’t mark them as read: ${message}`, isFailure: true }),
    onSettled: refetch,
  })
  const markAll = () => mutate()
  const command = { title: 'Mark all as read', keys: 'M', icon: CheckCheck, run: markAll }
  useCommands(unread === 0 ? [] : [{ ...command, group: 'Notifications' }])
  return { markAll, isPending }
}

function refetch(): void {
  void queries.invalidateQueries({ queryKey: ['desk list'] })
}

async function unreadUpTo(event: number): Promise<string[]> {
  const found: string[] = []
  const input = { notifications: true, unread: true, limit: MOST, before: event + 1 }
  for await (const { rows } of everyPage('desk list', input)) {
    found.push(...rows.map(({ thread_id }) => thread_id))
  }
  return found
}

async function inPieces<T>(ids: string[], change: (some: string[]) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let at = 0; at < ids.length; at += MOST) {
    answers.push(await change(ids.slice(at, at + MOST)))
  }
  return answers
}
