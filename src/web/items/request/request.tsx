// One request whole: what is asked, what happens then, how it came to this, and the bar with the decision.

import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft, Braces, ListTree, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { asking } from '../../api/queries.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Markdown } from '../documents/document.tsx'
import { useReadAfterDwell } from '../thread/read-after-dwell.ts'
import { Status } from './badges.tsx'
import { Compare } from './compare.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { Details } from './details.tsx'
import { Outcome } from './effect.tsx'
import { Payload } from './payload.tsx'
import css from './request.module.css'
import type { WholeRequest } from './request-query.ts'
import { type ApprovalSearch, filtersIn, useApprovalSearch } from './search.ts'
import { Comments, Notes, Timeline } from './story.tsx'
import { ThreadSheet } from './thread-sheet.tsx'
import { askingFor } from './words.ts'

export type OpenRequestProps = {
  id: string
  /** Leads on to the next request. */
  onDecided?: (() => void) | undefined
}

export function OpenRequest({ id, onDecided }: OpenRequestProps) {
  const { data, error } = useQuery(asking('request get', { request: id }))
  useReadAfterDwell(id, data?.activity.length)
  if (data === undefined) {
    const gone = 'There is no such request.'
    return <NotFound label="Request" backTo="/approvals" {...{ error, gone }} />
  }
  return <Whole whole={data} onDecided={onDecided} />
}

type WholeProps = { whole: WholeRequest; onDecided: OpenRequestProps['onDecided'] }

function Whole({ whole, onDecided }: WholeProps) {
  const { request, revisions, decision, activity } = whole
  const [search, setSearch] = useApprovalSearch()
  const isRaw = search.raw === true
  const isInInbox = useLocation().pathname.startsWith('/inbox')
  const title = useRef<HTMLHeadingElement>(null)
  const [details, toggleDetails] = useDetails()
  useCommands(
    useMemo(
      () => [
        {
          title: 'Raw JSON',
          keys: 'b',
          group: 'Approvals',
          run: () => setSearch({ raw: isRaw ? undefined : true }),
        },
        { title: 'Details', keys: 'i', group: 'Approvals', run: toggleDetails },
        {
          title: 'Read the request',
          keys: 'Enter',
          group: 'Lists',
          run: () => title.current?.focus(),
        },
      ],
      [isRaw, setSearch, toggleDetails],
    ),
  )
  useAnnounced(request.title)
  const latest = revisions.at(-1)
  const payload = decision?.payload ?? latest?.payload ?? {}
  return (
    <section className={css.request} aria-labelledby="request-title" data-details={details}>
      <header className={css.header}>
        <Link
          className={css.back}
          to={isInInbox ? '/inbox' : '/approvals'}
          search={(before: ApprovalSearch) => filtersIn(before)}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <Status status={request.status} />
        <span className={css.revision}>
          {revisions.length > 1 ? `Revision ${request.revision} of ${revisions.length}` : ''}
        </span>
        <span className={css.tools}>
          <Button
            look="quiet"
            icon={Braces}
            label="Raw JSON"
            hint="b"
            aria-pressed={isRaw}
            onClick={() => setSearch({ raw: isRaw ? undefined : true })}
          />
          <Button
            look="quiet"
            icon={ListTree}
            label="Details"
            hint="i"
            aria-pressed={details}
            onClick={toggleDetails}
          />
        </span>
      </header>
      <div className={css.scroll}>
        <article className={css.column}>
          <h2 id="request-title" className={css.title} ref={title} tabIndex={-1} dir="auto">
            {request.title}
          </h2>
          <p className={css.by}>
            <Avatar name={request.requester} size="line" />
            <b>{request.requester}</b>
            <span className={css.quiet} dir="auto">
              {askingFor(request.type, payload)}
            </span>
          </p>
          <Unrouted whole={whole} />
          <Outcome whole={whole} />
          {latest === undefined ||
          request.decided_at !== null ||
          latest.consequence === '' ? null : (
            <div className={css.consequence}>
              <p className={css.quiet}>If you approve</p>
              <p dir="auto">{latest.consequence}</p>
            </div>
          )}
          {latest === undefined || latest.description === '' ? null : (
            <div className={css.block}>
              <Markdown text={latest.description} />
            </div>
          )}
          <div className={css.block}>
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
        </article>
      </div>
      <DecisionBar whole={whole} onDecided={onDecided} />
      <Details whole={whole} />
      {search.thread === undefined ? null : (
        <ThreadSheet
          key={search.thread}
          id={search.thread}
          onClose={() => setSearch({ thread: undefined })}
        />
      )}
    </section>
  )
}

/** A review for whose agent nobody is responsible comes to everybody, and says so before it is decided. */
function Unrouted({ whole: { agent_run, request } }: { whole: WholeRequest }) {
  if (agent_run === null || agent_run.warning === '' || request.decided_at !== null) return null
  return (
    <p className={css.warning} role="note">
      <TriangleAlert size={16} aria-hidden />
      <span>
        <b>Unrouted.</b>
        {` No person is paired with ${request.requester}, so this came to you by default. Check its pairing before you decide.`}{' '}
        <Link className={css.link} to="/agents/$id" params={{ id: request.requester }}>
          Look at the agent
        </Link>
      </span>
    </p>
  )
}

const DETAILS_SETTING = 'details'
const WIDE = '(min-width: 1360px)'

/** The column of details is there on a wide screen until somebody closes it, and elsewhere when somebody asks. */
function useDetails(): [boolean, () => void] {
  const [isShown, setShown] = useState(
    () => matchMedia(WIDE).matches && localStorage.getItem(DETAILS_SETTING) !== 'off',
  )
  const toggle = useCallback(() => {
    setShown((before) => {
      if (matchMedia(WIDE).matches) localStorage.setItem(DETAILS_SETTING, before ? 'off' : 'on')
      return !before
    })
  }, [])
  return [isShown, toggle]
}

/** Readers of the screen hear which request is open. */
function useAnnounced(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${escapeUnseen(title)} · Mailroom`
    return () => {
      document.title = before
    }
  }, [title])
}
