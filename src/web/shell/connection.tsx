import { useQuery } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { asking } from '../api/queries.ts'
import { useLive } from '../live/live.ts'
import { clockOf } from '../ui/time.tsx'
import css from './rail.module.css'
import { usePause, useSettings } from './settings.ts'

export function Connection() {
  const { state, since } = useLive()
  const { data } = useQuery(asking('desk', {}))
  const words = {
    connecting: 'Connecting…',
    live: ['Live', agentsIn(data?.agents)].filter((one) => one !== '').join(' · '),
    reconnecting: 'Reconnecting…',
    offline: `Offline since ${clockOf(new Date(since))}`,
    'signed out': 'Signed out',
  }[state]
  return (
    <p className={css.connection} data-state={state} role="status" title={words}>
      <span className={css.dot} aria-hidden />
      <span className={css.words}>{words}</span>
    </p>
  )
}

function agentsIn(agents: { running: number; idle: number } | undefined): string {
  if (agents === undefined) return ''
  const { running, idle } = agents
  const parts = [running === 0 ? '' : `${running} running`, idle === 0 ? '' : `${idle} idle`]
  return parts.filter((one) => one !== '').join(', ')
}

/** Shows that notifications are paused, so that the person doesn't wait for ones that never come. */
export function Paused() {
  const [, change] = useSettings()
  const until = usePause()
  if (until === null) return null
  const words = `Paused until ${clockOf(new Date(until))}`
  return (
    <button
      type="button"
      className={css.entry}
      title={`${words}. Press to resume`}
      onClick={() => change({ pause_minutes: 0 })}
    >
      <BellOff size={16} aria-hidden />
      <span className={css.words}>{words}</span>
      <span className="spoken">. Resume</span>
    </button>
  )
}
