// The instances of workflows: those that run first, then those that have ended, the latest first.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hash, Pencil } from 'lucide-react'
import { useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/typed-call.ts'
import { call } from '../../api/call.ts'
import { hasDraft } from '../../live/drafts.ts'
import { useMovement } from '../../shell/movement.ts'
import { Button } from '../../ui/button.tsx'
import { Ago } from '../../ui/moment.tsx'
import { More } from '../../ui/more.tsx'
import css from './list.module.css'
import { NoChannels } from './no-channels.tsx'

type ListedChannel = OperationAnswer<'workflow channels'>['channels'][number]

const PAGE = 100

export function ChannelList({ openId }: { openId: string | undefined }) {
  const list = useInfiniteQuery({
    queryKey: ['workflow channels', {}, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call(
        'workflow channels',
        { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ next_before }) => next_before,
  })
  const channels = useMemo(() => list.data?.pages.flatMap((page) => page.channels), [list.data])
  const running = channels?.filter(({ state }) => state === 'running') ?? []
  const ended = channels?.filter(({ state }) => state === 'ended') ?? []
  const order = [...running, ...ended].map(({ instance }) => instance).join(' ')
  const ids = useMemo(() => order.split(' ').filter(Boolean), [order])
  useMovement(ids, openId, '/channels/$id')
  return (
    <section className={css.list} aria-labelledby="channels-title">
      <header className={css.header}>
        <span className={css.title} aria-hidden>
          Channels
        </span>
      </header>
      {list.error !== null && channels === undefined ? (
        <div className={css.empty} role="alert">
          <p>{`Couldn't load the channels: ${list.error.message}.`}</p>
          <Button onClick={() => void list.refetch()}>Try again</Button>
        </div>
      ) : null}
      {channels?.length === 0 ? <NoChannels /> : null}
      <div className={css.scroll}>
        <Group title="Running" channels={running} openId={openId} />
        <Group title="Ended" channels={ended} openId={openId} />
        <More pages={list}>Show older</More>
      </div>
    </section>
  )
}

type GroupProps = {
  title: string
  channels: readonly ListedChannel[]
  openId: string | undefined
}

function Group({ title, channels, openId }: GroupProps) {
  if (channels.length === 0) return null
  const id = `group-${title}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id}>
      <h2 id={id} className={css.group}>
        {title}
      </h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without bullets is no list to some readers */}
      <ul role="list">
        {channels.map((one) => (
          <li key={one.instance}>
            <Row channel={one} isOpen={one.instance === openId} />
          </li>
        ))}
      </ul>
    </div>
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
      <span className={css.name} dir="auto">
        {instance}
      </span>
      {hasDraft(`reply:channel:${instance}`) ? <Pencil size={12} aria-label="has a draft" /> : null}
      {unread > 0 ? (
        <span className={css.pill}>
          {unread > 99 ? '99+' : unread}
          <span className={css.spoken}> for you</span>
        </span>
      ) : last_at === null ? null : (
        <span className={css.quiet}>
          <Ago at={last_at} />
        </span>
      )}
    </Link>
  )
}
