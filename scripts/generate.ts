// Writes what is derived from other files: the SQL as a module (so that the executable carries it)
// and the reference people read. `--check` writes nothing and fails when something is stale.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

function sqlModule(): string {
  const migrations = readdirSync(join(root, 'sql'))
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((file, i) => {
      const number = Number(file.slice(0, 4))
      if (number !== i + 1) throw new Error(`sql/${file}: migrations are numbered without gaps`)
      const text = readFileSync(join(root, 'sql', file), 'utf8')
      return { number, name: file.slice(0, -4), breaking: /^-- breaking\b/m.test(text), text }
    })
  const folder = join(root, 'src/store/queries')
  const queries: Record<string, string> = {}
  for (const file of readdirSync(folder).sort()) {
    for (const part of readFileSync(join(folder, file), 'utf8').split(/^--- /m).slice(1)) {
      const end = part.indexOf('\n')
      const name = part.slice(0, end).trim()
      if (queries[name] !== undefined) throw new Error(`${file}: query ${name} is written twice`)
      queries[name] = part.slice(end + 1).trim()
    }
  }
  if (migrations.length === 0 || Object.keys(queries).length === 0) throw new Error('no SQL found')
  return [
    '// Generated from sql/ and src/store/queries/ by scripts/generate.ts. Do not edit.',
    '',
    'export const MIGRATIONS: { number: number; name: string; breaking: boolean; text: string }[] =',
    `  ${JSON.stringify(migrations)}`,
    '',
    `export const QUERIES = ${JSON.stringify(queries, null, 2)}`,
    '',
    'export type QueryName = keyof typeof QUERIES',
    '',
  ].join('\n')
}

function versionModule(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `// Generated from package.json by scripts/generate.ts. Do not edit.\n\nexport const VERSION = ${JSON.stringify(version)}\n`
}

const outputs: Record<string, () => string | Promise<string>> = {
  'src/store/sql.gen.ts': sqlModule,
  'src/bin/version.gen.ts': versionModule,
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [file, make] of Object.entries(outputs)) {
  const path = join(root, file)
  const want = await make()
  let have = ''
  try {
    have = readFileSync(path, 'utf8')
  } catch {
    // Absent is stale.
  }
  if (have === want) continue
  stale.push(file)
  if (check) continue
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, want)
}
if (check && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run 'npm run generate'`)
  process.exitCode = 1
} else {
  console.log(
    check ? `${Object.keys(outputs).length} generated files fresh` : `wrote ${stale.length} files`,
  )
}
