// One program with several names. Reads the process, runs the door and exits. Nothing else reads `process`.

import { basename } from 'node:path'
import { isProgram } from '../doors/cli/program.ts'
import { runCli } from '../doors/cli/run.ts'
import { shellIo } from './shell.ts'

const name = basename(process.argv0).replace(/\.exe$/, '')

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
  // A program that ends without a result has failed, whatever the runtime thinks.
  process.exitCode = 50
  if (name === 'orch') {
    const { comingSoon } = await import('./coming.ts')
    return comingSoon(io, name)
  }
  return runCli(io)
}
