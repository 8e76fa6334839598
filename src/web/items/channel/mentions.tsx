// Names that are called with @ stand out where they call somebody; any other word with an @ is just a word.

import { Fragment, type ReactNode } from 'react'
import css from './entry.module.css'

const NAME = /@([a-zA-Z][a-zA-Z0-9_-]*)/g

/** `own` is the name by which whoever looks is called. */
export function markMentions(mentions: readonly string[], own: string) {
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
