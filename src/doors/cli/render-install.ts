// What was written where, for people.

import type { FileChange, Installed } from '../../ops/clients/install.ts'
import { indent, safe } from '../../ops/kit/drawing/text.ts'
import type { Renderers } from './render.ts'

export const RENDERERS: Renderers<'install' | 'uninstall' | 'hook'> = {
  install: (result: Installed) => renderFiles(result, { nothing: 'up to date', label: 'next' }),
  uninstall: (result: Installed) =>
    renderFiles(result, { nothing: 'nothing of it was left', label: 'note' }),
  // For a program, whatever the shell's form.
  hook: ({ output }: { output: object }) => `${JSON.stringify(output)}\n`,
}

function renderFiles(
  { files, note, dry_run }: Installed,
  { nothing, label }: { nothing: string; label: string },
): string {
  const changes = files.filter(({ did }) => did !== 'unchanged')
  const lines = changes.map((change) => `${word(change, dry_run)} ${change.file}${shown(change)}\n`)
  const words = lines.length === 0 ? `${nothing}\n` : lines.join('')
  return note === '' || dry_run ? words : `${words}${label}: ${note}\n`
}

function word({ did }: FileChange, dryRun: boolean): string {
  const will = { made: 'would make', changed: 'would change', removed: 'would remove' }
  return dryRun && did !== 'unchanged' ? will[did] : did.padEnd(8)
}

function shown({ text }: FileChange): string {
  return text === undefined || text === '' ? '' : `\n${indent(safe(text.trimEnd()), '  ')}`
}
