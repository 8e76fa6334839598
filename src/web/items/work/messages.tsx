import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { idIn, makeSearch } from '../../ui/search.ts'
import { Markdown } from '../documents/document.tsx'
import { isSuperseded, type WorkMessage } from './question-card.tsx'
import css from './work.module.css'
import { DID } from './work-status.ts'

/** The message that the URL points to. */
const usePointedAt = makeSearch(({ at }) => ({ at: idIn(at) }))

const SHOWN = 30

type Props = {
  messages: readonly WorkMessage[]
  /** The open question, which is shown above. */
  besides: string | undefined
  readOn: (() => void) | undefined
}

export function Messages({ messages, besides, readOn }: Props) {
  const [{ at }] = usePointedAt()
  const [shows, setShows] = useState(SHOWN)
  const said = messages.filter(({ kind, message_id }) => kind !== 'event' && message_id !== besides)
  const pointed = said.findIndex(({ message_id }) => message_id === at)
  const from = Math.max(0, Math.min(said.length - shows, pointed < 0 ? said.length : pointed))
  if (said.length === 0) return null
  return (
    <section aria-labelledby="messages-title">
      <h3 id="messages-title" className={css.heading}>
        Messages <span className="faint regular">{said.length}</span>
        {from === 0 ? null : (
          <span>
            <Button look="quiet" onClick={() => setShows(said.length)}>
              {`Show ${from} earlier`}
            </Button>
          </span>
        )}
      </h3>
      <ol>
        {said.slice(from).map((one) => (
          <Message
            key={one.message_id}
            message={one}
            isPointedAt={one.message_id === at}
            isGone={isSuperseded(one, messages)}
          />
        ))}
      </ol>
      {readOn === undefined ? null : <Button onClick={readOn}>Load more messages</Button>}
    </section>
  )
}

type MessageProps = { message: WorkMessage; isPointedAt: boolean; isGone: boolean }

function Message({ message, isPointedAt, isGone }: MessageProps) {
  const { message_id, from_agent, kind, summary, body, created_at } = message
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isPointedAt) place.current?.scrollIntoView({ block: 'center' })
  }, [isPointedAt])
  return (
    <li ref={place} className={css.message} data-at={isPointedAt} data-gone={isGone}>
      <p className={css.by}>
        <Avatar name={from_agent} size="line" />
        <b>
          <DisplayName name={from_agent} />
        </b>
        <span className="quiet">{isGone ? 'asked, but no longer needs an answer' : DID[kind]}</span>
        <Link
          className={css.when}
          to="."
          search={(before: object) => ({ ...before, at: message_id })}
          replace
        >
          <Moment at={created_at} />
        </Link>
      </p>
      <Markdown text={body === '' ? summary : body} />
    </li>
  )
}

const STEPS: Record<string, string> = {
  'thread claimed': 'claimed the work',
  'lease renewed': 'renewed the lease',
}

export function ThreadHistory({ messages }: { messages: readonly WorkMessage[] }) {
  return (
    <details className={css.history}>
      <summary className={css.heading}>
        History <span className="faint regular">{messages.length}</span>
      </summary>
      <ol>
        {messages.toReversed().map(({ message_id, from_agent, kind, summary, created_at }) => (
          <li key={message_id} className={css.step}>
            <span className={css.moment}>
              <Moment at={created_at} />
            </span>
            <span>
              <b>
                <DisplayName name={from_agent} />
              </b>{' '}
              {kind === 'event' ? (STEPS[summary] ?? summary) : DID[kind]}
              {kind === 'event' ? null : <span className="quiet">{`: ${summary}`}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
