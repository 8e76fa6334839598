import { type Removal, take } from '../../clients/edit.ts'
import { CLIENTS } from '../../core/clients/client.ts'
import { refuse } from '../../core/error.ts'
import { field, sentence } from '../../core/sentence.ts'
import { byDefault, choice, flag, type Input, path, required } from '../kit/field.ts'
import { type BareContext, PEOPLE } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'
import {
  type FileChange,
  INSTALLED,
  type InstallAnswer,
  isOurs,
  isSame,
  mustLieIn,
  readReceipt,
  receiptPath,
  rootOf,
} from './install.ts'

const FIELDS = {
  client: required(choice(CLIENTS, 'the program', { positional: true })),
  scope: byDefault(choice(['project', 'user'], 'where it was installed'), 'project'),
  was: path('where the folder was at the install, if it has moved since'),
  dry_run: flag('only show what would be removed'),
}

export const uninstall = command({
  name: 'uninstall',
  summary: 'Remove what install wrote, and nothing else.',
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
  { client, scope, was, dry_run = false }: Input<typeof FIELDS>,
): Promise<InstallAnswer> {
  const disk = await context.shell.disk()
  const place = await receiptPath(context, disk, { client, scope, was })
  const receipt = readReceipt(disk, place)
  if (receipt === null) {
    throw refuse(
      'not_found',
      sentence`nothing was installed for ${client} here; see ${field('scope')}, and ${field('was')} if the folder was moved`,
    )
  }
  const root = rootOf(disk, scope)
  const { parseToml } = disk
  const pieces = receipt.pieces.filter(({ piece }) => isOurs(piece, { client, scope }))
  for (const { piece } of pieces) mustLieIn(disk, root, piece.file)
  const texts = new Map<string, string | null>()
  const kept: string[] = []
  // The last piece goes first, because each was put on top of the one before.
  for (const { piece, made } of pieces.toReversed()) {
    const { file } = piece
    const text = texts.has(file) ? texts.get(file) : disk.read(`${root}/${file}`)
    if (typeof text !== 'string') continue
    // An install that died half way may have left the earlier version of a piece.
    const earlier = (receipt.earlier ?? []).filter((one) => isSame(one.piece, piece))
    const ways = [piece, ...earlier.map((one) => one.piece)].map((one) =>
      take(text, one, { made, parseToml }),
    )
    const taken = ways.find((one) => one.text !== text) ?? (ways[0] as Removal)
    if (taken.isLeft) kept.push(file)
    texts.set(file, taken.text)
  }
  const files: FileChange[] = [...texts].flatMap(([file, after]) => {
    const now = disk.read(`${root}/${file}`)
    if (now === after) return []
    if (!dry_run && after === null) disk.remove(`${root}/${file}`, root)
    else if (!dry_run) disk.write(`${root}/${file}`, after as string)
    const did = after === null ? 'removed' : 'changed'
    return [{ file, did, ...(dry_run ? { text: after ?? '' } : {}) }]
  })
  if (!dry_run) disk.remove(place, disk.home)
  const note = kept.length === 0 ? '' : `changed since it was written, and left: ${kept.join(', ')}`
  return { client, dry_run, files, note }
}
