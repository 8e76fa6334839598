// Implements the workflows' host port on this machine and process.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { quote, refuse } from '../core/error.ts'
import { entryOf } from '../core/workflows/channel.ts'
import { isProgram } from '../doors/cli/program.ts'
import type { DetachedProgram, DetachWish, FollowWish, WorkflowHost } from '../workflows/host.ts'
import { machine, openMailroom } from './compose.ts'
import { environment } from './environment.ts'
import { instanceFiles } from './instance-files.ts'
import { makeLauncher, ownProgram } from './launcher.ts'
import { isGone, ownMark, thisProcess } from './process-tree.ts'
import { type ChannelSource, projectChannel } from './project-channel.ts'
import { preparePrivate, runtimeFolder } from './server-socket.ts'
import { runShell } from './setup-shell.ts'

const PRIVATE = 0o600

export function workflowHost(address: string): WorkflowHost {
  const { env } = process
  return {
    cwd: process.cwd(),
    env,
    pid: process.pid,
    program: ownProgram(),
    address,
    living: thisProcess(),
    mark: ownMark(),
    isGone,
    which,
    runnerFolder(name) {
      const steps = [runtimeFolder(), join(runtimeFolder(), 'workflows')]
      const folder = join(runtimeFolder(), 'workflows', name)
      for (const one of [...steps, folder]) preparePrivate(one)
      return folder
    },
    temporaryFolder: makeMemoryFolder,
    removeFolder: (path) => fs.rmSync(path, { recursive: true, force: true }),
    openStore: async (path) => ({ ...(await openMailroom(path)), launcher: makeLauncher(path) }),
    runShell,
    detach,
    makeFolder,
    followChannel,
    readDocument: (place, file) => instanceFiles.read(place, file),
    serveTools: async ({ store, bell, allowedCommands, ...where }) =>
      (await import('./instance-server.ts')).openInstanceServer({
        house: { ...machine, store, bell, allowedCommands },
        ...where,
      }),
    readStdin,
    now: Date.now,
  }
}

function which(program: string): string | null {
  // Paths are relative to the folder where the workflow runs.
  const isPath = program.includes('/')
  for (const folder of isPath ? [process.cwd()] : (process.env.PATH ?? '').split(delimiter)) {
    const path = isPath ? resolve(folder, program) : join(folder, program)
    try {
      fs.accessSync(path, fs.constants.X_OK)
      if (fs.statSync(path).isFile()) return path
    } catch {
      // There is no such file, or it isn't executable.
    }
  }
  return null
}

async function makeFolder(path: string, place: string): Promise<string> {
  const real = createFolder(path)
  await (await import('./instance-server.ts')).mustBeOfStore(real, place)
  return real
}

function createFolder(path: string): string {
  try {
    const above = dirname(path)
    const first = fs.mkdirSync(path, { recursive: true })
    // Agents tend to commit everything, and a channel doesn't belong in git. Leave an existing folder alone.
    if (first !== undefined && basename(above) === '.workflow' && above.startsWith(first)) {
      fs.writeFileSync(join(above, '.gitignore'), '*\n')
    }
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return fs.realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refuse.invalid_state`the instance's folder ${quote(path)} cannot be made or written (${String(code)}); make it writable, or name another with context.config.dir`
  }
}

function followChannel(wish: FollowWish, signal: AbortSignal): Promise<void> {
  const { store, instance, former, ...rest } = wish
  const of = (name: string): ChannelSource => ({
    entries: async (thread, after, limit) =>
      (await store.entries({ thread, after, limit })).map((entry) => entryOf(entry, name)),
  })
  const lookout = store.lookout()
  const before = former === null ? undefined : { ...former, source: of(former.instance) }
  return projectChannel({ ...rest, source: of(instance), lookout, former: before }, signal)
}

async function detach({ words, cwd, log }: DetachWish): Promise<DetachedProgram> {
  const [command = '', ...own] = ownProgram()
  const fd = fs.openSync(log, 'a', PRIVATE)
  // A runner that an agent starts during its turn continues after the turn.
  const { INBOX_WAKE: _, ...env } = environment({})
  // Its refusals should use the program name that the user typed.
  const name = basename(process.argv0)
  const child = spawn(command, [...own, ...words], {
    argv0: isProgram(name) ? name : 'inbox',
    cwd,
    env,
    stdio: ['ignore', fd, fd],
    detached: true,
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  fs.closeSync(fd)
  child.unref()
  return { pid: child.pid as number, ended }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of fs.createReadStream('', { fd: 0 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const PREFIX = 'inbox-workflow-'
const OWNER = 'owner'

/**
 * Creates the private folder for an in-memory run. It holds the store and its files, and is removed afterward. A killed
 * runner leaves its folder behind, marked with its process; the next in-memory run removes it.
 */
export function makeMemoryFolder(): string {
  const above = fs.realpathSync(tmpdir())
  removeLeft(above)
  const folder = fs.mkdtempSync(join(above, PREFIX))
  fs.writeFileSync(join(folder, OWNER), ownMark(), { mode: 0o600 })
  return folder
}

function removeLeft(above: string): void {
  for (const name of fs.readdirSync(above)) {
    if (name.startsWith(PREFIX) && isLeft(join(above, name))) {
      fs.rmSync(join(above, name), { recursive: true, force: true })
    }
  }
}

/** Anyone can create a folder with this prefix in the temporary folder, so only this user's folders count. */
function isLeft(folder: string): boolean {
  try {
    const found = fs.lstatSync(folder)
    const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
    return isOurs && isGone(fs.readFileSync(join(folder, OWNER), 'utf8'))
  } catch {
    // The runner has just removed the folder, or hasn't marked it yet.
    return false
  }
}
