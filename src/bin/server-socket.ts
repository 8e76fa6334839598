// A store's Unix socket. It's in a folder that only this user can enter, under a name derived from the store's address,
// so any program that has the store can find it. Anyone who can write the store's file can connect to it.

import fs from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { quote, refuse } from '../core/error.ts'
import { digest } from '../ops/kit/digest.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_SOCKET = 0o600
/** The longest socket path, without the final NUL, on macOS. Linux allows slightly longer ones. */
export const LONGEST_PATH = 103

/** `place` is the store's normalized address, so different spellings of an address lead to the same path. */
export async function socketPath(place: string): Promise<string> {
  return join(runtimeFolder(), `${await markOf(place)}.sock`)
}

/** A short name for a store that doesn't reveal where it is. */
export async function markOf(place: string): Promise<string> {
  return (await digest(place)).slice(0, 16)
}

/** A private per-user folder that doesn't survive a reboot. */
export function runtimeFolder(): string {
  const runtime = process.env.XDG_RUNTIME_DIR
  return runtime ? join(runtime, 'inbox') : join(tmpdir(), `inbox-${process.getuid?.() ?? 0}`)
}

/** Makes the folder private and removes a socket left by a dead server. */
export async function prepareSocket(path: string): Promise<string> {
  const full = resolve(path)
  if (Buffer.byteLength(full) > LONGEST_PATH)
    throw refuse.invalid_input`the socket's path ${quote(full)} is too long; name a shorter one with --socket, or --socket none`
  preparePrivate(dirname(full))
  const found = fs.lstatSync(full, { throwIfNoEntry: false })
  if (found === undefined) return full
  if (!found.isSocket())
    throw refuse.invalid_input`${quote(full)} exists and is not a socket; name another path with --socket`
  if (await isLive(full)) {
    const url = await urlOfServer(full)
    const where = url === null ? `and listens at ${quote(full)}` : `at ${url}`
    const remedy = "'inbox sign-in' makes a link to it"
    const another = 'to run another beside it, give that one a --socket PATH of its own, or none'
    throw refuse.invalid_state`a server for this store is already running ${where}; ${remedy}; ${another}`
  }
  fs.rmSync(full, { force: true })
  return full
}

/** Give up on a server that doesn't answer within this time. */
const PATIENCE_MS = 2000

export async function urlOfServer(path: string): Promise<string | null> {
  const url = (await healthAt(path))?.url
  return typeof url === 'string' && url !== '' ? url : null
}

type SaidHealth = { url?: unknown; instance?: unknown; store?: unknown }

export async function healthAt(path: string): Promise<SaidHealth | null> {
  if (!fs.existsSync(path)) return null
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch('http://localhost/healthz', { unix: path, signal })
    return Object(await response.json()) as SaidHealth
  } catch {
    return null
  }
}

/** Protects the socket once it exists. Until then its folder keeps other users out. */
export function protectSocket(path: string): void {
  fs.chmodSync(path, PRIVATE_SOCKET)
}

// In a world-writable parent folder, another user may have created ours first.
export function preparePrivate(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  const found = fs.lstatSync(folder)
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
  if (isOurs && (found.mode & 0o077) === 0) return
  throw refuse.invalid_state`${quote(folder)} can be entered by other users, so a socket there proves nothing; make it private (chmod 700), or name another folder with --socket`
}

export function isLive(path: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = connect(path)
    const end = (live: boolean) => {
      probe.destroy()
      done(live)
    }
    probe.once('connect', () => end(true))
    probe.once('error', () => end(isListening(path)))
  })
}

/**
 * A server that is stopped or overloaded refuses connections just like a dead one. Linux tells them apart: it lists
 * sockets that are being listened on with the flag 0x10000 and the path at the end of the line.
 */
function isListening(path: string): boolean {
  try {
    const sockets = fs.readFileSync('/proc/net/unix', 'utf8').split('\n')
    return sockets.some((line) => line.endsWith(` ${path}`) && line.split(' ')[3] === '00010000')
  } catch {
    return false
  }
}

/** How soon a socket is bound again after it was removed, for example by a cleanup of the temporary folder. */
const LOOK_MS = 1000

/** Calls `onGone` whenever the socket has disappeared, until the returned function is called. */
export function watchSocket(path: string, onGone: () => Promise<void>): () => void {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy || fs.existsSync(path)) return
    isBusy = true
    await onGone()
    isBusy = false
  }, LOOK_MS)
  return () => clearInterval(timer)
}
