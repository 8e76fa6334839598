// The inbox: what waits on the person, then everything that was delivered to them, newest first. The list and what is
// opened from it are drawn apart: a step through the list does not wait for what it opens.

import { useParams } from '@tanstack/react-router'
import { lazy, memo } from 'react'
import { LazyRequest } from '../../items/request/lazy-request.tsx'
import { Opening } from '../../shell/skeleton.tsx'
import css from '../../ui/panes.module.css'
import { Unselected } from '../../ui/unselected.tsx'
import { List, loadChosen } from './list.tsx'
import { loadActs } from './list-hands.ts'

const loadPush = () => import('../../items/push/push.tsx')
const loadThread = () => import('./open-thread.tsx')
const OpenPush = lazy(async () => ({ default: (await loadPush()).OpenPush }))
const OpenThread = lazy(async () => ({ default: (await loadThread()).OpenThread }))

/** The first rows are drawn by then. */
const SOON_MS = 500

/** Nobody opens anything before there are rows, and nothing that they wait for comes behind this. */
function loadSoon(): () => void {
  const timer = setTimeout(() => {
    // A page that cannot have them now asks again when one is opened.
    loadPush().catch(() => {})
    loadThread().catch(() => {})
    loadActs().catch(() => {})
    loadChosen().catch(() => {})
  }, SOON_MS)
  return () => clearTimeout(timer)
}

export function InboxScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={css.screen} data-screen data-open={id !== undefined}>
      <h1 id="inbox-title" className={css.spoken}>
        Inbox
      </h1>
      <List openId={id} whenListed={loadSoon} />
      {id === undefined ? (
        <Unselected label="Message" hint="Select a message." />
      ) : (
        <Item key={id} id={id} />
      )}
    </div>
  )
}

/** An id says by its beginning what it is of. */
const Item = memo(function Item({ id }: { id: string }) {
  if (id.startsWith('req_')) return <LazyRequest id={id} />
  return (
    <Opening label="Message">
      {id.startsWith('thr_') ? <OpenThread id={id} /> : <OpenPush id={id} />}
    </Opening>
  )
})
