// A page that was opened before the server was replaced is older than the server. It says so and reloads when the person
// wants it to, never by itself: drafts stay in the browser, but nobody likes to be interrupted.

import type { Me } from '../api/queries.ts'
import { showToast } from '../ui/toasts.tsx'

export function tellOfNewVersion({ app = [] }: Pick<Me, 'app'>): void {
  const own = filesOfThisPage()
  // The icon of the tab changes with what needs the person.
  const wanted = app.filter((name) => !name.endsWith('.svg'))
  if (wanted.every((name) => own.has(name))) return
  showToast({
    id: 'new version',
    text: 'A new version is ready',
    more: 'Your drafts stay.',
    action: { title: 'Reload', run: () => location.reload() },
  })
}

function filesOfThisPage(): Set<string> {
  const parts = document.head.querySelectorAll<HTMLScriptElement & HTMLLinkElement>('script, link')
  return new Set([...parts].map(({ src, href }) => (src || href).split('/app/')[1] ?? ''))
}
