// Shown when the session is over. The page's last state and the drafts are kept behind the dialog. After signing in,
// here or in another tab, the person continues from there.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { signInCommand } from '../api/in-shell.ts'
import { me } from '../api/queries.ts'
import { amountOf } from '../ui/amounts.ts'
import dialogCss from '../ui/dialog.module.css'
import { clockOf } from '../ui/time.tsx'
import { countDrafts } from './drafts.ts'
import { useLive } from './live.ts'
import { useWaiting } from './outbox.ts'
import css from './session-over.module.css'

export function SessionOver() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { since } = useLive()
  const { data } = useQuery({ ...me, enabled: false })
  const drafts = countDrafts()
  const waiting = useWaiting().length
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={dialogCss.dialog}
      aria-labelledby="over-title"
      aria-describedby="over-words"
      // Keep Escape from closing the dialog: the page behind it can't be used.
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="over-title" className={css.title}>
        Sign in again to continue
      </h2>
      <p id="over-words" className="quiet pb-5 px-8">
        {`This session ended at ${clockOf(new Date(since))}. `}
        {drafts + waiting === 0
          ? 'You haven’t lost anything.'
          : 'What you wrote is safe in this browser.'}
      </p>
      <p className="quiet pb-5 px-8">
        Run <code className={css.command}>{signInCommand(data)}</code> in a shell and open the link
        it prints. This page then continues by itself.
      </p>
      <div className="row gap-5 between quiet line-top py-5 px-8">
        <span>{describeKept(drafts, waiting)}</span>
        {/* Another tab, so that this one keeps what is behind the dialog. */}
        <a className={css.link} href="/sign-in" target="_blank" rel="noopener">
          Sign in
        </a>
      </div>
    </dialog>
  )
}

function describeKept(drafts: number, waiting: number): string {
  const words = [
    drafts === 0 ? '' : `${amountOf(drafts, 'draft')} kept`,
    waiting === 0 ? '' : `${amountOf(waiting, 'action')} waiting`,
  ]
  return words.filter((one) => one !== '').join(', ')
}
