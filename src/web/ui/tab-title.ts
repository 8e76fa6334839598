// The title of the open item, for the browser's tab. Only shell/notifications/badges.ts writes document.title, because
// it also has the count. With two writers, the last one would win.

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
