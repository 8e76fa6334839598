import { Link } from '@tanstack/react-router'
import { CornerDownRight, Reply } from 'lucide-react'
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { clockOf } from '../../ui/time.tsx'
import { Markdown, MarkText } from '../documents/document.tsx'
import type { TalkEntry } from './entries.ts'
import css from './entry.module.css'

type Props = {
  entry: TalkEntry
  /** Whether the page's address points to this entry. */
  isShown: boolean
  /** The entry it replies to, if that's loaded. */
  answered: TalkEntry | undefined
  members: readonly string[]
  onReply: (entry: TalkEntry) => void
}

export const OneEntry = memo(function OneEntry(props: Props) {
  const { entry, isShown, answered, members, onReply } = props
  const { from, message, mentions, timestamp, seq } = entry
  const called = useDisplayName()
  const mark = useMemo(() => markMentions(mentions, 'user'), [mentions])
  const at = new Date(timestamp)
  if (from === 'system') {
    return (
      <p className={css.fold} data-shown={isShown}>
        <span dir="auto">{message}</span>
        <time dateTime={timestamp}>{clockOf(at)}</time>
      </p>
    )
  }
  const isAgent = members.includes(from)
  return (
    <article className={css.entry} data-shown={isShown}>
      <Avatar name={from} />
      <header className={css.head}>
        <b dir="auto">{called(from)}</b>
        {isAgent ? <span>agent</span> : null}
        <Link
          className={css.time}
          to="."
          search={(before: object) => ({ ...before, entry: seq })}
          title={at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}
        >
          <time dateTime={timestamp}>{clockOf(at)}</time>
        </Link>
        {answered === undefined ? null : (
          <Link
            className={css.answered}
            to="."
            search={(before: object) => ({ ...before, entry: answered.seq })}
          >
            <CornerDownRight size={12} aria-hidden />
            {`reply to ${inSentence(called(answered.from))}`}
          </Link>
        )}
        <span className={css.tools}>
          <Button
            look="quiet"
            icon={Reply}
            label={`Reply to ${inSentence(called(from))}`}
            onClick={() => onReply(entry)}
          />
        </span>
      </header>
      <div className={css.words}>
        <MarkText value={mark}>
          <Markdown text={message} />
        </MarkText>
      </div>
    </article>
  )
})

/** A name with @ is highlighted only where it mentions a member. */
const NAME = /@([a-zA-Z][a-zA-Z0-9_-]*)/g

/** `own` is the name used to mention this person. */
function markMentions(mentions: readonly string[], own: string) {
  return (text: string): ReactNode => {
    if (!text.includes('@')) return <>{text}</>
    const parts: ReactNode[] = []
    let end = 0
    for (const found of text.matchAll(NAME)) {
      const name = found[1] as string
      if (!mentions.includes(name)) continue
      parts.push(
        <Fragment key={end}>{text.slice(end, found.index)}</Fragment>,
        <span key={found.index} className={css.at} data-own={name === own}>
          {found[0]}
        </span>,
      )
      end = found.index + found[0].length
    }
    return (
      <>
        {parts}
        {text.slice(end)}
      </>
    )
  }
}
