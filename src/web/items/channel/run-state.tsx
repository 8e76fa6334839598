import { leftIn, useMinute } from '../../ui/time.tsx'
import css from './channel.module.css'
import type { ChannelView } from './channel.tsx'

export const ENDS: Record<string, string> = {
  idle: 'All agents were done',
  stopped: 'It was stopped',
  no_kickoff: 'Nobody was asked to begin',
  timeout: 'Its time was over',
  failed: 'It failed',
  budget: 'Its budget was used up',
  hops: 'Its agents woke each other too often',
  lost: 'Its runner was not heard of any more',
}

/** How the run stands, in the header: since when it runs, whether it stops, or that it is over. */
export function RunState({ overview: { instance, now: at } }: { overview: ChannelView }) {
  const { state, started_at, stop_at, kept } = instance
  const now = useMinute()
  const isFailed = ['failed', 'lost', 'timeout', 'budget', 'hops'].includes(instance.ended)
  const look =
    state === 'ended'
      ? isFailed
        ? 'failed'
        : 'ended'
      : !kept
        ? 'lost'
        : stop_at === null
          ? 'running'
          : 'stopping'
  const since = lengthOf(started_at, Math.max(now, new Date(at).getTime()))
  const words = {
    running: `Running${since}`,
    stopping: 'Stopping',
    lost: 'Runner is not heard of',
    ended: 'Ended',
    failed: 'Failed',
  }[look]
  return (
    <span className={css.state} data-look={look}>
      <span className={css.sign} aria-hidden />
      <span>{words}</span>
    </span>
  )
}

function lengthOf(from: string, now: number): string {
  const past = Math.max(0, now - new Date(from).getTime())
  // The same words as for the time that is left.
  return past < 60_000 ? '' : ` ${leftIn(new Date(now + past).toISOString(), now)}`
}
