// The commands `inbox` and `agent-worker` for the program of a turn. They start the very program that runs the workflow,
// wherever it lies and whatever else is installed, so that an agent can speak on a machine where nothing is.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { shellWord } from '../core/shell-word.ts'

/** `folder` is private to the agent. `program` are the words that start this program as `inbox`. */
export function withOwnCommands(
  env: Record<string, string>,
  folder: string,
  program: readonly string[],
): Record<string, string> {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true, mode: 0o700 })
  put(join(bin, 'inbox'), program, '')
  put(join(bin, 'agent-worker'), program, ' workflow')
  return { ...env, PATH: [bin, env.PATH].filter(Boolean).join(delimiter) }
}

/**
 * One file knows by a link under which name it was called; several words need a script. Whatever stands there is
 * replaced and never written over, because another program may be starting it.
 */
function put(path: string, program: readonly string[], word: string): void {
  const [file = '', ...more] = program
  const made = `${path}.new`
  rmSync(made, { force: true })
  if (more.length === 0) symlinkSync(file, made)
  else {
    const start = program.map(shellWord).join(' ')
    writeFileSync(made, `#!/bin/sh\nexec ${start}${word} "$@"\n`, { mode: 0o700 })
  }
  renameSync(made, path)
}
