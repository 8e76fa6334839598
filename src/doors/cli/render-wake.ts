// Wakes, for people.

import type { Explained } from '../../ops/wake-explain.ts'
import type { WakeView } from '../../ops/wake-log.ts'
import type { Page } from './page.ts'
import { type Cell, count, indent, oneLine, relative, safe, table } from './text.ts'

export const RENDERERS: Record<string, (result: never, page: Page) => string> = {
  'wake run': ({ started, lost }: { started: number; lost: number }) =>
    `${count(started, 'start')}${lost === 0 ? '' : `, ${lost} lost`}\n`,
  'wake exec': () => '',
  'wake log': ({ wakes }: { wakes: WakeView[] }, page) =>
    wakes.length === 0 ? 'nothing was started\n' : wakeTable(wakes, page),
  'wake explain': renderExplained,
}
