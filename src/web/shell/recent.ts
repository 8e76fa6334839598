import type { AnyRouter } from '@tanstack/react-router'

export type RecentThing = { path: string; title: string }

const PLACE = 'recent'
const MOST = 12
/** Leaves out /history, because its items have no title. */
const THINGS = /^\/(inbox|approvals|threads|agents|notifications|trash)\/[^/]+$/

/** Remembers the open item when the person navigates away from it. Returns a cleanup function. */
export function rememberOpened(router: AnyRouter): () => void {
  return router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    if (fromLocation !== undefined && fromLocation.pathname !== toLocation.pathname) {
      remember(fromLocation.pathname)
    }
  })
}

function remember(path: string): void {
  const title = document.querySelector('main h2[tabindex="-1"]')?.textContent?.slice(0, 200) ?? ''
  if (!THINGS.test(path) || title === '') return
  const others = recentThings().filter((one) => one.path !== path)
  sessionStorage.setItem(PLACE, JSON.stringify([{ path, title }, ...others].slice(0, MOST)))
}

export function recentThings(): RecentThing[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter(
      (one) =>
        typeof one?.path === 'string' && THINGS.test(one.path) && typeof one.title === 'string',
    )
  } catch {
    return []
  }
}
