import { useEffect, useRef, useState } from 'react'
import type { PageInput } from '../../api/call.ts'
import { amountOf } from '../../ui/amounts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { type ExportForm, exportAll, save } from './export.ts'
import css from './screen.module.css'
import type { HistorySearch } from './search.ts'

const NOTICE = 'export'
const FORMS: Record<ExportForm, string> = { json: 'JSON', ndjson: 'NDJSON' }

type Props = {
  isOpen: boolean
  input: PageInput<'mail history'>
  days: Pick<HistorySearch, 'from' | 'to'>
  total: number | undefined
  onClose: () => void
}

export function ExportDialog({ isOpen, input, days, total, onClose }: Props) {
  const [form, setForm] = useState<ExportForm>('json')
  const [progress, setProgress] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  // Abort when the person leaves the screen, because they're no longer waiting for the file.
  useEffect(() => () => running.current?.abort(), [])
  const close = () => {
    running.current?.abort()
    onClose()
  }
  const begin = async () => {
    const ending = new AbortController()
    running.current = ending
    setProgress(0)
    dismissToast(NOTICE)
    try {
      const made = await exportAll({ input, days, form }, ending.signal, setProgress)
      save(made)
      const text = `Exported ${amountOf(made.count, 'message')}`
      showToast({ id: NOTICE, text, more: made.name })
      onClose()
    } catch (error) {
      if (ending.signal.aborted) return
      const why = error instanceof Error ? error.message : String(error)
      showToast({ id: NOTICE, text: `Couldn’t export: ${why}`, isFailure: true })
    } finally {
      running.current = null
      setProgress(null)
    }
  }
  const isRunning = progress !== null
  return (
    <Dialog
      isOpen={isOpen}
      title={total === undefined ? 'Export' : `Export ${total.toLocaleString()} messages`}
      onClose={close}
      onSubmit={() => void (isRunning || begin())}
      action={`Export as ${FORMS[form]}`}
      hint="Mod+Enter"
      isDisabled={isRunning}
      focus="action"
    >
      <p>Everything that matches the filters, oldest first, in the format of the API.</p>
      <fieldset className="grid gap-2 bare pt-5" disabled={isRunning}>
        <legend className="ink medium">Format</legend>
        {(Object.keys(FORMS) as ExportForm[]).map((one) => (
          <label key={one} className={css.form}>
            <input
              type="radio"
              name="form"
              value={one}
              checked={form === one}
              onChange={() => setForm(one)}
            />
            <span>
              {FORMS[one]}
              <span className="quiet">
                {one === 'json' ? ', one object' : ', one line per message'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {isRunning ? (
        <div className="row gap-5 pt-5" role="status">
          <progress
            className={css.progress}
            aria-label="Export"
            {...(total === undefined ? {} : { max: Math.max(1, total), value: progress })}
          />
          <span>{`${progress.toLocaleString()}${total === undefined ? '' : ` of ${total.toLocaleString()}`} read`}</span>
        </div>
      ) : null}
    </Dialog>
  )
}
