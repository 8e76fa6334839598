// The sentences that test files cite. Read as text, so that a file that is never run is seen too.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Cited = { id: string; file: string }

export function citedIn(folder: string): Cited[] {
  const there = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = there.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bbehaves\(\s*'([^']+)'/g)].map(([, id]) => ({
      id: id as string,
      file,
    })),
  )
}
