import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Braces, ListTree, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { asking } from '../../api/queries.ts'
import { addressOf } from '../../api/session.ts'
import { DisplayName } from '../../shell/names.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { amountOf } from '../../ui/amounts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Detail, DetailBody, Fact } from '../../ui/detail.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Markdown } from '../documents/document.tsx'
import { Status } from '../status/request-status.tsx'
import { useReadAfterDwell } from '../thread/read-after-dwell.ts'
import { OpenWork } from '../work/work.tsx'
import { Comments, Notes, Timeline } from './activity.tsx'
import { Compare } from './changes.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { Risk, typeOf } from './labels.tsx'
import { Outcome } from './outcome.tsx'
import { Payload } from './payload.tsx'
import css from './request.module.css'
import type { WholeRequest } from './request-query.ts'
import { type ApprovalSearch, filtersIn, useApprovalSearch } from './search.ts'

export type OpenRequestProps = {
  id: string
  onDecided?: (() => void) | undefined
}

export function OpenRequest({ id, onDecided }: OpenRequestProps) {
  const { data, error } = useQuery(asking('request get', { request: id }))
  useReadAfterDwell(id, data?.activity.length)
  if (data === undefined) {
    const gone = 'This request doesn’t exist.'
    return <NotFound label="Request" backTo="/approvals" error={error} gone={gone} />
  }
  return <RequestDetail whole={data} onDecided={onDecided} />
}

type DetailProps = { whole: WholeRequest; onDecided: OpenRequestProps['onDecided'] }

function RequestDetail({ whole, onDecided }: DetailProps) {
  const { request, revisions, decision, activity } = whole
  const [search, setSearch] = useApprovalSearch()
  const isRaw = search.raw === true
  const isInInbox = useLocation().pathname.startsWith('/inbox')
  const [details, toggleDetails] = useDetails()
  const toggleRaw = () => setSearch({ raw: isRaw ? undefined : true })
  useCommands([
    { title: 'Raw JSON', keys: 'b', group: 'Approvals', run: toggleRaw },
    { title: 'Details', keys: 'i', group: 'Approvals', run: toggleDetails },
  ])
  const latest = revisions.at(-1)
  const payload = decision?.payload ?? latest?.payload ?? {}
  return (
    <Detail
      className={css.request}
      titleId="request-title"
      data-details={details}
      backTo={isInInbox ? '/inbox' : '/approvals'}
      backSearch={(before: ApprovalSearch) => filtersIn(before)}
      meta={
        <>
          <Status status={request.status} />
          <span className="quiet truncate min-0">
            {revisions.length > 1 ? `Revision ${request.revision} of ${revisions.length}` : ''}
          </span>
        </>
      }
      tools={
        <>
          <Button
            look="quiet"
            icon={Braces}
            label="Raw JSON"
            hint="b"
            aria-pressed={isRaw}
            onClick={toggleRaw}
          />
          <Button
            look="quiet"
            icon={ListTree}
            label="Details"
            hint="i"
            aria-pressed={details}
            onClick={toggleDetails}
          />
        </>
      }
      foot={
        <>
          <DecisionBar whole={whole} onDecided={onDecided} />
          <Details whole={whole} />
          {search.thread === undefined ? null : (
            <ThreadSheet
              key={search.thread}
              id={search.thread}
              onClose={() => setSearch({ thread: undefined })}
            />
          )}
        </>
      }
    >
      <DetailBody
        titleId="request-title"
        title={request.title}
        width="narrow"
        readCommand="Read the request"
        by={
          <>
            <Avatar name={request.requester} size="line" />
            <b>{request.requester}</b>
            <span className={css.quiet} dir="auto">
              {describeRequest(request.type, payload)}
            </span>
          </>
        }
      >
        <Unrouted whole={whole} />
        <Outcome whole={whole} />
        {latest === undefined || request.decided_at !== null || latest.consequence === '' ? null : (
          <div className={css.consequence}>
            <p className={css.quiet}>If you approve</p>
            <p dir="auto">{latest.consequence}</p>
          </div>
        )}
        {latest === undefined || latest.description === '' ? null : (
          <div className="mt-7">
            <Markdown text={latest.description} />
          </div>
        )}
        <div className="mt-7">
          <Payload
            type={request.type}
            payload={payload}
            isRaw={isRaw}
            isAnswerable={whole.actions.includes('approve')}
          />
        </div>
        <Compare whole={whole} />
        <Notes activity={activity} />
        <Comments activity={activity} requestId={request.request_id} />
        <Timeline activity={activity} />
      </DetailBody>
    </Detail>
  )
}

/** If a review's agent isn't paired with anyone, the review goes to everyone, and says so until it's decided. */
function Unrouted({ whole: { agent_run, request } }: { whole: WholeRequest }) {
  if (agent_run === null || agent_run.warning === '' || request.decided_at !== null) return null
  return (
    <p className={css.warning} role="note">
      <TriangleAlert size={16} aria-hidden />
      <span>
        <b>Unrouted.</b>
        {` No person is paired with ${request.requester}, so this came to you by default. Check its pairing before you decide.`}{' '}
        <Link className="link" to="/agents/$id" params={{ id: request.requester }}>
          Open the agent
        </Link>
      </span>
    </p>
  )
}

/** Shown after the requester's name. */
function describeRequest(type: string, payload: Json): string {
  const { target, tool, destination, files, target_path: path } = isObject(payload) ? payload : {}
  if (type === 'config_change') return `asks to change ${String(target)}`
  if (type === 'tool_invocation') return `asks to run ${String(tool)}`
  if (type === 'knowledge_upload') {
    const count = Array.isArray(files) ? files.length : 0
    return `asks to add ${amountOf(count, 'file')} to ${String(destination)}`
  }
  if (type !== 'workspace_review') return 'asks'
  const about = typeof path === 'string' && path !== '' ? ` of ${path}` : ''
  return `paused and asks for a review${about}`
}

const DETAILS_SETTING = 'details'
const WIDE = '(min-width: 1360px)'

/** Wide screens show the details until the person closes them. Others hide them until the person opens them. */
function useDetails(): [boolean, () => void] {
  const [isShown, setShown] = useState(
    () => matchMedia(WIDE).matches && localStorage.getItem(DETAILS_SETTING) !== 'off',
  )
  const toggle = () => {
    if (matchMedia(WIDE).matches) localStorage.setItem(DETAILS_SETTING, isShown ? 'off' : 'on')
    setShown(!isShown)
  }
  return [isShown, toggle]
}

/** Shows a linked thread beside the request. Escape goes back to the request. */
function ThreadSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className={css.sheet} aria-label="Linked thread" onClose={onClose}>
      <div className={css.sheetHead}>
        <Button autoFocus hint="Escape" onClick={() => dialog.current?.close()}>
          Back to the request
        </Button>
        <a
          className="accent-ink hover-underline"
          href={addressOf(`/threads/${encodeURIComponent(id)}`)}
          target="_blank"
          rel="noreferrer"
        >
          Open in new tab
        </a>
      </div>
      <OpenWork id={id} />
    </dialog>
  )
}

function Details({ whole: { request, links } }: { whole: WholeRequest }) {
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
