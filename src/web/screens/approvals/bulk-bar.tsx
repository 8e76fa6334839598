import { useState } from 'react'
import { isUnanswered } from '../../api/call.ts'
import { typeOf } from '../../items/request/type-words.ts'
import { graceSeconds } from '../../items/request/use-decision.ts'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import css from './bulk-bar.module.css'
import { useDecidingSeveral } from './deciding-several.ts'
import { MOST_PICKED, type RowSelection } from './picking.ts'

/** The foot of the queue while several are selected. */
export function BulkBar({ picking }: { picking: RowSelection }) {
  const [isOpen, setOpen] = useState(false)
  const { isOn, picked, end } = picking
  if (!isOn) return null
  const count = picked.size
  return (
    <div className={css.bar}>
      <p role="status">{`${count} selected, at most ${MOST_PICKED}`}</p>
      <Button hint="Escape" onClick={end}>
        Leave
      </Button>
      <Button look="ink" disabled={count === 0} onClick={() => setOpen(true)}>
        {`Approve ${count}…`}
      </Button>
      <BulkDialog isOpen={isOpen && count > 0} picking={picking} onClose={() => setOpen(false)} />
    </div>
  )
}

type DialogProps = { isOpen: boolean; picking: RowSelection; onClose: () => void }

function BulkDialog({ isOpen, picking: { picked, end }, onClose }: DialogProps) {
  const rows = [...picked.values()]
  const { mutate, isPending, error } = useDecidingSeveral(() => {
    onClose()
    end()
  })
  const isOffline = useLive().state === 'offline'
  const [first] = rows
  const word = first === undefined ? '' : typeOf(first.type).word
  return (
    <Dialog
      isOpen={isOpen}
      title={rows.length === 1 ? 'Approve this one?' : `Approve these ${rows.length}?`}
      onClose={onClose}
      onSubmit={() => !isPending && !isOffline && mutate(rows)}
      buttons={
        <>
          <Button autoFocus hint="Escape" onClick={onClose}>
            Cancel
          </Button>
          <Button look="ink" type="submit" hint="Mod+Enter" aria-disabled={isPending || isOffline}>
            {isOffline ? 'Needs a connection' : `Approve ${rows.length}`}
          </Button>
        </>
      }
    >
      <p>{`${word}, low risk. You have ${graceSeconds()} s to undo it.`}</p>
      <ul className={css.titles}>
        {rows.map(({ request_id, title, requester, revision }) => (
          <li key={request_id} className={css.title} dir="auto">
            {title} <span className={css.quiet}>{`${requester}, v${revision}`}</span>
          </li>
        ))}
      </ul>
      {error === null ? null : (
        <p className={css.failed} role="alert">
          {isUnanswered(error)
            ? 'It is not known whether that arrived. Approve again: each counts once.'
            : `Nothing was decided: ${error.message}.`}
        </p>
      )}
    </Dialog>
  )
}
