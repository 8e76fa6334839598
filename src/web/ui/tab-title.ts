// The title of the open item, for the browser's tab. Only shell/notifications/badges.ts writes document.title, because it
// also has the count: with two writers, whichever came last won.

import { useEffect } from 'react'
import { createStore } from './store.ts'

export const openTitle = createStore<string | null>(null)

export function useOpenTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return
    openTitle.set(title)
    return () => openTitle.set(null)
  }, [title])
}
