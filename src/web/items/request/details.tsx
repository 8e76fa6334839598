import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asking } from '../../api/queries.ts'
import { DisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Fact } from '../../ui/detail.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../status/request-status.tsx'
import { Risk, typeOf } from './labels.tsx'
import css from './request.module.css'
import type { WholeRequest } from './request-query.ts'
import type { ApprovalSearch } from './search.ts'

export function Details({ whole: { request, links } }: { whole: WholeRequest }) {
  const { status, type, risk, revision, entity_type, entity_id, requester, workspace_id } = request
  const { created_at, expires_at, decided_by, decided_at, recipient, policy } = request
  return (
    <aside className={css.details} aria-label="Details">
      <h2 className="row text-pane line-bottom px-6 h-header">Details</h2>
      <dl className="grid gap-5 p-6">
        <Fact name="Status">
          <Status status={status} />
        </Fact>
        <Fact name="Type">{typeOf(type).word}</Fact>
        <Fact name="Risk">{risk === null ? <None>Not given</None> : <Risk level={risk} />}</Fact>
        <Fact name="Revision">{revision}</Fact>
        {entity_type === '' ? null : (
          <Fact name="Entity">
            {entity_id === '' ? entity_type : `${entity_type} ${entity_id}`}
          </Fact>
        )}
        <Fact name="Requested by">
          <span className="row gap-4">
            <Avatar name={requester} size="line" />
            {requester}
          </span>
        </Fact>
        <Fact name="Sent to">{recipient === '' ? 'Everyone' : recipient}</Fact>
        {policy === 'human_only' ? null : (
          <Fact name="Who decides">
            {policy === 'named' ? request.deciders.join(', ') : 'Anyone but the requester'}
          </Fact>
        )}
        {workspace_id === '' ? null : (
          <Fact name="Workspace">
            <Workspace id={workspace_id} />
          </Fact>
        )}
        <Fact name="Created">
          <Moment at={created_at} />
        </Fact>
        <Fact name="Expires">
          {expires_at === null ? <None>Never</None> : <Moment at={expires_at} />}
        </Fact>
        <Fact name="Decided">
          {decided_at === null ? (
            <None>Not yet</None>
          ) : (
            <>
              <Moment at={decided_at} /> by <DisplayName name={decided_by ?? ''} isWithin />
            </>
          )}
        </Fact>
      </dl>
      {links.length === 0 ? null : (
        <section className="px-6 pb-6" aria-labelledby="threads-title">
          <h3 id="threads-title" className="quiet">
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
                  {subject} <span className="quiet">{status.replace('_', ' ')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

function None({ children }: { children: string }) {
  return <span className="quiet">{children}</span>
}

/** Falls back to the id when the workspace has been removed. */
function Workspace({ id }: { id: string }) {
  const { data } = useQuery(asking('workspace list', {}))
  return data?.workspaces.find(({ workspace_id }) => workspace_id === id)?.label ?? id
}
