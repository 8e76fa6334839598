import { lazy, Suspense, useEffect, useRef } from 'react'
import { addressOf } from '../../api/session.ts'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import css from './thread-sheet.module.css'

const Work = lazy(async () => ({ default: (await import('../work/work.tsx')).OpenWork }))

/** A linked thread beside the request; Escape goes back to it. */
export function ThreadSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className={css.sheet} aria-label="Linked thread" onClose={onClose}>
      <div className={css.head}>
        <Button autoFocus hint="Escape" onClick={() => dialog.current?.close()}>
          Back to the request
        </Button>
        <a
          className={css.link}
          href={addressOf(`/threads/${encodeURIComponent(id)}`)}
          target="_blank"
          rel="noreferrer"
        >
          Open in a tab
        </a>
      </div>
      <Suspense fallback={<Skeleton label="Thread" />}>
        <Work id={id} />
      </Suspense>
    </dialog>
  )
}
