import { useQuery } from '@tanstack/react-query'
import { asking } from '../../api/queries.ts'
import { FirstRun } from '../../items/agent/first-run.tsx'
import { Button } from '../../ui/button.tsx'
import css from '../../ui/list.module.css'
import { type InboxFilters, isFiltered } from './search.ts'

export function EmptyList({ filters, clear }: { filters: InboxFilters; clear: () => void }) {
  if (!isFiltered(filters)) return <NothingThere />
  return (
    <div className={css.empty}>
      <p>{textFor(filters)}</p>
      <Button onClick={clear}>Clear filters</Button>
    </div>
  )
}

function textFor({ view, agent, ws, q }: InboxFilters): string {
  const isUnreadOnly = view === 'unread' && agent === undefined && ws === undefined
  if (isUnreadOnly && q === undefined) return 'You’re all caught up. Nothing is unread.'
  const what = view === undefined ? 'messages' : `${view} messages`
  const from = agent === undefined ? '' : ` from ${agent}`
  const where = ws === undefined ? '' : ' in this workspace'
  const containing = q === undefined ? '' : ` with “${q}”`
  return `No ${what}${from}${where}${containing}.`
}

function NothingThere() {
  const snoozed = useQuery(asking('desk list', { snoozed: true, limit: 1 }))
  const trashed = useQuery(asking('push history', { trashed: true, limit: 1 }))
  if (!snoozed.isFetched || !trashed.isFetched) return null
  const isDone = (snoozed.data?.rows.length ?? 0) + (trashed.data?.entries.length ?? 0) > 0
  return isDone ? (
    <div className={css.empty}>
      <p>You’re all caught up.</p>
    </div>
  ) : (
    <FirstRun />
  )
}
