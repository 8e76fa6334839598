// Cuts the power of programs that keep files in one folder. powercut.c explains what survives and why.

import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { buildShim } from './shim.ts'

/** Starts a program with the shim, with its stdout piped unless the options say otherwise. */
export type StartProgram = (command: string, args: string[], options?: SpawnOptions) => ChildProcess

export type PowerCutOptions<T> = {
  /** The folder whose files lose whatever was not flushed. Its current contents count as flushed. */
  dir: string
  /** A new folder outside `dir` for what the disk holds after the cut. */
  shadow: string
  /** Starts programs and works with them. The power goes off when it returns or throws. */
  run(env: Record<string, string>, start: StartProgram): Promise<T>
}

/** Cuts the power of every started program. After that, the shadow can be opened and no longer changes. */
export async function powerCut<T>(options: PowerCutOptions<T>): Promise<T> {
  const dir = realpathSync(options.dir)
  mkdirSync(options.shadow)
  const shadow = realpathSync(options.shadow)
  if (isBelow(dir, shadow)) throw new Error('The shadow must be outside of the folder.')
  copyFlushed(dir, shadow)
  const env = {
    LD_PRELOAD: buildShim('powercut'),
    POWERCUT_DIR: dir,
    POWERCUT_SHADOW: shadow,
  }
  const programs: ChildProcess[] = []
  const start: StartProgram = (command, args, spawnOptions = {}) => {
    const program = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...spawnOptions,
      env: { ...(spawnOptions.env ?? process.env), ...env },
    })
    programs.push(program)
    return program
  }
  try {
    return await options.run(env, start)
  } finally {
    // The file freezes the shadow for all processes at once; the kills after it may take longer.
    writeFileSync(`${shadow}.cut`, '')
    await Promise.all(programs.map(kill))
  }
}

// Copies in another process, because a process that opens and closes a database drops its own locks on it.
function copyFlushed(dir: string, shadow: string): void {
  const { status, stderr } = spawnSync('cp', ['-R', `${dir}/.`, shadow], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Could not copy ${dir}: ${stderr}`)
}

function isBelow(dir: string, path: string): boolean {
  const way = relative(dir, path)
  return !way.startsWith('..') && !isAbsolute(way)
}

// Waits for 'close', which comes after the last byte of output, because acknowledgements in the pipe count.
async function kill(program: ChildProcess): Promise<void> {
  if (program.pid === undefined) return
  const isOpen = program.stdout !== null && !program.stdout.closed
  const hasExited = program.exitCode !== null || program.signalCode !== null
  if (hasExited && !isOpen) return
  const closed = once(program, 'close')
  program.kill('SIGKILL')
  await closed
}
