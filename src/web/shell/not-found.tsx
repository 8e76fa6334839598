// Shown in place of an item that isn't loaded: a skeleton while it loads, or the reason why it can't be shown. On a
// phone, this is the whole screen, so it links back to the list.

import { Link } from '@tanstack/react-router'
import { CallRefusal } from '../api/call.ts'
import { askAnew } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import css from '../ui/detail.module.css'
import { Skeleton } from './skeleton.tsx'

const BACK = {
  '/inbox': 'Show the inbox',
  '/approvals': 'Show all requests',
  '/threads': 'Show all threads',
  '/channels': 'Show all channels',
  '/agents': 'Show all agents',
  '/notifications': 'Show all notifications',
  '/trash': 'Show the trash',
} as const

type Props = {
  /** The accessible name of the section. */
  label: string
  error: Error | null
  gone: string
  backTo: keyof typeof BACK
}

export function NotFound({ label, error, gone, backTo }: Props) {
  const isGone = error instanceof CallRefusal && [400, 404].includes(error.status)
  const back = (
    <Link className={css.link} to={backTo} search={{}} data-gone={isGone}>
      {BACK[backTo]}
    </Link>
  )
  if (error === null) return <Skeleton label={label}>{back}</Skeleton>
  return (
    <section className={css.missing} aria-label={label}>
      <p>{isGone ? gone : `Couldn’t load it: ${error.message}.`}</p>
      {isGone ? null : <Button onClick={askAnew}>Try again</Button>}
      {back}
    </section>
  )
}
