// Writes what is derived from other files: the SQL as a module (so that the executable carries it)
// and the reference people read. `--check` writes nothing and fails when something is stale.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Dialect, precompile } from '../src/store/compile.ts'
import { workflowSchema } from '../src/workflows/schema.ts'
import { helpTranscript } from './help-transcript.ts'
import { httpPage, openApiFile } from './http-reference.ts'
import { manPage } from './man-page.ts'
import { commandsPage, refusalsPage, specPage } from './reference.ts'
import { toolsPage } from './reference-mcp.ts'

const root = join(import.meta.dirname, '..')

function migrations() {
  const found = readdirSync(join(root, 'sql'))
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((file, i) => {
      const number = Number(file.slice(0, 4))
      if (number !== i + 1) throw new Error(`sql/${file}: migrations are numbered without gaps`)
      const text = readFileSync(join(root, 'sql', file), 'utf8')
      return { number, name: file.slice(0, -4), breaking: /^-- breaking\b/m.test(text), text }
    })
  if (found.length === 0) throw new Error('no migrations found')
  return found
}

/** The files whose reads a SQLite store loads when one is asked, because few commands ask them. */
const SELDOM = [
  ...['desk/desk.sql', 'inbox/receipts.sql', 'keeping/keeper.sql', 'keeping/mailbox.sql'],
  ...['keeping/retention.sql', 'pushes/pushes.sql', 'requests/agent-runs.sql'],
  ...[
    'workflows/channels.sql',
    'workflows/documents.sql',
    'workflows/overview.sql',
    'requests/requests.sql',
    'threads/history.sql',
    'threads/overview.sql',
    'waking/wakes.sql',
  ],
]

/** Writes are made without waiting, so their words are always at hand. */
function isSeldom(file: string, text: string): boolean {
  const isRead = /^(--.*\n|\s)*(select|with)\b/.test(text)
  return isRead && SELDOM.includes(file)
}

type IsWanted = typeof isSeldom

/** The queries of these subjects, each text once for both engines. */
function queries(isWanted: IsWanted = () => true): Record<string, string> {
  const folder = join(root, 'src/store')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const found: Record<string, string> = {}
  for (const file of files.filter((one) => one.endsWith('.sql')).sort()) {
    for (const part of readFileSync(join(folder, file), 'utf8').split(/^--- /m).slice(1)) {
      const end = part.indexOf('\n')
      const name = part.slice(0, end).trim()
      if (found[name] !== undefined) throw new Error(`${file}: query ${name} is written twice`)
      const text = part.slice(end + 1).trim()
      if (isWanted(file, text)) found[name] = text
    }
  }
  if (Object.keys(found).length === 0) throw new Error('no queries found')
  return found
}

const header = (from: string) =>
  `// Generated from ${from} by scripts/generate.ts. Do not edit.\n\n`

// These are loaded only when a store must be made or brought up to date.
function migrationsModule(): string {
  const type = '{ number: number; name: string; breaking: boolean; text: string }[]'
  return `${header('sql/')}export const MIGRATIONS: ${type} = ${JSON.stringify(migrations(), null, 2)}\n`
}

function versionOfSchema(): string {
  return `${header('sql/')}export const SCHEMA_VERSION = ${migrations().length}\n`
}

function queriesModule(dialect: Dialect, isWanted?: IsWanted): string {
  const compiled = Object.entries(queries(isWanted)).map(([name, text]) => [
    name,
    precompile(text, dialect),
  ])
  const table = JSON.stringify(Object.fromEntries(compiled), null, 2)
  return `${header('the queries in src/store')}import type { Query } from '../compile.ts'\n\nexport const QUERIES: Record<string, Query> = ${table}\n`
}

function queryNames(): string {
  const union = Object.keys(queries()).map((name) => `\n  | '${name}'`)
  return `${header('the queries in src/store')}export type QueryName =${union.join('')}\n`
}

/** The schema of GraphQL, so that the executable carries it. */
function schemaModule(): string {
  const file = 'src/doors/http/graphql/schema.graphql'
  const text = readFileSync(join(root, file), 'utf8')
  return `${header(file)}export const SDL = ${JSON.stringify(text)}\n`
}

function versionModule(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `// Generated from package.json by scripts/generate.ts. Do not edit.\n\nexport const VERSION = ${JSON.stringify(version)}\n`
}

/**
 * The skills that `install` writes for agents: one set for a store's commands, one for a server's tools.
 */
function skillsModule(): string {
  const tables = Object.entries({ SKILLS: 'skills', SERVER_SKILLS: 'skills-server' })
  const texts = tables.map(([name, folder]) => {
    const skills = readdirSync(join(root, folder)).map((skill) => [
      skill,
      readFileSync(join(root, folder, skill, 'SKILL.md'), 'utf8'),
    ])
    if (skills.length === 0) throw new Error(`no skills found in ${folder}`)
    const table = JSON.stringify(Object.fromEntries(skills.sort()), null, 2)
    return `export const ${name}: Readonly<Record<string, string>> = ${table}\n`
  })
  return `${header('skills/ and skills-server/')}${texts.join('\n')}`
}

const outputs: Record<string, () => string | Promise<string>> = {
  'src/store/migrations.gen.ts': migrationsModule,
  'src/store/schema-version.gen.ts': versionOfSchema,
  'src/store/sqlite/queries.gen.ts': () =>
    queriesModule('sqlite', (...query) => !isSeldom(...query)),
  'src/store/sqlite/seldom.gen.ts': () => queriesModule('sqlite', isSeldom),
  'src/store/postgres/queries.gen.ts': () => queriesModule('postgres'),
  'src/store/query-name.gen.ts': queryNames,
  'src/bin/version.gen.ts': versionModule,
  'src/doors/http/graphql/sdl.gen.ts': schemaModule,
  'src/clients/skills.gen.ts': skillsModule,
  'docs/reference/inbox.md': () => commandsPage('inbox'),
  'docs/reference/agent-worker.md': () => commandsPage('agent-worker'),
  'docs/reference/mcp.md': toolsPage,
  'docs/reference/http.md': httpPage,
  'docs/reference/openapi.json': openApiFile,
  'docs/reference/workflow.schema.json': () => `${JSON.stringify(workflowSchema(), null, 2)}\n`,
  'docs/refusals.md': refusalsPage,
  'docs/man/inbox.1': () => manPage('inbox'),
  'docs/man/agent-worker.1': () => manPage('agent-worker'),
  'docs/transcripts/help.txt': helpTranscript,
  'SPEC.md': specPage,
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
