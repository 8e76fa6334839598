// What this user lets each store start on this machine: of each agent, what wakes it, as a digest in a file
// of the user's own. Nothing in the store takes part in it, because whatever is there may have come from
// elsewhere: with a clone, in a log that SQLite finds beside the file, in an import.
//
// (1) A store is the very file: what was copied, cloned, unpacked or restored is another, whatever it says.
// (2) An agent has one file here, so that two who set commands at once do not undo each other's.
// (3) A PostgreSQL store is named by whoever starts us, and that is its approval, unless its commands came
//     with a log.

import fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { WakeSettings } from '../core/agents/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { COMMANDS_CAME } from '../core/keeping/keeper.ts'
import type { Store } from '../core/store.ts'
import type { Approval } from '../core/waking/launch.ts'

type Approved = {
  store: Store
  /** Its file, if it has one. */
  path: string | undefined
  digest: (text: string) => Promise<string>
}

export function approvalOf({ path, store, digest }: Approved): Approval {
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
    async isGiven(agent, wake) {
      if (isNothing(wake) || (await isNamed())) return true
      try {
        return fs.readFileSync(await noteOf(agent), 'utf8') === (await digestOf(wake))
      } catch {
        // Whatever the reason that it cannot be read: nobody can say that it was given.
        return false
      }
    },
    async give(agent, wake) {
      if (await isNamed()) return
      try {
        const note = await noteOf(agent)
        if (isNothing(wake)) fs.rmSync(note, { force: true })
        else writeWhole(note, await digestOf(wake))
      } catch (error) {
        const { code, path: where = store.place } = error as NodeJS.ErrnoException
        throw refuse(
          'invalid_input',
          `what may be started cannot be noted in ${quote(where)}: ${code}; it is not started`,
        )
      }
    },
  }
}

/** When it is started does not matter here: only what is. */
function isNothing({ command, cwd }: WakeSettings): boolean {
  return command === undefined && cwd === undefined
}

/** Tells a file from every copy of it; nobody can know beforehand what that of a copy will be. */
function fileMark(path: string): string {
  const { ino, birthtimeNs } = fs.statSync(path, { bigint: true })
  // Numbers of files are given again; the moment of birth is not. Where none is kept, the path must do.
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
