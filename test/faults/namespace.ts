import { spawnSync } from 'node:child_process'

/** Runs a script in a mount namespace, where only the script sees what it mounts. */
export function inNamespace(script: string, args: string[]) {
  return spawnSync(
    '/bin/sh',
    ['-c', 'exec unshare --user --map-root-user --mount sh -c "$@"', 'sh', script, 'sh', ...args],
    { encoding: 'utf8', env: { PATH: process.env.PATH }, timeout: 250_000 },
  )
}
