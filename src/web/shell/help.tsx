// The sheet of keys, made from the one registry: what it lists is what works just now.

import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from './commands.ts'
import css from './help.module.css'

const Sheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).Sheet }))

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  useCommands(
    useMemo(
      () => [{ title: 'Keys', keys: '?', group: 'Everywhere', run: () => setOpen(true) }],
      [],
    ),
  )
  useEffect(() => {
    const { current } = dialog
    if (current === null || current.open === isOpen) return
    if (isOpen) current.showModal()
    else current.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      className={css.sheet}
      aria-labelledby="keys-title"
      // Escape says cancel at once and close a moment later, when somebody may have opened it again.
      onCancel={() => setOpen(false)}
      onClose={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Suspense>{isOpen ? <Sheet close={() => setOpen(false)} /> : null}</Suspense>
    </dialog>
  )
}
