// Above every screen while the server is away, and for a moment after it is back.

import { Wifi, WifiOff } from 'lucide-react'
import { amountOf } from '../ui/amounts.ts'
import { clockOf } from '../ui/time.tsx'
import { useLive } from './live.ts'
import { useWaiting } from './outbox.ts'

const LOOK = 'row meta gap-5 rigid quiet surface-0 line-bottom control-h py-3 px-6'

export function LiveBar() {
  const { state, since, back } = useLive()
  const waiting = useWaiting().length
  if (state === 'offline') {
    return (
      <p className={LOOK} role="status">
        <WifiOff size={16} aria-hidden />
        <span>
          <b className="ink medium">{`Offline since ${clockOf(new Date(since))}.`}</b> What you see
          may be out of date.{' '}
          {waiting === 0
            ? 'What you read, trash or write will be sent when you’re back.'
            : `${amountOf(waiting, 'action')} will be sent when you’re back.`}
        </span>
      </p>
    )
  }
  if (back === null) return null
  const fresh = back.fresh === 0 ? 'Back online.' : `Back online, ${back.fresh} new.`
  return (
    <p className={LOOK} role="status">
      <Wifi size={16} className="teal" aria-hidden />
      <span>
        <b className="ink medium">{fresh}</b>
        {back.sent === 0 ? null : ` ${amountOf(back.sent, 'action')} sent.`}
      </span>
    </p>
  )
}
