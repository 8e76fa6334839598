// The sheet of keys, made from the one registry: what it lists is what works just now.

import { lazy, Suspense, useMemo, useState } from 'react'
import { useCommands } from '../ui/commands.ts'

const Sheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).Sheet }))

export function Help() {
  const [isOpen, setOpen] = useState(false)
  useCommands(
    useMemo(
      () => [{ title: 'Keys', keys: '?', group: 'Everywhere', run: () => setOpen(true) }],
      [],
    ),
  )
  return <Suspense>{isOpen ? <Sheet onClose={() => setOpen(false)} /> : null}</Suspense>
}
