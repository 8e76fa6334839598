// The session of this page: which store it shows, and the key that proves the page. A cookie goes to every server of
// its host, whatever its port; this storage is bound to the port, so only pages of this server have the key.

const KEY = 'page-key'

function storeInAddress(): string | null {
  return new URLSearchParams(location.search).get('store')
}

/** With several stores each has its own sign-in, so each has its own key. */
const store = storeInAddress()
const place = store === null ? KEY : `${KEY}:${store}`

/** Signing in leads here with the key behind the #, which no server sees. It must not stay in the history. */
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

/** An address of the server's, for the store that this page shows. */
export function addressOf(path: string): string {
  if (store === null) return path
  return `${path}${path.includes('?') ? '&' : '?'}store=${encodeURIComponent(store)}`
}
