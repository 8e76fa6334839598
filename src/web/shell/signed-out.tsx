// In place of the whole page: nothing can be shown without a session. The server answered, so this loads on demand.

import { CallRefusal } from '../api/call.ts'
import css from './signed-out.module.css'

const STATES = {
  out: {
    title: 'You are not signed in',
    words: 'Your session is over, or was begun elsewhere. Sign in again to continue.',
  },
  storeless: {
    title: 'There is no such store',
    words:
      'This server has no store with the id that ?store= in the address names. It was mistyped, or the server was started for others.',
  },
  keyless: {
    title: 'This page has lost its key',
    words:
      'Its storage in this browser was cleared, or you came without its link. Nothing can be done in your name until you sign in again.',
  },
}

export function SignedOut({ error, isKeyLost }: { error?: Error | null; isKeyLost?: boolean }) {
  const isStoreless = error instanceof CallRefusal && error.status === 404
  const { title, words } = STATES[isKeyLost ? 'keyless' : isStoreless ? 'storeless' : 'out']
  return (
    <main className={css.page}>
      <h1 className={css.title}>{title}</h1>
      <p>{words}</p>
      <a className={css.link} href="/sign-in">
        How to sign in
      </a>
    </main>
  )
}
