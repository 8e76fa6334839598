// Saves the filters of a screen as a view. The button is in the filter bar, and is shown only when there's something to
// save.

import { Bookmark } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { LONGEST_VIEW_NAME, MOST_VIEWS } from '../../core/agents/settings.ts'
import { Button } from '../ui/button.tsx'
import { useCommands } from '../ui/commands.ts'
import css from '../ui/dialog.module.css'
import { showToast } from '../ui/toasts.tsx'
import { useSettings } from './settings.ts'
import { isSame, useFilters } from './views.ts'

export function SaveView({ suggested = '' }: { suggested?: string }) {
  const [{ views }, change] = useSettings()
  const shown = useFilters()
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState('')
  const canSave =
    shown !== null && shown.search !== '' && !views.some((view) => isSame(view, shown))
  const open = () => dialog.current?.showModal()
  const command = { title: 'Save view', keys: '', group: 'This screen', icon: Bookmark, run: open }
  useCommands(canSave ? [command] : [])
  if (!canSave) return null
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    const wrong = checkViewName(name, views)
    setProblem(wrong)
    if (wrong !== '') return
    dialog.current?.close()
    change({ views: [...views, { name, ...shown }] })
    showToast({
      id: 'view',
      text: `Saved as “${name}”`,
      more: 'Find it under Views in the sidebar.',
    })
  }
  return (
    <>
      <Button look="quiet" icon={Bookmark} onClick={open}>
        Save view
      </Button>
      <dialog ref={dialog} className={css.dialog} aria-labelledby="save-view">
        <form className={css.form} method="dialog" onSubmit={save}>
          <h2 id="save-view" className={css.title}>
            Save view
          </h2>
          <p className="break quiet">
            Saves this screen and its filters under a name, in all your browsers.
          </p>
          <label className="grid gap-3 medium">
            Name
            <input
              name="name"
              defaultValue={suggested}
              className="field control-l px-4"
              required
              maxLength={LONGEST_VIEW_NAME}
              autoComplete="off"
              dir="auto"
              aria-describedby="save-view-problem"
              // Select the suggested name, so that typing replaces it.
              onFocus={({ currentTarget }) => currentTarget.select()}
              onChange={() => setProblem('')}
            />
          </label>
          <p id="save-view-problem" className={css.problem} role="alert">
            {problem}
          </p>
          <div className={css.buttons}>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
            <Button type="submit" look="ink">
              Save
            </Button>
          </div>
        </form>
      </dialog>
    </>
  )
}

/** Why a view can't have this name; empty if it can. */
export function checkViewName(name: string, others: readonly { name: string }[]): string {
  if (name === '') return 'Enter a name.'
  if (others.some((one) => one.name === name)) {
    return `Another view is called “${name}”. Choose another name.`
  }
  if (others.length >= MOST_VIEWS) {
    return `There are ${MOST_VIEWS} views already. Delete one in Settings first.`
  }
  return ''
}
