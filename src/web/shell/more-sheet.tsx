import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import dialogCss from '../ui/dialog.module.css'
import { Connection, Paused } from './connection.tsx'
import { openPalette } from './palette-dialog.tsx'
import css from './rail.module.css'
import { Entries, type ScreenCounts, SignOut, ViewLinks } from './rail-entries.tsx'
import { SCREENS } from './screens.ts'

export function MoreSheet({ counts, onClose }: { counts: ScreenCounts; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      className={dialogCss.sheet}
      aria-label="More"
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <button
        type="button"
        className={css.entry}
        onClick={() => {
          close()
          openPalette()
        }}
      >
        <Search size={16} aria-hidden />
        Search or run
      </button>
      <ul>
        <Entries
          screens={SCREENS.filter(({ isOnPhone }) => !isOnPhone)}
          counts={counts}
          onGo={close}
        />
      </ul>
      <ViewLinks onGo={close} />
      <div className="grid gap-2 line-top mt-4 pt-4">
        <Paused />
        <Connection />
        <SignOut />
      </div>
    </dialog>
  )
}
