// One program with several names: reads the process's arguments, runs the shell door and exits.

import { basename } from 'node:path'
import { isProgram } from '../doors/cli/program.ts'
import { runCli } from '../doors/cli/run.ts'
import { shellIo } from './shell.ts'

const name = basename(process.argv0).replace(/\.exe$/, '')

/** A reserved name that has no commands yet. */
const ORCH = `orch is not built yet: it has no commands. It is reserved for task graphs: runs, dependencies, retries and checks on top of inbox threads.
Today 'inbox send' hands out work, and 'agent-worker run' runs a workflow file.
`

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    console.error(`${name}: ${(error as Error)?.message ?? error}`)
    process.exitCode = 50
  },
)

async function main(): Promise<number> {
  const io = shellIo(isProgram(name) ? name : 'inbox', process.argv.slice(2))
  // A program that ends without a result has failed, even if the runtime would exit with 0.
  process.exitCode = 50
  if (name === 'orch') {
    io.err(ORCH)
    return 30
  }
  return runCli(io)
}
