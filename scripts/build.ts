// Compiles the one executable, dist/inbox, and gives it its two other names. The flags and their reasons are in
// decisions/0002-runtime.md. Does nothing if no input changed; --force builds anyway. Fails if Bun prints anything
// beyond its progress lines.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DEMO_PACK, packDemoFiles } from '../src/bin/demo/demo-files.ts'
import { PACK_NAME, packWebApp } from '../src/bin/web-app.ts'
import { type BuiltApp, buildWebApp } from '../src/bin/web-build.ts'
import { ROOT, runStep, seconds } from './run-step.ts'

const NAMES = ['inbox', 'orch', 'agent-worker']

const FLAGS = [
  '--compile',
  '--minify',
  '--bytecode',
  '--format=esm',
  '--splitting',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  '--compile-jit-policy=100',
  '--external=pg-native',
  // Embedded packs keep their file names.
  '--asset-naming=[name].[ext]',
]

const INPUTS = [
  'src',
  'sql',
  'examples/demo',
  'package.json',
  'package-lock.json',
  'scripts/build.ts',
]

/** The lines that a successful `bun build --compile` prints. */
const PROGRESS = /^\s*\[[\d.]+m?s\]\s+(minify|bundle|compile)\b.*$/gm

export async function build(options: { force: boolean }): Promise<string> {
  const dist = join(ROOT, 'dist')
  const stampFile = join(dist, '.stamp')
  const stamp = hashInputs()
  const isFresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (isFresh && !options.force && NAMES.every((name) => existsSync(join(dist, name))))
    return 'dist/inbox is up to date'

  mkdirSync(dist, { recursive: true })
  rmSync(stampFile, { force: true })
  // Built next to its final path and then renamed, so that a running copy keeps its file and two builds at the same
  // time can't mix.
  const temp = join(dist, `.inbox-${process.pid}`)
  const app = await buildWebApp()
  mustFit(app)
  const packs = join(dist, `.packs-${process.pid}`)
  mkdirSync(packs, { recursive: true })
  const pack = join(packs, PACK_NAME)
  writeFileSync(pack, packWebApp(app))
  const demo = join(packs, DEMO_PACK)
  writeFileSync(demo, JSON.stringify(packDemoFiles()))
  const result = await runStep({
    name: 'build',
    cmd: [process.execPath, 'build', ...FLAGS, 'src/bin/main.ts', pack, demo, `--outfile=${temp}`],
  })
  rmSync(packs, { recursive: true })
  const complaint = result.output.replaceAll(PROGRESS, '').trim()
  if (!result.ok || complaint !== '' || !existsSync(temp)) {
    rmSync(temp, { force: true })
    throw new Error(`bun build failed or complained:\n${result.output.trim()}`)
  }
  const [first = '', ...others] = NAMES.map((name) => join(dist, name))
  renameSync(temp, first)
  for (const other of others) {
    linkSync(first, temp)
    renameSync(temp, other)
    rmSync(temp, { force: true })
  }
  writeFileSync(stampFile, stamp)
  return `built dist/inbox in ${seconds(result.wallMs)}`
}

/** The most that a browser may load, in kilobytes over the network. A build that exceeds a limit fails. */
const WEB_LIMITS: { what: string; names: RegExp; most: number }[] = [
  { what: 'the script that is loaded first', names: /^main-.*\.js$/, most: 140 },
  { what: 'the worker that parses documents', names: /^document-worker-.*\.js$/, most: 40 },
  { what: 'all scripts', names: /\.js$/, most: 330 },
  { what: 'the style sheet', names: /\.css$/, most: 16 },
  { what: 'the font that is loaded first', names: /^geist-[0-9a-f]{8}\.woff2$/, most: 30 },
]

function mustFit({ files }: BuiltApp): void {
  for (const { what, names, most } of WEB_LIMITS) {
    const found = files.filter(({ name }) => names.test(name))
    if (found.length === 0) throw new Error(`${what} of the web app is not there`)
    const bytes = found.reduce((sum, file) => sum + gzipSync(file.bytes, { level: 9 }).length, 0)
    if (bytes <= most * 1000) continue
    throw new Error(`${what} of the web app takes ${bytes} bytes; at most ${most} kB are allowed`)
  }
}

function hashInputs(): string {
  const hash = new Bun.CryptoHasher('sha256')
  hash.update(Bun.version + process.platform + process.arch)
  for (const path of INPUTS.flatMap(filesIn).filter((path) => !path.includes('.test.'))) {
    hash.update(`\0${path}\0`)
    hash.update(readFileSync(join(ROOT, path)))
  }
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat ? [path] : []
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`))
}

if (import.meta.main)
  try {
    console.log(await build({ force: process.argv.includes('--force') }))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
