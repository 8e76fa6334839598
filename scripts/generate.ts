// Writes everything that is derived from other files: the generated code, and the pages for people, which are checked
// in. `--check` writes no page and fails if one is stale.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateCode, readIfThere } from './generate-code.ts'

const ROOT = join(import.meta.dirname, '..')

const code = generateCode()
// The catalogue imports generated code, so it loads only now.
const { PAGES } = await import('./pages.ts')

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [file, make] of Object.entries(PAGES)) {
  const path = join(ROOT, file)
  const text = await make()
  if (readIfThere(path) === text) continue
  stale.push(file)
  if (check) continue
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
if (check && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run 'npm run generate'`)
  process.exitCode = 1
} else if (check) console.log(`${Object.keys(PAGES).length} generated pages fresh`)
else console.log(`wrote ${code + stale.length} file(s)`)
