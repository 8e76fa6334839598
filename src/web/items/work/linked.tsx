// The things that belong to a thread: requests that name it, and files that its messages point at, as paths.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, Stamp } from 'lucide-react'
import { asking } from '../../api/queries.ts'
import { TimeAgo } from '../../ui/moment.tsx'
import { STATUSES } from '../status/request-status.ts'
import type { WorkMessage } from './story.ts'
import css from './work.module.css'

type Props = { threadId: string; messages: readonly WorkMessage[] }

export function Linked({ threadId, messages }: Props) {
  const { data } = useQuery(asking('request list', { tab: 'all', thread: threadId, limit: 20 }))
  const requests = data?.requests ?? []
  const files = messages.flatMap(({ artifacts, from_agent }) =>
    artifacts.map((artifact) => ({ ...artifact, from_agent })),
  )
  if (requests.length + files.length === 0) return null
  return (
    <section aria-labelledby="linked-title">
      <h3 id="linked-title" className={css.heading}>
        Linked
      </h3>
      <ul>
        {requests.map(({ request_id, title, status, created_at }) => (
          <li key={request_id}>
            <Link className={css.link} to="/approvals/$id" params={{ id: request_id }} search={{}}>
              <Stamp size={16} aria-hidden />
              <span className={css.name} dir="auto">
                {title}
              </span>
              <span className={css.quiet}>{STATUSES[status].word}</span>
              <TimeAgo at={created_at} />
            </Link>
          </li>
        ))}
        {files.toReversed().map(({ artifact_id, path, kind, created_at }) => (
          <li key={artifact_id} className={css.link}>
            <FileText size={16} aria-hidden />
            <span className={css.path}>{path}</span>
            <span className={css.quiet}>{kind}</span>
            <TimeAgo at={created_at} />
          </li>
        ))}
      </ul>
    </section>
  )
}
