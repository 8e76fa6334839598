import { CLIENTS } from '../clients/client.ts'
import { take } from '../clients/edit.ts'
import { refuse } from '../core/error.ts'
import { choice, flag, required } from './field.ts'
import {
  diskOf,
  type FileChange,
  type Installed,
  readReceipt,
  receiptPath,
  rootOf,
} from './install.ts'
import { PEOPLE, query } from './operation.ts'

export const uninstall = query({
  name: 'uninstall',
  summary: 'Remove what install wrote, and nothing else.',
  fields: {
    client: required(choice(CLIENTS, 'which program', { positional: true })),
    scope: choice(['project', 'user'], 'where it was installed', { default: 'project' }),
    dry_run: flag('only show what would be removed'),
  },
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found'],
  async run(context, { client, scope = 'project', dry_run = false }): Promise<Installed> {
    const disk = await diskOf(context, 'uninstall')
    const receipt = readReceipt(disk, client, scope)
    if (receipt === null) {
      throw refuse('not_found', `nothing was installed for ${client} here; see --scope`)
    }
    const root = rootOf(disk, scope)
    const texts = new Map<string, string | null>()
    // The last first, as they were put on top of each other.
    for (const { piece, made } of receipt.pieces.toReversed()) {
      const { file } = piece
      const text = texts.has(file) ? texts.get(file) : disk.read(`${root}/${file}`)
      texts.set(file, text === null || text === undefined ? null : take(text, piece, made))
    }
    const files: FileChange[] = [...texts].flatMap(([file, after]) => {
      const now = disk.read(`${root}/${file}`)
      if (now === after) return []
      if (!dry_run && after === null) disk.remove(`${root}/${file}`, root)
      else if (!dry_run) disk.write(`${root}/${file}`, after as string)
      const did = after === null ? 'removed' : 'changed'
      return [{ file, did, ...(dry_run ? { text: after ?? '' } : {}) }]
    })
    if (!dry_run) disk.remove(receiptPath(disk, client, scope), root)
    return { client, dry_run, files, note: '' }
  },
})
