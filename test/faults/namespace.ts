// A place of its own for a script: what it mounts there, nobody else sees.

import { spawnSync } from 'node:child_process'

/** Runs a script where it may mount what nobody else sees. */
export function inNamespace(script: string, args: string[]) {
  return spawnSync(
    '/bin/sh',
    ['-c', 'exec unshare --user --map-root-user --mount sh -c "$@"', 'sh', script, 'sh', ...args],
    { encoding: 'utf8', env: { PATH: process.env.PATH }, timeout: 250_000 },
  )
}
