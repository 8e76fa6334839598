// The page's session: which store it shows, and the key that proves that requests come from it. A cookie goes to every
// server on its host, on any port. localStorage belongs to one port, so only this server's pages have the key.

const KEY = 'page-key'

function storeInAddress(): string | null {
  return new URLSearchParams(location.search).get('store')
}

/** If there are several stores, each has a separate sign-in and therefore a separate key. */
const store = storeInAddress()
const place = store === null ? KEY : `${KEY}:${store}`

/** The sign-in link has the key after the #, where no server sees it. The key must not stay in the history. */
export function takeKeyFromAddress(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  localStorage.setItem(place, key)
  history.replaceState(history.state, '', location.pathname + location.search)
}

export function hasKey(): boolean {
  return localStorage.getItem(place) !== null
}

export function sessionHeaders(): Record<string, string> {
  const key = localStorage.getItem(place)
  return key === null ? {} : { 'x-inbox-page-key': key }
}

/** Returns the server's address for this path, including the store that the page shows. */
export function addressOf(path: string): string {
  if (store === null) return path
  return `${path}${path.includes('?') ? '&' : '?'}store=${encodeURIComponent(store)}`
}
