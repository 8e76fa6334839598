import { CallRefusal } from '../api/call.ts'
import css from './signed-out.module.css'

const STATES = {
  away: {
    title: 'The server cannot be reached',
    words: 'It may have been stopped. Start it again, then reload this page.',
  },
  out: {
    title: 'You are not signed in',
    words: 'Your session is over, or was begun elsewhere. Sign in again to continue.',
  },
  keyless: {
    title: 'This page has lost its key',
    words:
      'Its storage in this browser was cleared, or you came without its link. Nothing can be done in your name until you sign in again.',
  },
}

/** Nothing can be shown without a session; a server that is away is another matter. */
export function SignedOut({ error, isKeyLost }: { error?: Error | null; isKeyLost?: boolean }) {
  const isAway = error instanceof CallRefusal && error.status === 0
  const { title, words } = STATES[isKeyLost ? 'keyless' : isAway ? 'away' : 'out']
  return (
    <main className={css.page}>
      <h1 className={css.title}>{title}</h1>
      <p>{words}</p>
      <p>
        {isAway ? (
          <a className={css.link} href={location.href}>
            Reload
          </a>
        ) : (
          <a className={css.link} href="/sign-in">
            How to sign in
          </a>
        )}
      </p>
    </main>
  )
}
