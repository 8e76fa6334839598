// The inbox: its list, and the open item beside it. The two render separately, so moving through the list doesn't wait
// for the item that opens.

import { useParams } from '@tanstack/react-router'
import { lazy, memo } from 'react'
import { LazyPane } from '../../shell/skeleton.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { loadActions } from './control.ts'
import { List, loadLater } from './list.tsx'

const OpenPush = lazy(async () => ({ default: (await loadLater()).OpenPush }))
const OpenRequest = lazy(async () => ({ default: (await loadLater()).OpenRequest }))
const OpenThread = lazy(async () => ({ default: (await loadLater()).OpenThread }))

const SOON_MS = 500

/** Loads the code for opening and acting on rows, a moment after the first rows are drawn. */
function loadSoon(): () => void {
  const timer = setTimeout(() => {
    // If loading fails, the pane that needs the code says so.
    loadLater().catch(() => {})
    loadActions().catch(() => {})
  }, SOON_MS)
  return () => clearTimeout(timer)
}

export function InboxScreen() {
  const { id } = useParams({ strict: false })
  return (
    <ListScreen
      title="Inbox"
      titleId="inbox-title"
      list={<List openId={id} whenListed={loadSoon} />}
      opened={id === undefined ? null : <Item key={id} id={id} />}
      hint="Select a message."
    />
  )
}

/** The prefix of an id identifies the kind of item. */
const Item = memo(function Item({ id }: { id: string }) {
  const isRequest = id.startsWith('req_')
  const Opened = isRequest ? OpenRequest : id.startsWith('thr_') ? OpenThread : OpenPush
  return (
    <LazyPane label={isRequest ? 'Request' : 'Message'}>
      <Opened id={id} />
    </LazyPane>
  )
})
