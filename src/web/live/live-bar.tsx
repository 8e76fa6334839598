// Above every screen while the server is away, and for a moment after it is back.

import { Wifi, WifiOff } from 'lucide-react'
import { clockOf } from '../ui/time.tsx'
import { useLive } from './live.ts'
import css from './live-bar.module.css'
import { useWaiting } from './outbox.ts'

export function LiveBar() {
  const { state, since, back } = useLive()
  const waiting = useWaiting().length
  if (state === 'offline') {
    return (
      <p className={css.bar} data-state="offline" role="status">
        <WifiOff size={16} aria-hidden />
        <span>
          <b>{`Offline since ${clockOf(new Date(since))}.`}</b> What you see may be out of date.{' '}
          {waiting === 0
            ? 'What you read, trash or write will be sent when you’re back.'
            : `${actions(waiting)} will be sent when you’re back.`}
        </span>
      </p>
    )
  }
  if (back === null) return null
  const fresh = back.fresh === 0 ? 'Back online.' : `Back online, ${back.fresh} new.`
  return (
    <p className={css.bar} data-state="back" role="status">
      <Wifi size={16} aria-hidden />
      <span>
        <b>{fresh}</b>
        {back.sent === 0 ? null : ` ${back.sent === 1 ? '1 action' : `${back.sent} actions`} sent.`}
      </span>
    </p>
  )
}

function actions(count: number): string {
  return count === 1 ? '1 action' : `${count} actions`
}
