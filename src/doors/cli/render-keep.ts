// What keeps a store, or serves it, for people.

import type { Finding } from '../../core/keeping/keeper.ts'
import type { Imported } from '../../ops/keeping/import.ts'
import type { Page } from '../../ops/kit/drawing/page.ts'
import { count, safe } from '../../ops/kit/drawing/text.ts'
import type { Renderers } from './render.ts'

type Group = 'init' | 'doctor' | 'backup' | 'export' | 'import' | 'mcp' | 'serve'

export const RENDERERS: Renderers<Group> = {
  init: ({ db_path, status }) => `${db_path}  ${status}\n`,
  doctor: renderDoctor,
  backup: ({ file }) => `${file}\n`,
  export: ({ events }) => `${count(events, 'event')}\n`,
  import: renderImport,
  mcp: () => '',
  serve: ({ requests }) => `stopped after ${count(requests, 'request')}\n`,
}

function renderDoctor(
  { healthy, findings }: { healthy: boolean; findings: Finding[] },
  { ink }: Page,
): string {
  const lines = findings.map(({ check, ok, detail, warning, remedy }) => {
    const mark = ok ? ink.green('ok  ') : warning ? ink.yellow('warn') : ink.red('FAIL')
    return `${mark}  ${check.padEnd(13)}${safe(detail)}\n${remedy === undefined ? '' : `      ${' '.repeat(13)}${remedy}\n`}`
  })
  return `${lines.join('')}${healthy ? 'healthy' : ink.red('not healthy')}\n`
}

function renderImport(imported: Imported): string {
  const { events, messages, rejected, rejected_lines, set_aside_in } = imported
  const lines = rejected.map(({ line, why }) => `line ${line} set aside: ${why}\n`)
  const more = rejected_lines - rejected.length
  if (more > 0) lines.push(`${count(more, 'more line')} set aside\n`)
  const where = set_aside_in === null ? '' : `set aside in ${set_aside_in}\n`
  const what =
    messages === undefined
      ? count(events, 'event')
      : `${count(messages.added, 'message')}, ${messages.known} known before`
  return `${what}\n${lines.join('')}${where}`
}
