// The work that an agent has, and the leases it holds now: since when, and for how long.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asking } from '../../api/queries.ts'
import { Moment } from '../../ui/moment.tsx'
import { leftIn, useMinute } from '../../ui/time.tsx'
import css from './agent.module.css'
import { Part } from './part.tsx'

const SHOWN = 5
const UNDER_WAY = ['claimed', 'in_progress', 'blocked'] as const

export function Held({ agent }: { agent: string }) {
  const input = { agent, status: [...UNDER_WAY], standing: true, limit: 50 }
  const { data } = useQuery(asking('list', input))
  const now = useMinute(10_000)
  const held = (data?.threads ?? []).filter(
    ({ assigned_to, lease }) => assigned_to === agent || lease?.agent === agent,
  )
  if (held.length === 0) return null
  return (
    <Part title="Work">
      <ul className={css.sent}>
        {held.slice(0, SHOWN).map(({ thread_id, subject, status, lease }) => (
          <li key={thread_id}>
            <Link
              className={css.link}
              to="/threads/$id"
              params={{ id: thread_id }}
              search={{}}
              dir="auto"
            >
              {subject}
            </Link>
            <p className={css.quiet}>
              {status.replace('_', ' ')}
              {lease === null || lease === undefined || !lease.live ? (
                ', no lease'
              ) : (
                <>
                  {', held since '}
                  <Moment at={lease.claimed_at} />
                  {`, ${leftIn(lease.expires_at, now)} left`}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {held.length > SHOWN ? (
        <Link className={css.link} to="/threads" search={{ q: agent }}>
          {`Show ${held.length - SHOWN} more`}
        </Link>
      ) : null}
    </Part>
  )
}
