import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useCommands } from '../ui/commands.ts'
import { MOD } from '../ui/key.tsx'
import css from './palette.module.css'
import { PaletteField } from './palette-field.tsx'
import { rememberOpened } from './recent.ts'

const Loaded = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const OPENING = 'open-palette'

export const PALETTE_KEYS = `${MOD} k`

export function openPalette(): void {
  dispatchEvent(new Event(OPENING))
}

export function PaletteDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const router = useRouter()
  useEffect(() => rememberOpened(router), [router])
  const given = { query, setQuery, close: () => dialog.current?.close() }
  const title = 'Search or run'
  const command = { keys: PALETTE_KEYS, group: 'Everywhere', run: openPalette }
  useCommands([{ title, ...command, isPalette: true }])
  useEffect(() => {
    const open = () => {
      // Don't open over another dialog: it would block the commands that the palette offers.
      if (document.querySelector('dialog[open]') !== null) return
      setOpen(true)
      setQuery('')
      dialog.current?.showModal()
    }
    const onKey = (event: KeyboardEvent) => {
      const isIt = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isIt || event.key.toLowerCase() !== 'k' || event.isComposing) return
      event.preventDefault()
      if (dialog.current?.open) dialog.current.close()
      else open()
    }
    addEventListener('keydown', onKey)
    addEventListener(OPENING, open)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(OPENING, open)
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      className={css.palette}
      aria-label="Search or run"
      // The close event fires a frame later, by which time the dialog may be open again.
      onClose={({ currentTarget }) => setOpen(currentTarget.open)}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      {isOpen ? (
        <Suspense fallback={<PaletteField {...given} />}>
          <Loaded {...given} />
        </Suspense>
      ) : null}
    </dialog>
  )
}
