import { type Piece, piecesFor, type Scope } from '../../clients/client.ts'
import type { EditRecord } from '../../clients/edit.ts'
import { SKILLS } from '../../clients/skills.gen.ts'
import type { ClientName } from '../../core/clients/client.ts'
import type { Disk, FileEdit } from '../../core/disk.ts'
import { quote, refuse } from '../../core/error.ts'
import type { Context } from '../kit/operation.ts'

/**
 * Lists what was written, so that uninstall removes exactly that. It's stored in the user's folder and never in the
 * project's: a project may come from anywhere and must not control which files are changed.
 */
export type InstallReceipt = {
  client: ClientName
  scope: Scope
  agent?: string
  /** Whether the pieces include the hook that asks for approval. */
  approvals?: boolean
  pieces: WrittenPiece[]
}
export type WrittenPiece = { piece: Piece; made: EditRecord }

/** Reads files under a root once and collects the edits to them. */
export function openTexts(disk: Disk, root: string) {
  const texts = new Map<string, { was: string | null; text: string | null }>()
  const open = (file: string) => {
    const known = texts.get(file)
    if (known !== undefined) return known
    const was = disk.read(`${root}/${file}`)
    const held = { was, text: was }
    texts.set(file, held)
    return held
  }
  return {
    read: (file: string) => open(file).text,
    write(file: string, text: string | null) {
      open(file).text = text
    },
    edits: (): (FileEdit & { file: string })[] =>
      [...texts].map(([file, held]) => ({ file, path: `${root}/${file}`, ...held, root })),
  }
}

/** The file that records which files are being changed, shared by all of a user's installs. */
export function notePath(disk: Disk): string {
  return `${disk.home}/.config/mailroom/installed/under-way.json`
}

export function rootOf(disk: Disk, scope: Scope): string {
  return scope === 'user' ? disk.home : disk.cwd
}

export async function receiptPath(
  { digest }: Pick<Context, 'digest'>,
  disk: Disk,
  { client, scope, was }: Pick<InstallReceipt, 'client' | 'scope'> & { was?: string | undefined },
): Promise<string> {
  const folder = disk.real(was ?? disk.cwd)
  const root = scope === 'user' ? 'user' : (await digest(folder)).slice(0, 32)
  return `${disk.home}/.config/mailroom/installed/${root}-${client}.json`
}

export function readReceipt(disk: Disk, path: string): InstallReceipt | null {
  const words = disk.read(path)
  if (words === null) return null
  try {
    const receipt = JSON.parse(words) as InstallReceipt
    if (receipt.pieces.every(isWritten)) return receipt
  } catch {
    // The refusal below reports this.
  }
  const what = 'what was installed is not known; remove what is there by hand, and this file'
  const place = path.replace(disk.home, '~')
  throw refuse.invalid_state`${place} cannot be understood: ${what}`
}

function isWritten({ piece, made }: WrittenPiece): boolean {
  return typeof piece.file === 'string' && Array.isArray(made.holders)
}

/** A symbolic link can point to another file in the same folder, but not outside it. */
export function mustLieIn(disk: Disk, root: string, file: string): void {
  const real = disk.real(`${root}/${file}`)
  if (real.startsWith(`${disk.real(root)}/`)) return
  throw refuse.invalid_state`${file} leads out of the folder, to ${quote(real)}; it was left as it is`
}

/** Whether install could have written this piece. Uninstall touches nothing else. */
export function isOurs(
  piece: Piece,
  { client, scope }: Pick<InstallReceipt, 'client' | 'scope'>,
): boolean {
  const wanted = {
    reach: { command: '', args: [] },
    hook: () => [],
    toolHook: () => [],
    skills: SKILLS,
  }
  const parts = { hooks: true, approvals: true, skills: true }
  // Some pieces go into one of two files, depending on which existed at the time.
  return [() => false, (file: string) => file === piece.file].some((isThere) =>
    piecesFor(client, scope, wanted, { ...parts, isThere }).some((one) => isSame(one, piece)),
  )
}

export function isSame(a: Piece, b: Piece): boolean {
  return a.file === b.file && placeOf(a) === placeOf(b)
}

function placeOf(piece: Piece): string {
  if ('put' in piece) return `put ${piece.put.join('.')}`
  if ('add' in piece) return `add ${piece.add.join('.')}`
  if ('need' in piece) return `need ${piece.need.join('.')}`
  return 'lines' in piece ? 'lines' : 'text'
}
