import { Link } from '@tanstack/react-router'
import css from './shell.module.css'

/** Shown in place of a part of the page that failed to render. Nothing is lost, as the server has the data. */
export function ErrorFallback({ error }: { error: unknown }) {
  return (
    <div className={css.page} role="alert">
      <h2 className={css.title}>This view couldn’t be displayed</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <a className="link" href={location.href}>
        Reload
      </a>
    </div>
  )
}

/** Shown if the server is down when the page loads. It's in the first script, because no other can be loaded. */
export function ServerAway() {
  return (
    <main className={css.page}>
      <h1 className={css.title}>The server can’t be reached</h1>
      <p>It may have been stopped. Start it again, then reload this page.</p>
      <a className="link" href={location.href}>
        Reload
      </a>
    </main>
  )
}

/** Shown if no screen has this URL. */
export function NoSuchPage() {
  return (
    <div className={css.page}>
      <h1 className={css.title}>Page not found</h1>
      <p>The address may be mistyped, or the link may be broken.</p>
      <Link className="link" to="/inbox" search={{}}>
        Go to the inbox
      </Link>
    </div>
  )
}
