// The sentences that test files cite. Reads files as text, so it also finds citations in tests that never run.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type Cited = { id: string; file: string }

/** `path` is a folder or a file. */
export function citedIn(path: string): Cited[] {
  const files = statSync(path).isFile() ? [path] : filesIn(path)
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bbehaves\(\s*'([^']+)'/g)].map(([, id]) => ({
      id: id as string,
      file,
    })),
  )
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}
