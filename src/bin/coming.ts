// A program name that is reserved and has no commands yet.

import type { Io } from '../doors/cli/io.ts'

const COMING = {
  orch: 'task graphs: runs, dependencies, retries and checks on top of inbox threads',
}

export function comingSoon(io: Io, name: keyof typeof COMING): number {
  io.err(`${name} is not built yet: it has no commands. It is reserved for ${COMING[name]}.
Today 'inbox send' hands out work, and 'agent-worker run' runs a workflow file.
`)
  return 30
}
