// The commands that this user lets each store start on this machine: for each agent a digest of its command
// and folder, in a file of the user's own. Nothing is read from the store for it, because anything there may
// have come from elsewhere: with a clone, in a log that SQLite finds beside the file, in an import.
//
// (1) A store is one particular file. A copy, a clone or a restored backup is another store, whatever it holds.
// (2) Each agent has a file of its own here, so two callers that set commands at once do not undo each other.
// (3) A PostgreSQL store is named by whoever starts the program, and naming it allows its commands, except
//     those that came with an imported log.

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
  /** The store's file; PostgreSQL has none. */
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
        // A note that cannot be read, for whatever reason, does not show that anything was allowed.
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
        throw refuse(
          'invalid_input',
          `the allowed command cannot be noted in ${quote(where)}: ${code}; it will not be started`,
        )
      }
    },
  }
}

/** Only the command and its folder are allowed or held, not the times and types that start it. */
function isNothing({ command, cwd }: WakeSettings): boolean {
  return command === undefined && cwd === undefined
}

/** Tells a file from every copy of it: nobody can know beforehand which mark a copy will have. */
function fileMark(path: string): string {
  const { ino, birthtimeNs } = fs.statSync(path, { bigint: true })
  // A file number is used again after a deletion, a moment of birth is not. Some file systems keep no
  // birth; there the path has to do.
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
