// A file over 500 lines fails, and one over 400 gets a warning unless it is a test. A name that would suit any contents
// fails too, because in time such a file fills up with unrelated code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const SOFT_LIMIT = 400
const HARD_LIMIT = 500

const CHECKED = /\.(ts|tsx|css|sql)$/
const GENERATED = [/\.gen\.ts$/, /^sql\/schema\.[^/]+\.sql$/]

const EMPTY_NAMES = 'utils helpers common shared types lib misc manager service base impl'.split(
  ' ',
)

export type SizesReport = {
  files: number
  /** For `src`, without unit tests and generated code. */
  source: { files: number; lines: number }
  warnings: string[]
  violations: string[]
}

export function checkSizes(root: string, paths: string[]): SizesReport {
  const checked = paths.filter(
    (path) => CHECKED.test(path) && !GENERATED.some((generated) => generated.test(path)),
  )
  const source = { files: 0, lines: 0 }
  const report: SizesReport = { files: checked.length, source, warnings: [], violations: [] }
  if (checked.length === 0) report.violations.push('no files found: wrong folder?')
  for (const path of checked) {
    const [name = ''] = basename(path).split('.')
    const isTest = path.startsWith('test/') || path.includes('.test.')
    const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length
    if (path.startsWith('src/') && !isTest) {
      source.files += 1
      source.lines += lines
    }
    if (EMPTY_NAMES.includes(name))
      report.violations.push(`${path}: the name "${name}" says nothing; name the idea it holds`)
    if (lines > HARD_LIMIT)
      report.violations.push(`${path}: ${lines} lines; the limit is ${HARD_LIMIT}`)
    else if (lines > SOFT_LIMIT && !isTest)
      report.warnings.push(`${path}: ${lines} lines; think about splitting above ${SOFT_LIMIT}`)
  }
  return report
}

/** Files that git tracks or would add; in an unpacked archive, all files. */
function listFiles(root: string): string[] {
  const git = Bun.spawnSync(['git', 'ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: root,
  })
  const paths = git.success ? git.stdout.toString().split('\0') : readdirSync(root, WALK)
  return paths.filter((path) => !NOT_OURS.test(path) && existsSync(join(root, path)))
}

const WALK = { recursive: true, encoding: 'utf8' } as const
const NOT_OURS = /^$|^(node_modules|dist|\.cache)\//

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { files, source, warnings, violations } = checkSizes(root, listFiles(root))
  for (const warning of warnings) console.warn(`warning: ${warning}`)
  for (const violation of violations) console.error(violation)
  console.log(
    `sizes: ${files} files, ${source.lines} lines in ${source.files} files of src, ${warnings.length} warnings, ${violations.length} violations`,
  )
  process.exitCode = violations.length > 0 ? 1 : 0
}
