import { CallRefusal } from '../api/call.ts'
import css from './signed-out.module.css'

/** Nothing can be shown without a session; a server that is away is another matter. */
export function SignedOut({ error }: { error: Error | null }) {
  const isAway = error instanceof CallRefusal && error.status === 0
  return (
    <main className={css.page}>
      <h1 className={css.title}>
        {isAway ? 'The server cannot be reached' : 'You are not signed in'}
      </h1>
      <p>
        {isAway
          ? 'It may have been stopped. Start it again, then reload this page.'
          : 'Your session is over, or was begun elsewhere. Sign in again to continue.'}
      </p>
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
