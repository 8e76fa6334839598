// The commands that each store may start on this machine with this user's permission: for each agent, a digest of its
// command and folder, in a file in the user's home. The store itself isn't trusted here, because its content may come
// from elsewhere: from a clone, an import, or a log that SQLite finds next to the file.
// (1) A store is one particular file. A copy, a clone or a restored backup is a different store, even with the same
//     content.
// (2) Each agent has a separate file here, so two callers that set commands at the same time don't undo each other's
//     changes.
// (3) A PostgreSQL store is named by the user who starts the program, and naming it allows its commands, except those
//     that came with an imported log.

import fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { WakeSettings } from '../core/agents/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { COMMANDS_CAME } from '../core/keeping/keeper.ts'
import type { Store } from '../core/store.ts'
import type { AllowedCommands } from '../core/waking/launch.ts'

type Options = {
  store: Store
  path: string | undefined
  digest: (text: string) => Promise<string>
}

export function allowedCommandsOf({ path, store, digest }: Options): AllowedCommands {
  const file = path === undefined ? undefined : resolve(path)
  const isNamed = async () =>
    file === undefined && (await (await store.keeper()).setting(COMMANDS_CAME)) === null
  const digestOf = ({ command, cwd }: WakeSettings) =>
    digest(JSON.stringify([command ?? null, cwd ?? null]))
  const noteOf = async (agent: string) => {
    const mark = file === undefined ? store.place : fileMark(file)
    const names = [mark, agent].map((name) => digest(name))
    const home = process.env.HOME || homedir()
    return join(home, '.config/mailroom/wakes', ...(await Promise.all(names)))
  }
  return {
    async includes(agent, wake) {
      if (isNothing(wake) || (await isNamed())) return true
      try {
        return fs.readFileSync(await noteOf(agent), 'utf8') === (await digestOf(wake))
      } catch {
        // A note we can't read is no proof that the command was allowed.
        return false
      }
    },
    async allow(agent, wake) {
      if (await isNamed()) return
      try {
        const note = await noteOf(agent)
        if (isNothing(wake)) fs.rmSync(note, { force: true })
        else writeWhole(note, await digestOf(wake))
      } catch (error) {
        const { code, path: where = store.place } = error as NodeJS.ErrnoException
        throw refuse.invalid_input`the allowed command cannot be noted in ${quote(where)}: ${String(code)}; it will not be started`
      }
    },
  }
}

/** Only the command and its folder need permission, not the timers and mail types that start it. */
function isNothing({ command, cwd }: WakeSettings): boolean {
  return command === undefined && cwd === undefined
}

/** Distinguishes a file from its copies: the mark a copy will get can't be predicted. */
function fileMark(path: string): string {
  const { ino, birthtimeNs } = fs.statSync(path, { bigint: true })
  // Inode numbers are reused after a deletion, but birth times aren't. Use the real path on file systems without birth
  // times.
  return birthtimeNs > 0n ? `${ino} ${birthtimeNs}` : `${ino} ${fs.realpathSync.native(path)}`
}

function writeWhole(path: string, text: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${crypto.randomUUID()}`
  fs.writeFileSync(fresh, text, { mode: 0o600, flush: true, flag: 'wx' })
  try {
    fs.renameSync(fresh, path)
  } catch (error) {
    fs.rmSync(fresh, { force: true })
    throw error
  }
}
