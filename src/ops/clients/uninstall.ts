import { removePiece } from '../../clients/edit.ts'
import { CLIENTS } from '../../core/clients/client.ts'
import type { Disk, FileEdit } from '../../core/disk.ts'
import { field, refuse } from '../../core/error.ts'
import { byDefault, choice, flag, type Input, path, required } from '../kit/field.ts'
import { type BareContext, PEOPLE } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'
import { type FileChange, INSTALLED, type InstallAnswer } from './install.ts'
import {
  isOurs,
  mustLieIn,
  notePath,
  openTexts,
  readReceipt,
  receiptPath,
  rootOf,
} from './receipt.ts'

const FIELDS = {
  client: required(choice(CLIENTS, 'the program', { positional: true })),
  scope: byDefault(choice(['project', 'user'], 'where it was installed'), 'project'),
  was: path('where the folder was at the install, if it has moved since'),
  dry_run: flag('only show what would be removed'),
}

export const uninstall = command({
  name: 'uninstall',
  example: 'uninstall claude',
  summary: 'Remove exactly what install wrote.',
  fields: FIELDS,
  writes: 'nothing',
  callers: PEOPLE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  storeless: { when: () => true, run: remove },
  run: remove,
  answer: INSTALLED,
  async lines(answer) {
    const { drawFiles } = await import('./drawing.ts')
    return drawFiles(answer, { nothing: 'nothing of it was left', label: 'note' })
  },
})

async function remove(
  context: AtShell<BareContext>,
  input: Input<typeof FIELDS>,
): Promise<InstallAnswer> {
  const disk = await context.shell.disk()
  const plan = () => planRemoval(context, disk, input)
  if (input.dry_run) return (await plan()).answer
  return disk.alone(notePath(disk), async (edit) => {
    const { answer, edits } = await plan()
    edit(edits)
    return answer
  })
}

async function planRemoval(
  context: AtShell<BareContext>,
  disk: Disk,
  { client, scope, was, dry_run = false }: Input<typeof FIELDS>,
): Promise<{ answer: InstallAnswer; edits: FileEdit[] }> {
  const place = await receiptPath(context, disk, { client, scope, was })
  const receipt = readReceipt(disk, place)
  if (receipt === null)
    throw refuse.not_found`nothing was installed for ${client} here; see ${field('scope')}, and ${field('was')} if the folder was moved`
  const root = rootOf(disk, scope)
  const { parseToml } = disk
  const pieces = receipt.pieces.filter(({ piece }) => isOurs(piece, { client, scope }))
  for (const { piece } of pieces) mustLieIn(disk, root, piece.file)
  const texts = openTexts(disk, root)
  const kept: string[] = []
  // In reverse order, because each piece was put on top of the one before.
  for (const { piece, made } of pieces.toReversed()) {
    const { file } = piece
    const text = texts.read(file)
    if (text === null) continue
    const taken = removePiece(text, piece, { made, parseToml })
    if (taken.isLeft) kept.push(file)
    texts.write(file, taken.text)
  }
  const edits = texts.edits().filter((edit) => edit.was !== edit.text)
  const files: FileChange[] = edits.map(({ file, text }) => {
    const did = text === null ? 'removed' : 'changed'
    return { file, did, ...(dry_run ? { text: text ?? '' } : {}) }
  })
  const note = kept.length === 0 ? '' : `changed since it was written, and left: ${kept.join(', ')}`
  const own = { path: place, was: disk.read(place), text: null, root: disk.home }
  return { answer: { client, dry_run, files, note }, edits: [...edits, own] }
}
