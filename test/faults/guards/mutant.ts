// Our sources with a guard taken out: a copy in a folder of its own, for test programs to run on. The
// text to take out must be there exactly once, so that a guard that was moved or rewritten is noticed.

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
    cpSync(join(ROOT, 'src'), source, { recursive: true })
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const mutation of [mutations].flat()) mutate(source, mutation)
    return await use(source)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function mutate(source: string, { file, guard, without }: Mutation): void {
  const path = join(source, file)
  const parts = readFileSync(path, 'utf8').split(guard)
  if (parts.length !== 2) {
    throw new Error(`the guard is ${parts.length - 1} times in ${file}, not once: ${guard}`)
  }
  writeFileSync(path, parts.join(without))
}
