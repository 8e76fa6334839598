// The commands of a pause stand with what it silences, which is loaded after the first rows.

import { BellOff, BellRing } from 'lucide-react'
import { useMemo } from 'react'
import type { KeyCommand } from '../../ui/commands.ts'
import { usePause } from '../pause.ts'
import { useSettings } from '../settings.ts'

export function usePauseCommands(): readonly KeyCommand[] {
  const [, change] = useSettings()
  const until = usePause()
  return useMemo(() => {
    const given = { keys: '', group: 'Everywhere' }
    if (until !== null) {
      const run = () => change({ pause_minutes: 0 })
      return [{ ...given, title: 'End the pause', icon: BellRing, run }]
    }
    const run = () => change({ pause_minutes: 60 })
    return [{ ...given, title: 'Pause for 1 hour', icon: BellOff, run }]
  }, [until, change])
}
