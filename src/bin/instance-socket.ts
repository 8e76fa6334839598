// Checks whether the socket of an instance can be at a path.

import fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { quote, refuse } from '../core/error.ts'
import { healthAt, isLive, LONGEST_PATH, markOf } from './server-socket.ts'

/** In the folder of the instance. */
export const INSTANCE_SOCKET = 'context.sock'

/** An empty path means there is no socket; an empty note means there is nothing to report. */
export type SocketPlace = { path: string; note: string }

type PlaceLook = { path: string; why?: string }

/**
 * Permission bits other users must not have. In a kept folder they may look but not write, because the socket itself only
 * admits its owner. A private folder admits no one else.
 */
const OTHERS_MAY_NOT = { kept: 0o022, private: 0o077 }

/**
 * Refuses a folder in which an instance of another store runs. This store knows only about its own instances; one of another
 * store shows by its socket, if it answers.
 */
export async function mustBeOfStore(dir: string, place: string): Promise<void> {
  const health = await healthAt(join(dir, INSTANCE_SOCKET))
  if (typeof health?.store !== 'string' || health.store === (await markOf(place))) return
  throw refuse(
    'lease_conflict',
    `a run of another store, ${quote(health.instance)}, works in the folder ${quote(dir)}, and a folder has one run at a time; stop that one, or name another instance`,
    { dir },
  )
}

/** Removes a socket no one listens on any more. */
export async function preparePlace(
  wanted: string,
  how: keyof typeof OTHERS_MAY_NOT,
): Promise<PlaceLook> {
  const path = resolve(wanted)
  const no = (why: string): PlaceLook => ({ path: '', why })
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    return no(
      `the path ${quote(path)} is longer than the ${LONGEST_PATH} bytes that a socket may have`,
    )
  }
  try {
    const folder = fs.statSync(dirname(path))
    const isOurs = folder.uid === (process.getuid?.() ?? folder.uid)
    if (!folder.isDirectory() || !isOurs || (folder.mode & OTHERS_MAY_NOT[how]) !== 0) {
      return no(
        `other users may change ${quote(dirname(path))} (make it yours alone with chmod go-w)`,
      )
    }
    fs.accessSync(dirname(path), fs.constants.W_OK)
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return { path }
    if (!found.isSocket()) return no(`${quote(path)} exists and is not a socket`)
    if (await isLive(path)) return no(`another runner listens at ${quote(path)}`)
    fs.rmSync(path, { force: true })
    return { path }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return no(`${quote(dirname(path))} cannot be used: ${code ?? message}`)
  }
}
