import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { signalGroup } from './launch.ts'

/** The shortest command that works in a shell like this one. */
export function shortestCommand(program: readonly string[]): readonly string[] {
  return isOnPath(program) ? ['inbox'] : program
}

/**
 * A command that works in all programs of this user: the short name only if a new login shell finds this same program
 * under that name. The current shell's PATH may be temporary.
 */
export async function lastingCommand(program: readonly string[]): Promise<readonly string[]> {
  const [executable = '', ...words] = program
  return words.length === 0 && (await isFoundAtLogin(executable)) ? ['inbox'] : program
}

/** Whether `inbox` on the PATH is this program, so that configurations can use the short name. */
function isOnPath([executable, ...words]: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const first = folders.map((folder) => join(folder, 'inbox')).find((path) => fs.existsSync(path))
  if (first === undefined || words.length > 0) return false
  return fs.realpathSync(first) === fs.realpathSync(executable ?? '')
}

/** A user's profile can do anything, including wait for input that never comes. */
const PATIENCE_MS = 2000

/** The shell compares the files itself, because its profile may print anything and we couldn't parse the output. */
const IS_SAME = 'found=$(command -v inbox) && test "$found" -ef "$0"'

function isFoundAtLogin(executable: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { USER, LOGNAME } = process.env
    const shell = spawn('/bin/sh', ['-lc', IS_SAME, executable], {
      env: { HOME: homedir(), USER, LOGNAME },
      stdio: 'ignore',
      // A new process group, so that whatever the profile starts ends with the shell.
      detached: true,
    })
    const end = (isFound: boolean) => {
      clearTimeout(timer)
      signalGroup(shell, 'SIGKILL')
      resolve(isFound)
    }
    const timer = setTimeout(() => end(false), PATIENCE_MS)
    shell.once('error', () => end(false))
    shell.once('exit', (code) => end(code === 0))
  })
}
