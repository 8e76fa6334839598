// Preloaded into a runner: the process kills itself at the stage of its run that MAILROOM_DIES_AT names, which is
// either a line of its output or one of the stages below that print nothing.

import programs from 'node:child_process'
import fs from 'node:fs'
import { StatementSync } from 'node:sqlite'

const stage = process.env.MAILROOM_DIES_AT ?? ''
const PLAN = /\/plan-[0-9a-f]+\.json$/

const write = fs.writeSync as (fd: number, ...rest: unknown[]) => number
const rename = fs.renameSync
Object.assign(fs, {
  writeSync(fd: number, ...rest: unknown[]): number {
    const text = fd === 1 ? textOf(rest[0]) : ''
    dieIf('unanswered', text.startsWith('{"ok":'))
    const written = write(fd, ...rest)
    dieIf(stage, text.startsWith(`{"event":"${stage}"`))
    return written
  },
  renameSync(from: string, to: string) {
    dieIf('unplanned', PLAN.test(to))
    rename(from, to)
    dieIf('planned', PLAN.test(to))
  },
})

const statements = StatementSync.prototype as unknown as { run(...given: unknown[]): unknown }
const { run } = statements
statements.run = function (...given) {
  dieIf('unbegun', given.includes('instance_start'))
  dieIf('ending', given.includes('instance_end'))
  return run.apply(this, given)
}

const start = programs.spawn as (command: string, words: string[], ...rest: unknown[]) => unknown
Object.assign(programs, {
  spawn(command: string, words: string[], ...rest: unknown[]) {
    // The shell that ends a setup command when we end.
    dieIf('unguarded', words[1]?.startsWith('read -r line') === true)
    return start(command, words, ...rest)
  },
})

function textOf(written: unknown): string {
  return typeof written === 'string' ? written : Buffer.from(written as Uint8Array).toString('utf8')
}

function dieIf(name: string, isSo: boolean): void {
  if (name === stage && isSo) process.kill(process.pid, 'SIGKILL')
}
