// The settings of a person, as people see them.

import type { Settings } from '../../core/agents/settings.ts'
import { facts, type Page, since } from '../kit/drawing/page.ts'
import { oneLine, table } from '../kit/drawing/text.ts'

const onOff = (is: boolean) => (is ? 'on' : 'off')

export function drawSettings(
  { person, settings }: { person: string; settings: Settings },
  page: Page,
): string {
  const { views, notify, mark_read, single_keys } = settings
  const { quiet_from, quiet_to, paused_until } = notify
  const head = facts(
    [
      ['person', person],
      ['marks read', mark_read],
      ['single keys', onOff(single_keys)],
      ['on the desktop', onOff(notify.desktop)],
      ['sound', onOff(notify.sound)],
      ['failures', onOff(notify.failures)],
      ['quiet', quiet_from === null ? '' : `${quiet_from} to ${quiet_to}`],
      ['paused', since('goes on', paused_until, page)],
    ],
    page,
  )
  if (views.length === 0) return head
  const rows = views.map(({ name, screen, search }) => [
    { text: oneLine(name) },
    { text: screen, ink: page.ink.dim },
    { text: search, ink: page.ink.dim },
  ])
  return `${head}\nviews\n${table(rows, page.terminal.columns)}`
}
