// The words by which this program is started again.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The command as short as it works in a shell like this one. */
export function shortestCommand(program: readonly string[]): readonly string[] {
  return isOnPath(program) ? ['inbox'] : program
}

/**
 * The command that works wherever a program of this user may be started: the short name only if a new login
 * shell finds this very program by it. The PATH of this shell may be its own, and end with it.
 */
export async function lastingCommand(program: readonly string[]): Promise<readonly string[]> {
  const [executable = '', ...words] = program
  return words.length === 0 && (await isFoundAtLogin(executable)) ? ['inbox'] : program
}

/** Whether `inbox` on the PATH is this very program: then a configuration need not say where it is. */
function isOnPath([executable, ...words]: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const first = folders.map((folder) => join(folder, 'inbox')).find((path) => fs.existsSync(path))
  if (first === undefined || words.length > 0) return false
  return fs.realpathSync(first) === fs.realpathSync(executable ?? '')
}

/** Somebody's profile may do anything, and waits for nobody here to answer it. */
const PATIENCE_MS = 2000

/** The shell itself compares the two files: its profile may print anything. */
const IS_SAME = 'found=$(command -v inbox) && test "$found" -ef "$0"'

function isFoundAtLogin(executable: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { USER, LOGNAME } = process.env
    const shell = spawn('/bin/sh', ['-lc', IS_SAME, executable], {
      env: { HOME: homedir(), USER, LOGNAME },
      stdio: 'ignore',
      // A group of its own, so that whatever the profile has started ends with it.
      detached: true,
    })
    const end = (isFound: boolean) => {
      clearTimeout(timer)
      try {
        if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
      } catch {
        // Nothing of the group is left.
      }
      resolve(isFound)
    }
    const timer = setTimeout(() => end(false), PATIENCE_MS)
    shell.once('error', () => end(false))
    shell.once('exit', (code) => end(code === 0))
  })
}
