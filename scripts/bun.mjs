// Every command of the project goes through this file. It finds the Bun that `npm install` installed, generates code
// that is missing or stale, and runs the command. Plain JavaScript for Node 20, because it runs before anything else
// can. If install scripts are off, the `bun` package holds only a stub of a few hundred bytes; the real program is then
// in the package of this platform.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The sources of the generated code. Folders count too, because removing a file changes only its folder. */
const SOURCES = ['package.json', 'sql', 'skills', 'skills-server', 'src/store']
const MORE_SOURCES = ['src/doors/http/graphql/schema.graphql', 'scripts/generate-code.ts']
const STAMP = 'dist/.generated'

// These two environment variables change how any Bun program behaves, and the caller's shell must not affect ours.
const { BUN_OPTIONS: _options, BUN_BE_BUN: _be, ...env } = process.env
const bun = findBun()
if (isStale()) {
  const script = pathOf('scripts/generate-code.ts')
  const { status } = spawnSync(bun, [script], { stdio: ['ignore', 2, 2], env })
  if (status !== 0) process.exit(status ?? 1)
}
const args = process.argv.slice(2)
// `npm install` runs this file without arguments.
if (args.length > 0) {
  const child = spawn(bun, args, { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function findBun() {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch
  const platforms = ['', '-musl'].map((libc) => `@oven/bun-${os}-${cpu}${libc}/bin/bun`)
  const places = ['bun/bin/bun.exe', ...platforms, `@oven/bun-${os}-${cpu}/bin/bun.exe`]
  const found = places
    .map((place) => pathOf(`node_modules/${place}`))
    .find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000)
  if (!found) throw new Error('Bun is not installed: run `npm install` first')
  return found
}

function isStale() {
  const stamp = statSync(pathOf(STAMP), { throwIfNoEntry: false })
  if (!stamp) return true
  const outputs = readFileSync(pathOf(STAMP), 'utf8').trim().split('\n')
  const inputs = [...SOURCES.flatMap(withContents), ...MORE_SOURCES]
  return (
    outputs.some((path) => !statSync(pathOf(path), { throwIfNoEntry: false })) ||
    inputs.some(
      (path) => (statSync(pathOf(path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > stamp.mtimeMs,
    )
  )
}

function withContents(path) {
  const entries = statSync(pathOf(path)).isDirectory()
    ? readdirSync(pathOf(path), { recursive: true, encoding: 'utf8' })
    : []
  return [path, ...entries.map((entry) => `${path}/${entry}`)]
}

function pathOf(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}
