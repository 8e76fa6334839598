// Writes the modules that embed other files in the program: SQL, migrations, skills, the GraphQL schema, the version.
// Git ignores them. `scripts/bun.mjs` runs this before any other command if a source is newer than the last run.
// Imports no module that imports a generated one, so that it works in a fresh clone.

import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Dialect, precompile } from '../src/store/compile.ts'

const ROOT = join(import.meta.dirname, '..')
/** Holds the names of the files written; its modification time is the time of the last run. */
const STAMP = join(ROOT, 'dist/.generated')

const FILES: Record<string, () => string> = {
  'src/store/migrations.gen.ts': migrationsModule,
  'src/store/schema-version.gen.ts': schemaVersionModule,
  'src/store/sqlite/queries.gen.ts': () => queriesModule('sqlite'),
  'src/store/postgres/queries.gen.ts': () => queriesModule('postgres'),
  'src/store/query-name.gen.ts': queryNamesModule,
  'src/bin/version.gen.ts': versionModule,
  'src/doors/http/graphql/sdl.gen.ts': graphqlModule,
  'src/clients/skills.gen.ts': skillsModule,
}

/** Returns how many files changed. */
export function generateCode(): number {
  const stale = Object.entries(FILES)
    .map(([file, make]) => ({ path: join(ROOT, file), text: make() }))
    .filter(({ path, text }) => readIfThere(path) !== text)
  for (const { path, text } of stale) replaceFile(path, text)
  mkdirSync(dirname(STAMP), { recursive: true })
  replaceFile(STAMP, `${Object.keys(FILES).join('\n')}\n`)
  return stale.length
}

/** Loaded only when a store is created or migrated. */
function migrationsModule(): string {
  const type = '{ number: number; name: string; breaking: boolean; text: string }[]'
  return `${header('sql/')}export const MIGRATIONS: ${type} = ${print(readMigrations())}\n`
}

function schemaVersionModule(): string {
  return `${header('sql/')}export const SCHEMA_VERSION = ${readMigrations().length}\n`
}

function readMigrations() {
  const found = readdirSync(join(ROOT, 'sql'))
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((file, i) => {
      const number = Number(file.slice(0, 4))
      if (number !== i + 1) throw new Error(`sql/${file}: migrations are numbered without gaps`)
      const text = readFileSync(join(ROOT, 'sql', file), 'utf8')
      return { number, name: file.slice(0, -4), breaking: /^-- breaking\b/m.test(text), text }
    })
  if (found.length === 0) throw new Error('no migrations found')
  return found
}

function queriesModule(dialect: Dialect): string {
  const compiled = Object.entries(readQueries()).map(([name, text]) => [
    name,
    precompile(text, dialect),
  ])
  return `${header('the queries in src/store')}import type { Query } from '../compile.ts'

export const QUERIES: Record<string, Query> = ${print(Object.fromEntries(compiled))}\n`
}

function queryNamesModule(): string {
  const union = Object.keys(readQueries()).map((name) => `\n  | '${name}'`)
  return `${header('the queries in src/store')}export type QueryName =${union.join('')}\n`
}

/** The SQL is the same for both engines. Queries include a shared `--- part NAME` by writing `-- part NAME`. */
function readQueries(): Record<string, string> {
  const folder = join(ROOT, 'src/store')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const found: Record<string, string> = {}
  for (const file of files.filter((one) => one.endsWith('.sql')).sort()) {
    for (const part of readFileSync(join(folder, file), 'utf8').split(/^--- /m).slice(1)) {
      const end = part.indexOf('\n')
      const name = part.slice(0, end).trim()
      if (found[name] !== undefined) throw new Error(`${file}: query ${name} is written twice`)
      found[name] = part.slice(end + 1).trim()
    }
  }
  if (Object.keys(found).length === 0) throw new Error('no queries found')
  const fill = (text: string): string =>
    text.replace(/^ *-- (part \w+)$/gm, (_, part: string) => {
      if (found[part] === undefined) throw new Error(`there is no ${part}`)
      return fill(found[part])
    })
  const queries = Object.entries(found).filter(([name]) => !name.startsWith('part '))
  return Object.fromEntries(queries.map(([name, text]) => [name, fill(text)]))
}

function graphqlModule(): string {
  const file = 'src/doors/http/graphql/schema.graphql'
  const text = readFileSync(join(ROOT, file), 'utf8')
  return `${header(file)}export const SDL = ${JSON.stringify(text)}\n`
}

function versionModule(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return `${header('package.json')}export const VERSION = ${JSON.stringify(version)}\n`
}

/** The skills that `install` writes for agents: one set for a store's commands, one for a server's tools. */
function skillsModule(): string {
  const tables = Object.entries({ SKILLS: 'skills', SERVER_SKILLS: 'skills-server' })
  const texts = tables.map(([name, folder]) => {
    const skills = readdirSync(join(ROOT, folder)).map((skill) => [
      skill,
      readFileSync(join(ROOT, folder, skill, 'SKILL.md'), 'utf8'),
    ])
    if (skills.length === 0) throw new Error(`no skills found in ${folder}`)
    const table = print(Object.fromEntries(skills.sort()))
    return `export const ${name}: Readonly<Record<string, string>> = ${table}\n`
  })
  return `${header('skills/ and skills-server/')}${texts.join('\n')}`
}

function header(from: string): string {
  return `// Generated from ${from} by scripts/generate-code.ts. Do not edit.\n\n`
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes a temporary file and renames it, because two commands may generate at the same time. */
function replaceFile(path: string, text: string): void {
  const temp = `${path}.${process.pid}`
  writeFileSync(temp, text)
  renameSync(temp, path)
}

if (import.meta.main) generateCode()
