// The panel beside a channel: its agents with their status, and their documents.

import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Avatar } from '../../ui/avatar.tsx'
import { sinceIn } from '../../ui/moment.tsx'
import { leftIn, useMinute } from '../../ui/time.tsx'
import { AgentStatusLabel, useWaiting } from '../agent/agent-status.tsx'
import css from './around.module.css'
import type { ChannelView } from './channel.tsx'
import { DocumentLinks } from './documents.tsx'
import { StopAgent } from './stop.tsx'

export type ChannelAgent = ChannelView['agents'][number]

type Props = { overview: ChannelView; file: string | undefined }

export function Around({ overview, file }: Props) {
  const { agents, instance } = overview
  return (
    <aside className={css.aside} aria-label="Agents and documents">
      <header className={css.header}>
        <h2 className="semi text-pane">In this channel</h2>
        <Link
          className={css.close}
          to="."
          search={(before: object) => ({ ...before, panel: 'none' }) as never}
          aria-label="Close agents and documents"
        >
          <X size={16} aria-hidden />
        </Link>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <div className="flex-1 min-h-0 scroll pb-6 ring-in" tabIndex={0}>
        <h3 className={css.caption}>
          Agents <span>{agents.length}</span>
        </h3>
        <ul className="px-6">
          {agents.map((agent) => (
            <Agent key={agent.agent_id} agent={agent} isRunning={instance.state === 'running'} />
          ))}
        </ul>
        {instance.thread_id === '' ? null : (
          <DocumentLinks instance={instance.instance} file={file} />
        )}
      </div>
    </aside>
  )
}

function Agent({ agent, isRunning }: { agent: ChannelAgent; isRunning: boolean }) {
  const { name, agent_id, status, unread, stopping, backend } = agent
  const waiting = useWaiting().get(agent_id)
  return (
    <li className={css.agent}>
      <Avatar name={name} />
      <Link
        className={css.name}
        to="/agents/$id"
        params={{ id: agent_id }}
        search={{}}
        dir="auto"
        title={backend}
      >
        {name}
      </Link>
      {stopping ? (
        <span className="amber">{status === 'stopped' ? 'Stopped' : 'Stopping'}</span>
      ) : (
        <AgentStatusLabel status={status as never} isWaiting={waiting !== undefined} />
      )}
      <p className={css.small}>
        {unread === 0 ? null : <span className="rigid amber">{`${unread} unread`}</span>}
        <span className="truncate min-0" dir="auto">
          <Doing agent={agent} title={waiting?.title} />
        </span>
      </p>
      {isRunning && !stopping ? <StopAgent agent={agent} /> : null}
    </li>
  )
}

/** What it's waiting for, else its last message, else its lease. */
function Doing({ agent, title }: { agent: ChannelAgent; title: string | undefined }) {
  const now = useMinute()
  const { said, since, evidence } = agent
  if (title !== undefined) return <>{title}</>
  if (said !== null) {
    return <>{`${sinceIn(new Date(said.created_at), now)}: ${said.summary}`}</>
  }
  if (evidence === 'lease' && since !== null)
    return <>{`Holds a lease, ${leftIn(since, now)} left`}</>
  return <>No messages yet</>
}
