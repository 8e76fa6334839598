// Builds the small C libraries that are loaded before libc (LD_PRELOAD) to change how the disk behaves.
//
// They affect every program that calls libc's fsync: Bun, programs compiled by it, Node, postgres, the sqlite3 shell.
// Linux only; a statically linked program isn't affected.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const cacheDir = join(import.meta.dirname, '../../.cache/shims')

/** Compiles test/tools/<name>.c unless this exact source was compiled before; returns its path. */
export function buildShim(name: 'flush' | 'powercut'): string {
  if (process.platform !== 'linux') throw new Error(`The ${name} shim needs Linux (LD_PRELOAD).`)
  const source = join(import.meta.dirname, `${name}.c`)
  const compiler = process.env.CC || 'cc'
  const command = [compiler, '-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', '-pthread']
  const key = [...command, process.arch, readFileSync(source, 'utf8')].join('\0')
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
  const library = join(cacheDir, `${name}-${hash}.so`)
  if (existsSync(library)) return library

  mkdirSync(cacheDir, { recursive: true })
  // Renamed into place, because test files that run at the same time may build the same shim.
  const unfinished = `${library}.${process.pid}`
  const [program = '', ...flags] = command
  const built = spawnSync(program, [...flags, '-o', unfinished, source, '-ldl'], {
    encoding: 'utf8',
  })
  if (built.error) {
    throw new Error(
      `The ${name} shim needs a C compiler, and "${compiler}" is not there (${built.error.message}). ` +
        'Install gcc or clang, or name one in CC.',
    )
  }
  if (built.status !== 0) throw new Error(`${compiler} could not build ${name}.c:\n${built.stderr}`)
  renameSync(unfinished, library)
  return library
}
