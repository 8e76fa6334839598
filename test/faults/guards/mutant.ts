// A linked copy of our sources with one guard taken out, for test programs to run on. The text to remove must occur
// exactly once, so that a moved or rewritten guard is noticed.

import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

export type Mutation = { file: string; guard: string; without: string }

export async function withMutant<T>(
  mutations: Mutation | Mutation[],
  use: (source: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-mutant-'))
  try {
    const source = join(folder, 'src')
    linkFolder(join(ROOT, 'src'), source)
    copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const mutation of [mutations].flat()) mutate(source, mutation)
    return await use(source)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Hard-links every file, which costs a thirtieth of making twelve hundred copies. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [here, there] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(here, there)
    else linkFile(here, there)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // The copy is on another disk, or the file belongs to another user.
    copyFileSync(from, to)
  }
}

export function mutate(source: string, { file, guard, without }: Mutation): void {
  const path = join(source, file)
  const parts = readFileSync(path, 'utf8').split(guard)
  if (parts.length !== 2) {
    throw new Error(`the guard is ${parts.length - 1} times in ${file}, not once: ${guard}`)
  }
  // Writes a new file, because the existing one can be a hard link to our own.
  rmSync(path)
  writeFileSync(path, parts.join(without))
}
