import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asking } from '../../api/queries.ts'
import { DisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from './badges.tsx'
import css from './details.module.css'
import { Risk, typeOf } from './labels.tsx'
import type { WholeRequest } from './request-query.ts'
import type { ApprovalSearch } from './search.ts'

export function Details({ whole: { request, links } }: { whole: WholeRequest }) {
  const { status, type, risk, revision, entity_type, entity_id, requester, workspace_id } = request
  const { created_at, expires_at, decided_by, decided_at, recipient, policy } = request
  return (
    <aside className={css.details} aria-label="Details">
      <h2 className="row text-pane line-bottom px-6 h-header">Details</h2>
      <dl className={css.list}>
        <dt>Status</dt>
        <dd>
          <Status status={status} />
        </dd>
        <dt>Type</dt>
        <dd>{typeOf(type).word}</dd>
        <dt>Risk</dt>
        <dd>
          {risk === null ? <span className={css.quiet}>Not given</span> : <Risk level={risk} />}
        </dd>
        <dt>Revision</dt>
        <dd>{revision}</dd>
        {entity_type === '' ? null : (
          <>
            <dt>Entity</dt>
            <dd>{entity_id === '' ? entity_type : `${entity_type} ${entity_id}`}</dd>
          </>
        )}
        <dt>Requested by</dt>
        <dd className="row gap-4">
          <Avatar name={requester} size="line" />
          {requester}
        </dd>
        <dt>Sent to</dt>
        <dd>{recipient === '' ? 'Everyone' : recipient}</dd>
        {policy === 'human_only' ? null : (
          <>
            <dt>Who decides</dt>
            <dd>{policy === 'named' ? request.deciders.join(', ') : 'Anyone but the requester'}</dd>
          </>
        )}
        {workspace_id === '' ? null : (
          <>
            <dt>Workspace</dt>
            <dd>
              <Workspace id={workspace_id} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Moment at={created_at} />
        </dd>
        <dt>Expires</dt>
        <dd>
          {expires_at === null ? (
            <span className={css.quiet}>Never</span>
          ) : (
            <Moment at={expires_at} />
          )}
        </dd>
        <dt>Decided</dt>
        <dd>
          {decided_at === null ? (
            <span className={css.quiet}>Not yet</span>
          ) : (
            <>
              <Moment at={decided_at} /> by <DisplayName name={decided_by ?? ''} isWithin />
            </>
          )}
        </dd>
      </dl>
      {links.length === 0 ? null : (
        <section className="px-6 pb-6" aria-labelledby="threads-title">
          <h3 id="threads-title" className={css.quiet}>
            Threads
          </h3>
          <ul>
            {links.map(({ thread_id, subject, status }) => (
              <li key={thread_id}>
                <Link
                  className="block py-3 hover-underline"
                  to="."
                  search={(before: ApprovalSearch) => ({ ...before, thread: thread_id })}
                >
                  {subject} <span className={css.quiet}>{status.replace('_', ' ')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

/** Falls back to the id when the workspace has been removed. */
function Workspace({ id }: { id: string }) {
  const { data } = useQuery(asking('workspace list', {}))
  return data?.workspaces.find(({ workspace_id }) => workspace_id === id)?.label ?? id
}
