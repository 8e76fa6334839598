import { count, indent, makeSafe } from '../kit/drawing/text.ts'
import type { FileChange, InstallAnswer } from './install.ts'

export function drawFiles(
  { files, note, dry_run }: InstallAnswer,
  { nothing, label }: { nothing: string; label: string },
): string {
  const changes = files.filter(({ did }) => did !== 'unchanged')
  const lines = changes.map(
    (change) => `${word(change, dry_run)} ${change.file}${showContent(change)}\n`,
  )
  const words = lines.length === 0 ? `${nothing}\n` : lines.join('')
  return note === '' || dry_run ? words : `${words}${label}: ${note}\n`
}

function word({ did }: FileChange, dryRun: boolean): string {
  const will = { made: 'would make', changed: 'would change', removed: 'would remove' }
  return dryRun && did !== 'unchanged' ? will[did] : did.padEnd(8)
}

/** Skills are long and meant for the agent. What a person wants to review is the program's own files. */
function showContent({ file, text }: FileChange): string {
  if (text === undefined || text === '') return ''
  const lines = makeSafe(text.trimEnd())
  if (file.endsWith('/SKILL.md')) return ` (${count(lines.split('\n').length, 'line')})`
  return `\n${indent(lines, '  ')}`
}
