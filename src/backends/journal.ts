// Changes a project file while agents work, and restores it exactly afterward.
// (1) A journal with the file's old and new bytes is on disk before the file is touched.
// (2) Every process that needs the change is a holder in the journal. The first makes the change, the last reverts it,
//     and holders whose process is gone don't count. So agents and runners in a folder share one change, and after a
//     kill, the next process reverts it.
// (3) If someone edited the file in between, only our entry is removed and their edits stay.
// (4) Only one process at a time reads or writes the journal and the file.

import fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Piece } from '../clients/client.ts'
import { type EditRecord, put, removePiece } from '../clients/edit.ts'
import { type LivingProcess, runAlone } from './flag-lock.ts'

/** The project's folder, the journal's name, and the entry, whose `file` is relative to the folder. */
export type Loan = { root: string; name: string; piece: Extract<Piece, { put: string[] }> }

type LoanJournal = {
  path: string
  /** The file's previous bytes in base64; null if there was no file. */
  was: string | null
  /** The file's new content, with our entry. */
  text: string
  made: EditRecord
  piece: Loan['piece']
  /** Folders created for the file, outermost first. */
  folders: string[]
  holders: { id: string; word: string }[]
}

/** Called after each step, so that tests can kill the process there. */
type Hook = (step: string) => void
const NOTHING: Hook = () => {}

const NO_TOML = { before: [], parseToml: () => ({}) }

/** Makes the change, or joins its existing holders. The returned function releases this holder. */
export async function borrow(
  loan: Loan,
  living: LivingProcess,
  hook: Hook = NOTHING,
): Promise<() => Promise<void>> {
  const folder = journalFolder(loan.root)
  const id = crypto.randomUUID()
  const isBorrowed = runAlone(folder, loan.name, living, () => {
    hook('lock')
    const found = readJournal(folder, loan.name)
    const held = found === null ? null : dropDead(folder, loan.name, found, living, hook)
    if (held === null) {
      begin(folder, loan, { id, word: living.word }, hook)
      return
    }
    if (JSON.stringify(held.piece) !== JSON.stringify(loan.piece)) {
      throw new Error(
        `another agent needs ${loan.piece.put.join('.')} in ${held.path} to be something else; run one of the two in another folder`,
      )
    }
    const holders = [...held.holders, { id, word: living.word }]
    writeJournal(folder, loan.name, { ...held, holders })
    hook('joined')
    // Someone may have restored the old file since the change was made.
    if (isAsBefore(held, bytesIn(held.path))) writeChange(held, hook)
  })
  try {
    await isBorrowed
  } catch (error) {
    removeJournalFolder(loan.root)
    throw error
  }
  return async () => {
    await runAlone(folder, loan.name, living, () => {
      hook('lock to return')
      const found = readJournal(folder, loan.name)
      if (found === null) return
      const holders = found.holders.filter((one) => one.id !== id)
      dropDead(folder, loan.name, { ...found, holders }, living, hook)
    })
    removeJournalFolder(loan.root)
  }
}

/** Reverts a change if none of its holders is alive. Returns a problem if the file couldn't be restored. */
export async function repair(
  { root, name }: Pick<Loan, 'root' | 'name'>,
  living: LivingProcess,
  hook: Hook = NOTHING,
): Promise<string[]> {
  const folder = journalFolder(root)
  if (!fs.existsSync(folder)) return []
  const problems: string[] = []
  await runAlone(folder, name, living, () => {
    try {
      const found = readJournal(folder, name)
      if (found !== null) dropDead(folder, name, found, living, hook)
    } catch (error) {
      problems.push((error as Error).message)
    }
  })
  removeJournalFolder(root)
  return problems
}

function begin(folder: string, loan: Loan, holder: LoanJournal['holders'][0], hook: Hook): void {
  const path = realPath(join(loan.root, loan.piece.file))
  const was = bytesIn(path)
  const { text, made } = put(was === null ? null : textIn(was, path), loan.piece, NO_TOML)
  const journal: LoanJournal = {
    path,
    text,
    made,
    piece: loan.piece,
    holders: [holder],
    was: was === null ? null : was.toString('base64'),
    folders: missingFolders(dirname(path)),
  }
  writeJournal(folder, loan.name, journal)
  hook('journal')
  writeChange(journal, hook)
}

function writeChange({ path, text, folders }: LoanJournal, hook: Hook): void {
  for (const one of folders) fs.mkdirSync(one, { recursive: true })
  hook('folders')
  replaceFile(path, Buffer.from(text), () => hook('new text'))
  hook('file')
}

function isAsBefore({ was }: LoanJournal, there: Buffer | null): boolean {
  return (there?.toString('base64') ?? null) === was
}

/** Drops dead holders and returns the journal. If no holder is left, reverts the change and returns null. */
function dropDead(
  folder: string,
  name: string,
  journal: LoanJournal,
  living: LivingProcess,
  hook: Hook,
): LoanJournal | null {
  const holders = journal.holders.filter(({ word }) => living.isRunning(word))
  const left = { ...journal, holders }
  if (holders.length > 0) {
    writeJournal(folder, name, left)
    return left
  }
  takeBack(journal, hook)
  hook('taken back')
  fs.rmSync(journalPath(folder, name), { force: true })
  flushFolder(folder)
  hook('forgotten')
  return null
}

function takeBack(journal: LoanJournal, hook: Hook): void {
  const { path, was, text, made, piece, folders } = journal
  removeFresh(path)
  const there = bytesIn(path)
  if (there !== null && !isAsBefore(journal, there)) {
    const isOurs = there.equals(Buffer.from(text))
    const left = isOurs ? bytesOf(was) : withoutEntry(textIn(there, path), piece, made)
    if (left === null) fs.rmSync(path)
    else if (!left.equals(there)) replaceFile(path, left, () => hook('old text'))
  }
  hook('restored')
  for (const one of folders.toReversed()) removeIfEmpty(one)
}

function withoutEntry(text: string, piece: Piece, made: EditRecord): Buffer | null {
  const left = removePiece(text, piece, { made, parseToml: NO_TOML.parseToml }).text
  return left === null ? null : Buffer.from(left)
}

function bytesOf(base64: string | null): Buffer | null {
  return base64 === null ? null : Buffer.from(base64, 'base64')
}

function textIn(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error(`${path} is not text in UTF-8; fix it first (it was not changed)`)
  }
}

function realPath(path: string): string {
  if (fs.existsSync(path)) return fs.realpathSync(path)
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return path
  throw new Error(`${path} leads to a file that does not exist; fix the link first`)
}

/** The dot avoids clashes with instance folders, because no instance name begins with one. */
function journalFolder(root: string): string {
  return join(root, '.workflow', '.journal')
}

function removeJournalFolder(root: string): void {
  const folder = journalFolder(root)
  if (removeIfEmpty(folder)) removeIfEmpty(dirname(folder))
}

function journalPath(folder: string, name: string): string {
  return join(folder, `${name}.json`)
}

function readJournal(folder: string, name: string): LoanJournal | null {
  const path = journalPath(folder, name)
  const bytes = bytesIn(path)
  if (bytes === null) return null
  try {
    return JSON.parse(bytes.toString()) as LoanJournal
  } catch {
    throw new Error(`${path} cannot be read; check the project file, and remove this one`)
  }
}

function writeJournal(folder: string, name: string, journal: LoanJournal): void {
  replaceFile(journalPath(folder, name), Buffer.from(JSON.stringify(journal)), () => {}, 0o600)
}

// Files are read and replaced as a whole, so readers find either the old bytes or the new ones, even after a kill.

/** Settings files are small; a larger file is something else. */
const MOST_BYTES = 4_000_000

function bytesIn(path: string): Buffer | null {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile() || found.size > MOST_BYTES) {
    throw new Error(`${path} is not a file of at most ${MOST_BYTES} bytes; it was not changed`)
  }
  return fs.readFileSync(path)
}

/** Writes the bytes to a new file with the same mode and renames it over the old one. One process at a time. */
function replaceFile(path: string, bytes: Uint8Array, whenWritten: () => void, mode = 0o644): void {
  const there = fs.statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && (there.mode & 0o222) === 0) {
    throw new Error(`${path} is read-only; make it writable first (chmod u+w)`)
  }
  removeFresh(path)
  const fresh = freshPath(path)
  // `wx` fails if anything already exists at this path, even a link.
  const fd = fs.openSync(fresh, 'wx', mode)
  try {
    if (there !== undefined) fs.fchmodSync(fd, there.mode & 0o7777)
    fs.writeFileSync(fd, bytes)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  whenWritten()
  fs.renameSync(fresh, path)
  flushFolder(dirname(path))
}

/** Removes the new file that a killed process may have left behind. */
function removeFresh(path: string): void {
  fs.rmSync(freshPath(path), { force: true })
}

function freshPath(path: string): string {
  return `${path}.workflow-new`
}

function flushFolder(folder: string): void {
  const fd = fs.openSync(folder, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** The folders in this path that don't exist yet, outermost first. */
function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; !fs.existsSync(at); at = dirname(at)) missing.unshift(at)
  return missing
}

function removeIfEmpty(folder: string): boolean {
  try {
    fs.rmdirSync(folder)
    return true
  } catch {
    // The folder has other files, or is gone.
    return false
  }
}
