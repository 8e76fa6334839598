// Channels: the live conversation of a workflow's agents, and their documents. Running instances come first, then ended
// ones, the latest first.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Hash, Pencil } from 'lucide-react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { inShell } from '../../api/in-shell.ts'
import { pagesOf, usePages } from '../../api/pages.ts'
import { me } from '../../api/queries.ts'
import { OpenChannel } from '../../items/channel/channel.tsx'
import { hasDraft } from '../../live/drafts.ts'
import { useMovement } from '../../shell/movement.ts'
import railCss from '../../shell/rail.module.css'
import { ListEmpty, ListGroup, ListHeader, ListPane } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { TimeAgo } from '../../ui/moment.tsx'
import css from './screen.module.css'

type ListedChannel = OperationAnswer<'workflow channels'>['channels'][number]

const PAGE = 100

export function ChannelsScreen() {
  const { id, _splat: file } = useParams({ strict: false })
  return (
    <ListScreen
      title="Channels"
      titleId="channels-title"
      width="slim"
      list={<ChannelList openId={id} />}
      opened={id === undefined ? null : <OpenChannel key={id} id={id} file={file} />}
      label="Channel"
      hint="Select a channel."
    />
  )
}

function ChannelList({ openId }: { openId: string | undefined }) {
  const { query, rows } = usePages(pagesOf('workflow channels', { limit: PAGE }), 'channels')
  const running = rows.filter(({ state }) => state === 'running')
  const ended = rows.filter(({ state }) => state === 'ended')
  const ids = [...running, ...ended].map(({ instance }) => instance)
  useMovement(ids, openId, '/channels/$id')
  return (
    <ListPane
      className={css.list}
      titleId="channels-title"
      what="channels"
      header={<ListHeader title="Channels" />}
      queries={[query]}
      isEmpty={rows.length === 0}
      empty={<NoChannels />}
      more="Show older"
    >
      <Group title="Running" channels={running} openId={openId} />
      <Group title="Ended" channels={ended} openId={openId} />
    </ListPane>
  )
}

function NoChannels() {
  const { data } = useQuery(me)
  return (
    <ListEmpty>
      <p>
        No workflows have run yet. When one runs, its agents talk in a channel that shows up here.
      </p>
      <p>To start one, run this in a shell:</p>
      <code className="break ink text-code surface-2 round-control edge py-3 px-4 max-full">
        {inShell(data, 'workflow run review.yaml')}
      </code>
    </ListEmpty>
  )
}

type GroupProps = {
  title: string
  channels: readonly ListedChannel[]
  openId: string | undefined
}

function Group({ title, channels, openId }: GroupProps) {
  if (channels.length === 0) return null
  return (
    <ListGroup id={`group-${title}`} title={title}>
      {channels.map((one) => (
        <li key={one.instance}>
          <Row channel={one} isOpen={one.instance === openId} />
        </li>
      ))}
    </ListGroup>
  )
}

function Row({ channel, isOpen }: { channel: ListedChannel; isOpen: boolean }) {
  const { instance, state, unread, last_at } = channel
  return (
    <Link
      className={css.row}
      to="/channels/$id"
      params={{ id: instance }}
      search={{}}
      aria-current={isOpen ? 'true' : undefined}
      data-row={instance}
      data-state={state}
    >
      <Hash size={14} aria-hidden />
      <span className="truncate grow" dir="auto">
        {instance}
      </span>
      {hasDraft(`reply:channel:${instance}`) ? <Pencil size={12} aria-label="has a draft" /> : null}
      {unread > 0 ? (
        <span className={railCss.pill}>
          {unread > 99 ? '99+' : unread}
          <span className="spoken"> for you</span>
        </span>
      ) : last_at === null ? null : (
        <span className={css.quiet}>
          <TimeAgo at={last_at} />
        </span>
      )}
    </Link>
  )
}
