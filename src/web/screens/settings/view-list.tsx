import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { LONGEST_VIEW_NAME, type View } from '../../../core/agents/settings.ts'
import { checkViewName } from '../../shell/save-view.tsx'
import { useSettings } from '../../shell/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { Group, Line } from './controls.tsx'

const SCREEN_WORDS = {
  inbox: 'Inbox',
  approvals: 'Approvals',
  threads: 'Threads',
  history: 'History',
}

export function ViewList() {
  const [{ views }, change] = useSettings()
  const [renamed, setRenamed] = useState<string | null>(null)
  const about =
    views.length === 0
      ? 'Filter a list and press Save view to keep it here and in the sidebar.'
      : 'In the order the sidebar shows them.'
  const move = (at: number, by: number) => {
    if (at + by < 0 || at + by >= views.length) return
    const next = [...views]
    const [view] = next.splice(at, 1) as [View]
    next.splice(at + by, 0, view)
    change({ views: next })
  }
  const remove = (view: View) => {
    change({ views: views.filter((one) => one !== view) })
    const id = `view ${view.name}`
    const run = () => {
      dismissToast(id)
      change({ views })
    }
    showToast({ id, text: `Deleted “${view.name}”`, undo: { run, until: Date.now() + 10_000 } })
  }
  return (
    <Group title="Views" about={about}>
      {views.map((view, at) => {
        const { name, screen } = view
        if (name === renamed) {
          const others = views.filter((one) => one !== view)
          const rename = (next: string) => {
            setRenamed(null)
            if (next !== name) change({ views: views.with(at, { ...view, name: next }) })
          }
          return <Rename key={name} name={name} others={others} rename={rename} />
        }
        return (
          <Line
            key={name}
            title={<span dir="auto">{name}</span>}
            about={
              <>
                {SCREEN_WORDS[screen]} {at < 9 ? <Key name={`g ${at + 1}`} /> : null}
              </>
            }
          >
            <Button
              look="quiet"
              icon={ArrowUp}
              label={`Move ${name} up`}
              aria-disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <Button
              look="quiet"
              icon={ArrowDown}
              label={`Move ${name} down`}
              aria-disabled={at === views.length - 1}
              onClick={() => move(at, 1)}
            />
            <Button
              look="quiet"
              icon={Pencil}
              label={`Rename ${name}`}
              onClick={() => setRenamed(name)}
            />
            <Button
              look="quiet"
              icon={Trash2}
              label={`Delete ${name}`}
              onClick={() => remove(view)}
            />
          </Line>
        )
      })}
    </Group>
  )
}

type RenameProps = { name: string; others: readonly View[]; rename: (name: string) => void }

function Rename({ name, others, rename }: RenameProps) {
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name')).trim()
    const wrong = checkViewName(next, others)
    if (wrong === '') rename(next)
    else setProblem(wrong)
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={({ key }) => {
        if (key === 'Escape') rename(name)
      }}
    >
      <Line
        title={
          <input
            name="name"
            className="field control-l px-4"
            aria-label={`New name for ${name}`}
            defaultValue={name}
            maxLength={LONGEST_VIEW_NAME}
            autoComplete="off"
            dir="auto"
            // biome-ignore lint/a11y/noAutofocus: the person just pressed Rename
            autoFocus
          />
        }
        about={<span role="alert">{problem}</span>}
      >
        <Button onClick={() => rename(name)}>Cancel</Button>
        <Button type="submit" look="ink">
          Save
        </Button>
      </Line>
    </form>
  )
}
