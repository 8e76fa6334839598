import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PanelRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { call } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Detail } from '../../ui/detail.tsx'
import { localizeTimes, Moment } from '../../ui/moment.tsx'
import { useLatest } from '../../ui/store.ts'
import { leftIn, useMinute } from '../../ui/time.tsx'
import { LOOK_AGAIN_MS } from '../agent/agent-status.tsx'
import { afterDwell, useDwell } from '../thread/read-after-dwell.ts'
import { Around } from './around.tsx'
import css from './channel.module.css'
import { Composer } from './composer.tsx'
import type { TalkEntry } from './entries.ts'
import { OpenDocument } from './open-document.tsx'
import { useChannelSearch } from './search.ts'
import { StopInstance } from './stop.tsx'
import { Talk } from './talk.tsx'

export type ChannelView = OperationAnswer<'workflow channel'>

type Props = {
  id: string
  /** The document shown instead of the messages. */
  file?: string | undefined
  /** The screen whose list the channel was opened from. If set, the channel is shown without the panel. */
  backTo?: '/channels' | '/inbox' | '/threads'
}

export function OpenChannel({ id, file, backTo = '/channels' }: Props) {
  const { data, error } = useQuery({
    ...asking('workflow channel', { instance: id }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (data === undefined) {
    const gone = 'This channel doesn’t exist.'
    return <NotFound label="Channel" backTo="/channels" error={error} gone={gone} />
  }
  return <ChannelDetail overview={data} file={file} backTo={backTo} />
}

function ChannelDetail({
  overview,
  file,
  backTo,
}: Omit<Required<Props>, 'id'> & { overview: ChannelView }) {
  const { instance, agents, entries } = overview
  const { instance: id, run, state, thread_id } = instance
  const [{ entry: at, panel }, setSearch] = useChannelSearch()
  const [answered, setAnswered] = useState<TalkEntry | null>(null)
  const members = useMemo(() => agents.map(({ name }) => name), [agents])
  const latest = useMemo(
    () =>
      agents.toSorted((a, b) => (b.said?.created_at ?? '').localeCompare(a.said?.created_at ?? '')),
    [agents],
  )
  const isAlone = backTo !== '/channels'
  const toggle = () => {
    const isShown =
      panel === undefined ? matchMedia('(min-width: 1360px)').matches : panel === 'around'
    setSearch({ panel: isShown ? 'none' : 'around' })
  }
  useCommands([{ title: 'Agents and documents', keys: 'i', group: 'Channel', run: toggle }])
  useReadAfterDwell(overview)
  return (
    <div className={css.whole} data-panel={isAlone ? 'none' : (panel ?? 'fitting')}>
      {file === undefined ? (
        <Detail
          className={css.channel}
          titleId="channel-title"
          backTo={backTo}
          backSearch={() => ({})}
          meta={
            <>
              <h2 id="channel-title" className={css.title} tabIndex={-1} dir="auto">
                {isAlone ? (
                  <Link className="link" to="/channels/$id" params={{ id }} search={{}}>
                    {`#${id}`}
                  </Link>
                ) : (
                  `#${id}`
                )}
              </h2>
              <RunState overview={overview} />
            </>
          }
          tools={
            <>
              {state === 'running' ? (
                <span className={css.stop}>
                  <StopInstance instance={instance} />
                </span>
              ) : null}
              {isAlone ? null : (
                <Button
                  look="quiet"
                  icon={PanelRight}
                  label="Agents and documents"
                  hint="i"
                  onClick={toggle}
                />
              )}
            </>
          }
          foot={
            state === 'running' && thread_id !== '' ? (
              <Composer
                instance={id}
                agents={latest}
                answered={answered}
                onAnswered={setAnswered}
                send={send(id)}
              />
            ) : (
              <Over overview={overview} />
            )
          }
        >
          {thread_id === '' ? (
            <p className="center quiet p-6">
              This run has no context, so its agents have no channel.
            </p>
          ) : (
            <Talk
              key={`${id} ${run}`}
              instance={id}
              total={entries}
              at={at !== undefined && at <= entries ? at : undefined}
              members={members}
              onReply={setAnswered}
            />
          )}
        </Detail>
      ) : (
        <OpenDocument key={file} instance={id} file={file} />
      )}
      {isAlone ? null : <Around overview={overview} file={file} />}
    </div>
  )
}

function send(instance: string) {
  return async (text: string, answered: TalkEntry | null, key: string) => {
    const about = answered === null ? {} : { reply_to: answered.id }
    const input = { instance, message: text, ...about }
    const { warning, not_woken = [] } = await call('workflow context send', input, { key })
    void queries.invalidateQueries({ queryKey: ['workflow channel'] })
    const asleep = not_woken.map(({ recipient, why }) => `${recipient} won’t be woken: ${why}`)
    const notes = warning === undefined ? asleep : [warning, ...asleep]
    return notes.map((note) => localizeTimes(note, Date.now()))
  }
}

function Over({ overview: { instance } }: { overview: ChannelView }) {
  const { ended, ended_at, source, instance: id, state } = instance
  if (state === 'running') return null
  return (
    <p className={css.over}>
      {ENDS[ended] ?? 'The run ended'}
      {ended_at === null ? null : (
        <>
          {', '}
          <Moment at={ended_at} />
        </>
      )}
      {'. No agent will read new messages here. '}
      {source === '' ? null : (
        <>
          {'To resume: '}
          <code>{`workflow run ${source} --instance ${id} --resume`}</code>
        </>
      )}
    </p>
  )
}

/** Marks the mentions shown as read once the channel has been open for a moment. Later mentions stay unread. */
function useReadAfterDwell({ instance, unread, next_event_id }: ChannelView): void {
  const { thread_id } = instance
  const dwell = useDwell()
  const shownUpTo = useLatest(next_event_id)
  useEffect(() => {
    if (unread === 0 || dwell === undefined || thread_id === '') return
    return afterDwell(dwell, () => {
      void call('desk mark', { threads: [thread_id], as: 'read', upto: shownUpTo.current })
        .then(() => queries.invalidateQueries({ queryKey: ['workflow channels'] }))
        // The channel stays unread and is marked the next time.
        .catch(() => {})
    })
  }, [thread_id, unread, dwell, shownUpTo])
}

const ENDS: Record<string, string> = {
  idle: 'All agents finished',
  stopped: 'The run was stopped',
  no_kickoff: 'No agent was asked to start',
  timeout: 'The run timed out',
  failed: 'The run failed',
  budget: 'The run used up its budget',
  hops: 'The agents woke each other too many times',
  lost: 'Lost contact with the runner',
}

/** The state of the run, in the header: how long it has been running, that it's stopping, or that it has ended. */
function RunState({ overview: { instance, now: at } }: { overview: ChannelView }) {
  const { state, started_at, stop_at, kept } = instance
  const now = useMinute()
  const isFailed = ['failed', 'lost', 'timeout', 'budget', 'hops'].includes(instance.ended)
  const look =
    state === 'ended'
      ? isFailed
        ? 'failed'
        : 'ended'
      : !kept
        ? 'lost'
        : stop_at === null
          ? 'running'
          : 'stopping'
  const since = lengthOf(started_at, Math.max(now, new Date(at).getTime()))
  const words = {
    running: `Running${since}`,
    stopping: 'Stopping',
    lost: 'No contact with the runner',
    ended: 'Ended',
    failed: 'Failed',
  }[look]
  return (
    <span className={css.state} data-look={look}>
      <span className={css.sign} aria-hidden />
      <span>{words}</span>
    </span>
  )
}

function lengthOf(from: string, now: number): string {
  const past = Math.max(0, now - new Date(from).getTime())
  // Uses the same format as the time left.
  return past < 60_000 ? '' : ` ${leftIn(new Date(now + past).toISOString(), now)}`
}
