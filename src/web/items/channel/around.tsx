import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, X } from 'lucide-react'
import { asking } from '../../api/queries.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { sinceIn, TimeAgo } from '../../ui/moment.tsx'
import { leftIn, useMinute } from '../../ui/time.tsx'
import { AgentStatusLabel, LOOK_AGAIN_MS, useWaiting } from '../agent/agent-status.tsx'
import css from './around.module.css'
import type { ChannelView } from './channel.tsx'
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
      <div className="grow min-h-0 scroll pb-6 ring-in" tabIndex={0}>
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

/** Shows what the agent is waiting for, or else its last message, or else its lease. */
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

/** Lists the entry point first, and shows who last changed each document. */
function DocumentLinks({ instance, file }: { instance: string; file: string | undefined }) {
  const list = useQuery({
    ...asking('workflow context doc list', { instance }),
    // Agents also write files directly, which doesn't record an event.
    refetchInterval: LOOK_AGAIN_MS,
  })
  const { data: changes } = useQuery(asking('workflow context doc history', { instance }))
  const called = useDisplayName()
  const { documents, has_more: hasMore = false } = list.data ?? {}
  return (
    <>
      <h3 className={css.caption}>
        Documents{' '}
        <span>{documents === undefined ? '' : `${documents.length}${hasMore ? '+' : ''}`}</span>
      </h3>
      {list.error === null ? null : (
        <p
          className="quiet px-6"
          role="alert"
        >{`Couldn’t load the documents: ${list.error.message}.`}</p>
      )}
      {documents?.length === 0 ? <p className="quiet px-6">No documents yet.</p> : null}
      <ul className="px-4">
        {documents?.map(({ file: one, modified_at }) => {
          const last = changes?.revisions.find((revision) => revision.file === one)
          const by = called(last?.written_by ?? '').split('@')[0]
          return (
            <li key={one}>
              <Link
                className={css.document}
                to="/channels/$id/doc/$"
                params={{ id: instance, _splat: one }}
                search={{}}
                aria-current={one === file ? 'true' : undefined}
              >
                <FileText size={14} aria-hidden />
                <span className="truncate code grow" dir="auto">
                  {one}
                </span>
                <span className="rigid quiet small" dir="auto">
                  {by} <TimeAgo at={modified_at} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
