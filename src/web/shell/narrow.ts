// Whether the rail shows icons alone: on a narrower window by itself, elsewhere if the person wants it so. It is a
// matter of this browser's window, so this browser keeps it.

import { PanelLeft } from 'lucide-react'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { KeyCommand } from '../ui/commands.ts'

const PLACE = 'rail'
const roomy = matchMedia('(min-width: 1200px)')

function watch(watcher: () => void): () => void {
  roomy.addEventListener('change', watcher)
  return () => roomy.removeEventListener('change', watcher)
}

export function useNarrowRail(): [boolean, readonly KeyCommand[]] {
  const isRoomy = useSyncExternalStore(watch, () => roomy.matches)
  const [isWished, setWished] = useState(() => localStorage.getItem(PLACE) === 'narrow')
  // Where there is little room, a wider rail would take it from what is read; it lasts until the window changes.
  const [widened, setWidened] = useState<boolean | null>(null)
  const isNarrow = isRoomy ? isWished : widened !== true
  const commands = useMemo(() => {
    const run = () => {
      if (!isRoomy) return setWidened(isNarrow)
      if (isNarrow) localStorage.removeItem(PLACE)
      else localStorage.setItem(PLACE, 'narrow')
      setWished(!isNarrow)
    }
    const title = isNarrow ? 'Expand the sidebar' : 'Collapse the sidebar'
    return [{ title, icon: PanelLeft, keys: 'Mod+\\', group: 'Everywhere', run }]
  }, [isRoomy, isNarrow])
  return [isNarrow, commands]
}
