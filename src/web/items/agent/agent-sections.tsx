import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleX, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WakeSettings } from '../../../core/agents/agent.ts'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking } from '../../api/queries.ts'
import { Fact } from '../../ui/detail.tsx'
import { localizeTimes, Moment } from '../../ui/moment.tsx'
import { leftIn, useMinute } from '../../ui/time.tsx'
import { Ladder } from '../thread/ladder.tsx'
import css from './agent.module.css'
import type { ListedAgent } from './agent-status.tsx'

type ListedWake = OperationAnswer<'wake log'>['wakes'][number]

const SHOWN = 10

/** Shows when the agent is started, whether it would start now, and how its recent starts went. */
export function Waking({ agent: { agent_id, wake } }: { agent: ListedAgent }) {
  const explained = useQuery(asking('wake explain', { agent: agent_id })).data
  const log = useQuery(asking('wake log', { agent: agent_id, limit: SHOWN })).data
  const now = useMinute()
  const canBeStarted = wake.command !== undefined
  return (
    <>
      <Part title="Waking">
        {explained === undefined ? null : (
          <p className="quiet break">
            {`${explained.wakes ? 'Would start now' : 'Would not start now'}: ${localizeTimes(explained.why, now)}.`}
            {explained.broker || !canBeStarted
              ? ''
              : ' No broker is running, so nothing will start it.'}
          </p>
        )}
        {canBeStarted ? (
          <dl className="grid gap-4">
            <Settings wake={wake} />
            {explained === undefined ? null : (
              <>
                <Fact name="Mail">
                  {explained.types.join(', ')}
                  {explained.types_from_people.length > explained.types.length
                    ? ', and anything else from a person'
                    : ''}
                </Fact>
                <Fact name="This hour">
                  {explained.budget_left === 1
                    ? '1 start left'
                    : `${explained.budget_left} starts left`}
                </Fact>
                {explained.next_timer === null ? null : (
                  <Fact name="Next start">
                    <Moment at={explained.next_timer} />
                  </Fact>
                )}
              </>
            )}
          </dl>
        ) : null}
      </Part>
      {log === undefined || log.wakes.length === 0 ? null : (
        <Part title="Wake log">
          <ol className="grid gap-5">
            {log.wakes.map((one) => (
              <Start key={one.wake_id} wake={one} />
            ))}
          </ol>
        </Part>
      )}
    </>
  )
}

function Settings({ wake }: { wake: WakeSettings }) {
  const { command = [], cwd, every_seconds, cron, quiet } = wake
  return (
    <>
      <Fact name="Command">
        <code className="break text-code">{command.join(' ')}</code>
      </Fact>
      {cwd === undefined ? null : (
        <Fact name="Folder">
          <code className="break text-code">{cwd}</code>
        </Fact>
      )}
      {every_seconds === undefined ? null : (
        <Fact name="Timer">{`every ${every_seconds} sec`}</Fact>
      )}
      {cron === undefined ? null : (
        <Fact name="Timer">
          <code className="break text-code">{cron}</code>
        </Fact>
      )}
      {quiet === undefined ? null : (
        <Fact name="Quiet hours">{`${quiet[0]}:00 to ${quiet[1]}:00`}</Fact>
      )}
    </>
  )
}

const CAUSES: Record<ListedWake['cause'], string> = {
  mail: 'for mail',
  timer: 'by its timer',
  workspace_event: 'after a review',
}

function Start({ wake }: { wake: ListedWake }) {
  const hasFailed = wake.state === 'failed' || wake.state === 'lost'
  const Icon = hasFailed ? CircleX : wake.state === 'ended' ? Zap : Circle
  return (
    <li className={css.start} data-failed={hasFailed}>
      <Icon size={14} aria-hidden />
      <span className={css.how}>
        {`Started ${CAUSES[wake.cause]}, ${endOf(wake)}`}
        {wake.stderr === '' ? null : (
          <details>
            <summary>Error output</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
            <pre className={css.printed} tabIndex={0}>
              {wake.stderr}
            </pre>
          </details>
        )}
      </span>
      <span className="quiet break">
        <Moment at={wake.started_at} />
      </span>
    </li>
  )
}

function endOf({ state, reason, started_at, ended_at }: ListedWake): string {
  if (state === 'failed' || state === 'lost') return reason === '' ? state : `${state}: ${reason}`
  if (ended_at === null) return 'still running'
  const took = (new Date(ended_at).getTime() - new Date(started_at).getTime()) / 1000
  return `ended after ${took < 10 ? took.toFixed(1) : Math.round(took)} sec`
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gap-4 line-top pt-6 mt-7" aria-label={title}>
      <h3 className="meta quiet medium">{title}</h3>
      {children}
    </section>
  )
}

const MOST_WORK = 5
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
      <ul className="stack gap-5">
        {held.slice(0, MOST_WORK).map(({ thread_id, subject, status, lease }) => (
          <li key={thread_id}>
            <Link
              className="link text-underline"
              to="/threads/$id"
              params={{ id: thread_id }}
              search={{}}
              dir="auto"
            >
              {subject}
            </Link>
            <p className="quiet break">
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
      {held.length > MOST_WORK ? (
        <Link className="link text-underline" to="/threads" search={{ q: agent }}>
          {`Show ${held.length - MOST_WORK} more`}
        </Link>
      ) : null}
    </Part>
  )
}

const LOOKED_AT = 50
const MOST_SENT = 3

export function Sent({ to }: { to: string }) {
  const { data } = useQuery(asking('mail receipts', { limit: LOOKED_AT }))
  const sent = (data?.messages ?? [])
    .flatMap(({ id, subject, receipts }) => {
      const receipt = receipts.find(({ recipient }) => recipient === to)
      return receipt === undefined ? [] : [{ id, subject, receipt }]
    })
    .slice(-MOST_SENT)
    .reverse()
  if (sent.length === 0) return null
  return (
    <Part title="What you sent">
      <ul className="stack gap-5">
        {sent.map(({ id, subject, receipt }) => (
          <li key={id}>
            <p className="truncate" dir="auto">
              {subject}
            </p>
            <Ladder receipt={receipt} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
