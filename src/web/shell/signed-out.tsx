// Shown instead of the whole page, which needs a session. The server is reachable, so this is loaded on demand.

import { CallRefusal } from '../api/call.ts'
import css from './shell.module.css'

const STATES = {
  out: {
    title: 'You’re not signed in',
    words:
      'Your session has ended, or it was started in another browser. Sign in again to continue.',
  },
  storeless: {
    title: 'This store doesn’t exist',
    words:
      'This server has no store with the id in the address (?store=). The id may be mistyped, or the server was started with other stores.',
  },
  keyless: {
    title: 'This page has lost its key',
    words:
      'Its storage in this browser was cleared, or you opened it without the sign-in link. Sign in again to continue.',
  },
}

export function SignedOut({ error, isKeyLost }: { error?: Error | null; isKeyLost?: boolean }) {
  const isStoreless = error instanceof CallRefusal && error.status === 404
  const { title, words } = STATES[isKeyLost ? 'keyless' : isStoreless ? 'storeless' : 'out']
  return (
    <main className={css.page}>
      <h1 className={css.title}>{title}</h1>
      <p>{words}</p>
      <a className="link" href="/sign-in">
        How to sign in
      </a>
    </main>
  )
}
