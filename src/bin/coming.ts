// A name of the program whose commands are not built yet. The program answers to it and says so.

import type { Io } from '../doors/cli/io.ts'

const COMING = {
  orch: 'the task graph: runs, dependencies, dispatch, retries and checks on top of inbox threads',
}

export function comingSoon(io: Io, name: keyof typeof COMING): number {
  io.err(`${name} is not here yet. It will be ${COMING[name]}. Until then use 'inbox help'.\n`)
  return 30
}
