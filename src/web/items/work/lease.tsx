import { useDisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { countdown } from '../../ui/countdown.ts'
import { clockOf, useCountdown } from '../../ui/time.tsx'
import type { WorkLease, WorkMessage, WorkThread } from './story.ts'
import css from './work.module.css'

type Props = { thread: WorkThread; lease: WorkLease; messages: readonly WorkMessage[] }

/** A lease is the thread's: people see who holds it and until when, and take none over. */
export function Lease({ thread, lease, messages }: Props) {
  const called = useDisplayName()
  if (lease !== null) return <Held lease={lease} />
  const { status, assigned_to, updated_at } = thread
  const worker = called(assigned_to)
  const claim = messages.findLast(({ kind }) => kind === 'event')
  if (status !== 'pending' || claim === undefined) {
    return (
      <p className={css.lease}>
        {status === 'pending'
          ? `No lease. The work waits until ${worker} takes it.`
          : 'No lease. Nobody holds the work just now.'}
      </p>
    )
  }
  // A lease that lapses says nothing in the thread; the thread changes at that moment.
  const last = messages.at(-1)
  const at =
    last !== undefined && updated_at > last.created_at ? ` at ${clockOf(new Date(updated_at))}` : ''
  return (
    <p className={css.lease}>
      <b>{`${called(claim.from_agent)}’s lease ran out${at}.`}</b>
      {`The work waits until ${worker} takes it up again.`}
    </p>
  )
}

function Held({
  lease: { agent, expires_at, live, generation },
}: {
  lease: NonNullable<WorkLease>
}) {
  const called = useDisplayName()
  const now = useCountdown(expires_at)
  const ends = clockOf(new Date(expires_at))
  const isOver = !live || new Date(expires_at).getTime() <= now
  const times = generation === 1 ? '' : `, claimed ${generation} times`
  return (
    <div className={css.lease} data-over={isOver}>
      <Avatar name={agent} />
      <p className={css.holder}>
        <b>
          {isOver
            ? `${called(agent)}’s lease ran out at ${ends}`
            : `${called(agent)} holds the lease`}
        </b>{' '}
        <span className={css.quiet}>
          {isOver ? 'Others may take the work up.' : `until ${ends}${times}`}
        </span>
      </p>
      {isOver ? null : (
        <span className={css.clock} aria-hidden>
          {countdown(expires_at, now)}
        </span>
      )}
    </div>
  )
}
