// The menus of the inbox's list. Loaded when the first one is opened.

import { useQuery } from '@tanstack/react-query'
import {
  AlarmClockOff,
  CalendarClock,
  Clock,
  Folder,
  Inbox,
  ListChecks,
  Mail,
  MailOpen,
  MessageSquare,
  Trash2,
} from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { asking } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { isOn } from '../../ui/commands.ts'
import { Choice } from '../../ui/list-pane.tsx'
import { Menu, MenuItem, menuCss } from '../../ui/menu.tsx'
import { futureIn } from '../../ui/time.tsx'
import type { ListControl } from './control.ts'
import type { ListedRow } from './page.ts'
import type { InboxFilters } from './search.ts'
import { fieldTime, snoozeTimes } from './snooze-times.ts'

export type OpenMenu = {
  kind: 'snooze' | 'filter' | 'more' | 'row'
  rows: readonly ListedRow[]
  beside?: Element | null
}

function focusField(field: HTMLInputElement | null): void {
  field?.focus()
}

type Props = {
  menu: OpenMenu
  close: () => void
  open: (menu: OpenMenu) => void
  control: ListControl
  filters: InboxFilters
  setFilters: (change: InboxFilters) => void
}

export function ListMenus(props: Props) {
  const { menu } = props
  if (menu.kind === 'snooze') return <SnoozeMenu {...props} />
  if (menu.kind === 'filter') return <FilterMenu {...props} />
  return menu.kind === 'row' ? <RowMenu {...props} /> : <MoreMenu {...props} />
}

function SnoozeMenu({ menu: { rows, beside }, close, control }: Props) {
  const [now] = useState(() => new Date())
  const [isPicking, setPicking] = useState(false)
  const [picked, setPicked] = useState(() => fieldTime(new Date(now.getTime() + 24 * 3_600_000)))
  const isSnoozed = rows.some(({ snoozed_until }) => snoozed_until !== null)
  const label = rows.length === 1 ? `Snooze ${rows[0]?.title}` : `Snooze ${rows.length} messages`
  const at = new Date(picked)
  const isPast = !(at > now)
  return (
    <Menu label={label} beside={beside} onClose={close}>
      {isSnoozed ? (
        <MenuItem icon={AlarmClockOff} onClick={() => control.wake(rows)}>
          Bring back now
        </MenuItem>
      ) : null}
      {snoozeTimes(now).map(({ title, until, shown }) => (
        <MenuItem
          key={title}
          icon={Clock}
          hint={shown}
          onClick={() => control.snooze(rows, until, shown)}
        >
          {title}
        </MenuItem>
      ))}
      <hr className={menuCss.line} />
      {isPicking ? (
        <form
          className={menuCss.field}
          onSubmit={(event) => {
            event.preventDefault()
            if (isPast) return
            event.currentTarget.closest('dialog')?.close()
            control.snooze(rows, at, futureIn(at, now))
          }}
        >
          <input
            type="datetime-local"
            className="full field round-control px-4 h-control-l"
            aria-label="Snooze until"
            ref={focusField}
            required
            min={fieldTime(now)}
            value={picked}
            onChange={({ target }) => setPicked(target.value)}
          />
          <Button type="submit" look="ink" disabled={isPast}>
            {isPast ? 'Pick a time in the future' : `Snooze until ${futureIn(at, now)}`}
          </Button>
        </form>
      ) : (
        <button type="button" className={menuCss.item} onClick={() => setPicking(true)}>
          <CalendarClock size={16} aria-hidden />
          Pick a time…
        </button>
      )}
      <MenuItem icon={MessageSquare} onClick={() => control.snooze(rows, null, '')}>
        Until there’s a new message
      </MenuItem>
    </Menu>
  )
}

function FilterMenu({ menu: { beside }, close, filters, setFilters }: Props) {
  const agents = useQuery(asking('agent list', { limit: 500 })).data?.agents ?? []
  const workspaces = useQuery(asking('workspace list', {})).data?.workspaces ?? []
  const { view, agent, ws } = filters
  return (
    <Menu label="Filter" beside={beside} onClose={close}>
      <MenuItem
        icon={Inbox}
        isOn={view === undefined}
        onClick={() => setFilters({ view: undefined })}
      >
        Everything
      </MenuItem>
      <MenuItem
        icon={Mail}
        hint={isOn('U') ? '⇧U' : undefined}
        isOn={view === 'unread'}
        onClick={() => setFilters({ view: 'unread' })}
      >
        Unread
      </MenuItem>
      <MenuItem
        icon={Clock}
        isOn={view === 'snoozed'}
        onClick={() => setFilters({ view: 'snoozed' })}
      >
        Snoozed and put away
      </MenuItem>
      <hr className={menuCss.line} />
      <FilterChoice
        label="From"
        all="Any agent"
        value={agent}
        options={agents.map(({ agent_id: id }) => ({ value: id, label: id }))}
        onChange={(next) => setFilters({ agent: next })}
      />
      <FilterChoice
        label="Workspace"
        all="Any workspace"
        value={ws}
        options={workspaces.map(({ workspace_id: id, label }) => ({ value: id, label }))}
        onChange={(next) => setFilters({ ws: next })}
      />
    </Menu>
  )
}

function FilterChoice(props: ComponentProps<typeof Choice>) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is inside
    <label className={menuCss.field}>
      {props.label}
      <Choice className="full field round-control px-4 h-control-l" {...props} />
    </label>
  )
}

function MoreMenu({ menu: { beside }, close, control, filters, setFilters }: Props) {
  const isByWorkspace = filters.group === 'workspace'
  return (
    <Menu label="More" beside={beside} onClose={close}>
      <MenuItem
        icon={ListChecks}
        hint={isOn('x') ? 'X' : undefined}
        onClick={control.startChoosing}
      >
        Select messages
      </MenuItem>
      <MenuItem
        icon={Folder}
        onClick={() => setFilters({ group: isByWorkspace ? undefined : 'workspace' })}
      >
        {isByWorkspace ? 'Group by date' : 'Group by workspace'}
      </MenuItem>
      <MenuItem icon={Clock} onClick={() => setFilters({ view: 'snoozed' })}>
        Show snoozed
      </MenuItem>
    </Menu>
  )
}

function RowMenu({ menu: { rows, beside }, close, open, control }: Props) {
  const row = rows[0]
  if (row === undefined) return null
  const { thread_id: id, title, unread, what } = row
  return (
    <Menu label={title} beside={beside} onClose={close}>
      <MenuItem icon={unread > 0 ? MailOpen : Mail} onClick={() => control.toggleRead(id)}>
        {unread > 0 ? 'Mark as read' : 'Mark as unread'}
      </MenuItem>
      <MenuItem icon={Clock} onClick={() => open({ kind: 'snooze', rows, beside: beside ?? null })}>
        Snooze…
      </MenuItem>
      <MenuItem icon={Trash2} onClick={() => control.putAway(id)}>
        {what === 'push' ? 'Move to trash' : 'Put away'}
      </MenuItem>
      <MenuItem icon={ListChecks} onClick={() => control.choose(id, true)}>
        Select
      </MenuItem>
    </Menu>
  )
}
