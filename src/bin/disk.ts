import fs from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { Disk } from '../core/disk.ts'
import { quote, refuse } from '../core/error.ts'

export function makeDisk(program: readonly string[]): Disk {
  return {
    read,
    write,
    remove,
    real,
    parseToml: (text) => Bun.TOML.parse(text),
    home: homedir(),
    cwd: process.cwd(),
    program: shortestCommand(program),
  }
}

/** The command that starts this program, as short as it works in a shell like this one. */
export function shortestCommand(program: readonly string[]): readonly string[] {
  return isOnPath(program) ? ['inbox'] : program
}

/** Whether `inbox` on the PATH is this very program: then a configuration need not say where it is. */
function isOnPath([executable, ...words]: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const first = folders.map((folder) => join(folder, 'inbox')).find((path) => fs.existsSync(path))
  if (first === undefined || words.length > 0) return false
  return fs.realpathSync(first) === fs.realpathSync(executable ?? '')
}

function read(path: string): string | null {
  let bytes: Uint8Array
  try {
    bytes = fs.readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw refuse('invalid_input', `cannot read ${quote(path)}: ${codeOf(error)}`)
  }
  try {
    // The text keeps its every byte, because it is written back.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refuse('invalid_input', `${quote(path)} is not UTF-8 text; it was left as it is`)
  }
}

function write(path: string, text: string): void {
  try {
    fs.mkdirSync(dirname(path), { recursive: true })
    const target = fs.existsSync(path) ? fs.realpathSync(path) : path
    const mode = fs.existsSync(target) ? fs.statSync(target).mode & 0o777 : 0o644
    const fresh = `${target}.${crypto.randomUUID()}.tmp`
    // The flag refuses to write to, or through, anything that is already there.
    fs.writeFileSync(fresh, text, { mode, flush: true, flag: 'wx' })
    try {
      fs.renameSync(fresh, target)
    } catch (error) {
      fs.rmSync(fresh, { force: true })
      throw error
    }
  } catch (error) {
    throw refuse('invalid_input', `cannot write ${quote(path)}: ${codeOf(error)}`)
  }
}

function remove(path: string, root: string): void {
  fs.rmSync(path, { force: true })
  for (let folder = dirname(path); folder.startsWith(`${root}/`); folder = dirname(folder)) {
    try {
      fs.rmdirSync(folder)
    } catch {
      return
    }
  }
}

function real(path: string): string {
  try {
    return fs.realpathSync.native(path)
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path) {
      throw refuse('invalid_input', `cannot read ${quote(path)}: ${codeOf(error)}`)
    }
    // A link that leads nowhere would be written through.
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return real(resolve(real(above), fs.readlinkSync(path)))
    }
    return join(real(above), basename(path))
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
