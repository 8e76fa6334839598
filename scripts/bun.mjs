// Finds the Bun that `npm install` brought and hands over to it. Plain JavaScript for Node 20,
// because it runs before anything else can. With install scripts off, the `bun` package holds only
// a stub of a few hundred bytes; the real program is then in the package of this platform.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const os = process.platform === 'win32' ? 'windows' : process.platform
const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch
const places = [
  'bun/bin/bun.exe',
  ...['', '-musl'].map((c) => `@oven/bun-${os}-${cpu}${c}/bin/bun`),
]
const bun = [...places, `@oven/bun-${os}-${cpu}/bin/bun.exe`]
  .map((place) => fileURLToPath(new URL(`../node_modules/${place}`, import.meta.url)))
  .find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000)
if (!bun) throw new Error('Bun is not installed: run `npm install` first')

// These two variables change what any Bun program does; ours must not depend on the caller's shell.
const { BUN_OPTIONS: _options, BUN_BE_BUN: _be, ...env } = process.env
const child = spawn(bun, process.argv.slice(2), { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
