// The suites of `npm test`, the files that a name selects, and what must be available before a file runs.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Extent } from '../test/worlds/extent.ts'
import { ROOT } from './run-step.ts'

export type Need = 'program' | 'postgres' | 'node24' | 'mcp-tools' | 'chromium'

export type Suite = {
  name: string
  /** Folders or files. */
  paths: string[]
  /** Its tests fill the machine themselves, so the other suites don't run beside it. */
  isAlone: boolean
}

export const SUITES: Suite[] = [
  { name: 'unit', paths: ['src', 'scripts'], isAlone: false },
  ...[
    'tools',
    'contract',
    'behaviours',
    'program',
    'mcp',
    'docs',
    'portability',
    'faults',
    'server',
    'browser',
    'races',
  ].map((name) => ({ name, paths: [`test/${name}`], isAlone: name === 'races' })),
]

/** Files that only the full product runs, and why. docs/promises.md may not name them (suites.test.ts). */
export const FULL_ONLY: Record<string, string> = {
  'test/mcp/outside.test.ts':
    'the Inspector and the conformance scenarios judge the protocol, most of which is its package',
  'test/browser/looks.test.ts':
    'axe on every empty and refused screen and dialog; the tests of each screen run axe on its rows',
  'test/browser/rings.test.ts': 'measures the painted focus ring in every list, in both themes',
  'test/server/large-store.test.ts':
    'reads a store of 320 MB; large-answers.test.ts pages through a smaller one',
  'test/faults/workflow-walks.test.ts': 'random walks of whole runs; workflow-kills has the kills',
  'test/faults/guards/lease.test.ts':
    'up to 90 nights of zombies without a guard; zombies.test.ts has one with all guards',
  'test/tools/flush.test.ts': 'tests a tool of the benches',
  'test/tools/powercut.test.ts': 'tests a tool of `npm run powercut`',
  'test/tools/proxy.test.ts': 'tests a tool of the PostgreSQL tests in faults',
}

/** Files that take about 40 s or more in a whole run. */
const LONG = [
  'test/faults/broker.test.ts',
  'test/faults/crash-points.test.ts',
  'test/faults/broker-server.test.ts',
  'test/faults/postgres-commit.test.ts',
  'test/faults/workflow.test.ts',
  'test/faults/workflow-walks.test.ts',
  'test/browser/offline.test.ts',
  'test/browser/approvals-stale.test.ts',
  'test/browser/approvals-more.test.ts',
  'test/browser/approvals.test.ts',
  'test/behaviours/clients/tool-hook.test.ts',
  'test/behaviours/threads/stop.test.ts',
  'test/behaviours/threads/wait-reply.test.ts',
  'test/behaviours/workflows/document.test.ts',
  'test/behaviours/workflows/workflow-stop.test.ts',
  'test/behaviours/workflows/channel.test.ts',
]

/**
 * Long files start first, so that no worker starts one when the others have nothing left to do. They mostly wait, so
 * large ones, which compute, start between them.
 */
export function startingOrder(suites: readonly Suite[]): string[] {
  const files = suites.flatMap(({ paths }) => paths)
  const sizeOf = (file: string) => statSync(join(ROOT, file)).size
  const others = files.filter((file) => !LONG.includes(file))
  others.sort((a, b) => sizeOf(b) - sizeOf(a))
  const long = LONG.filter((file) => files.includes(file))
  return [...long.flatMap((file) => [file, ...others.splice(0, 1)]), ...others]
}

/** A file has a need if the file or one of its imports in `test` and `scripts` mentions it. */
const MENTIONS: Record<Need, RegExp> = {
  program: /[/']dist['/](?!index\.js)/,
  postgres: /MAILROOM_TEST_PG/,
  node24: /MAILROOM_TEST_NODE24/,
  'mcp-tools': /MAILROOM_TEST_MCP_TOOLS/,
  chromium: /MAILROOM_TEST_CHROMIUM/,
}

/** The rooms that have a folder for each subject. */
const SUBJECT_ROOMS = ['src', 'src/core', 'src/store', 'src/ops', 'src/doors/cli', 'src/doors/mcp']

/** Each name is a suite, a subject, a path, or part of a path. Without names, all suites. */
export function chooseSuites(names: string[]): Suite[] {
  for (const { name, paths } of SUITES) {
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)))
    if (missing.length > 0) throw new Error(`suite ${name}: no ${missing.join()}`)
  }
  if (names.length === 0) return SUITES
  const chosen = names.flatMap(pathsNamed)
  return SUITES.flatMap((suite) => {
    const own = chosen.filter((path) => suite.paths.some((root) => isInside(path, root)))
    const outermost = own.filter((path) => !own.some((o) => o !== path && isInside(path, o)))
    return own.length > 0 ? [{ ...suite, paths: [...new Set(outermost)] }] : []
  })
}

function pathsNamed(name: string): string[] {
  const suite = SUITES.find((one) => one.name === name)
  if (suite) return suite.paths
  if (existsSync(join(ROOT, 'test/behaviours', name))) {
    const rooms = SUBJECT_ROOMS.map((room) => `${room}/${name}`)
    return [`test/behaviours/${name}`, ...rooms.filter((room) => testFiles(room).length > 0)]
  }
  const path = name.replace(/^\.\//, '').replace(/\/$/, '')
  const all = SUITES.flatMap(({ paths }) => paths.flatMap(testFiles))
  const exact = all.filter((file) => isInside(file, path))
  const found = exact.length > 0 ? exact : all.filter((file) => file.includes(path))
  if (found.length > 0) return found
  const suites = SUITES.map((one) => one.name)
  const subjects = readdirSync(join(ROOT, 'test/behaviours'))
  throw new Error(
    `no suite, subject or test file ${name}; the suites are ${suites.join(', ')}, the subjects ${subjects.join(', ')}`,
  )
}

/** A file requested by name runs at any extent. */
export function filesToRun(
  { paths }: Suite,
  { names, extent }: { names: string[]; extent: Extent },
): string[] {
  const files = paths.flatMap(testFiles)
  if (names.length > 0 || extent === 'full') return files
  return files.filter((file) => !(file in FULL_ONLY))
}

export function testFiles(path: string): string[] {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort()
    .map((file) => `${path}/${file}`)
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

export function needsOf(files: string[]): Set<Need> {
  const texts = [...closureOf(files)].map((file) => readFileSync(file, 'utf8'))
  const needs = Object.entries(MENTIONS) as [Need, RegExp][]
  const met = needs.filter(([, mention]) => texts.some((text) => mention.test(text)))
  return new Set(met.map(([need]) => need))
}

/** Follows imports within `test` and `scripts`, because `src` knows nothing of the test environment. */
function closureOf(files: string[]): Set<string> {
  const seen = new Set<string>()
  const open = files.map((file) => join(ROOT, file))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    // A test of the scripts may have import lines in a string.
    if (seen.has(file) || !OURS.test(file) || !existsSync(file)) continue
    seen.add(file)
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      open.push(join(dirname(file), to))
  }
  return seen
}

const IMPORT = /(?:from|import) *\(? *'(\.[^']+\.ts)'/g
const OURS = new RegExp(`^${ROOT}(test|scripts)/`)
