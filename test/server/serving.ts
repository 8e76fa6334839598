// Runs the built program as a server, and talks to it as clients do and as no client would.

import { afterAll } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from '../worlds/program.ts'

export type Running = {
  url: string
  port: number
  stores: { id: string; store: string; socket: string; sign_in: string }[]
  socket: string
  signIn: string
  pid: number
  /** The lines that the server has logged so far. */
  log: () => Record<string, unknown>[]
  /** The server's output so far. */
  printed: () => string
  signal: (name: NodeJS.Signals) => void
  exited: Promise<number>
  stop: () => Promise<number>
}

type Start = {
  args?: string[]
  env?: Record<string, string>
  db?: string[]
  /** The server's limit on open files. */
  files?: number
}

/** For the top of a test file: servers and folders that are removed when the file ends. */
export function servers() {
  const folders: string[] = []
  const running: Running[] = []
  afterAll(async () => {
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map(({ exited }) => exited))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const folder = () => {
    const made = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-server-')))
    folders.push(made)
    return made
  }
  const start = async ({ args = [], env = {}, db, files }: Start = {}): Promise<Running> => {
    const home = folder()
    const stores = db ?? [join(home, 'store.db')]
    const serveArgs = [...stores.flatMap((one) => ['--db', one]), ...args]
    const child = spawnServer(serveArgs, home, env, files)
    const one = await whenServing(child)
    running.push(one)
    return one
  }
  /** Starts a server that must refuse to serve, and returns its exit code and answer. */
  const refused = async ({ args = [], db, env = {}, files }: Start) => {
    const home = folder()
    const stores = db ?? [join(home, 'store.db')]
    const serveArgs = [...stores.flatMap((one) => ['--db', one]), ...args]
    const child = spawnServer(serveArgs, home, env, files)
    const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
    return { code, answer: JSON.parse(out.trim().split('\n').at(-1) ?? '{}') }
  }
  return { folder, start, refused }
}

function spawnServer(
  args: string[],
  home: string,
  env: Record<string, string>,
  files: number | undefined,
) {
  const limit = files === undefined ? [] : ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`]
  return Bun.spawn([...limit, PROGRAM, 'serve', '--json', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

async function whenServing(child: ReturnType<typeof spawnServer>): Promise<Running> {
  let printed = ''
  let logged = ''
  let printing: Promise<void> | undefined
  const first = new Promise<string>((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of child.stdout) {
        printed += decoder.decode(chunk, { stream: true })
        if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')))
      }
      reject(new Error(`it exited before serving: ${printed} ${logged}`))
    }
    printing = read()
  })
  const logging = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) logged += decoder.decode(chunk, { stream: true })
  })()
  // Output may still arrive after the exit, so wait for that too.
  const exited = Promise.all([child.exited, printing, logging]).then(([code]) => code)
  const serving = JSON.parse(await first) as Pick<Running, 'url' | 'stores'>
  // Leaves out the last line, which may be incomplete.
  const lines = () =>
    logged
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
  return {
    ...serving,
    port: Number(new URL(serving.url).port),
    socket: serving.stores[0]?.socket ?? '',
    signIn: serving.stores[0]?.sign_in ?? '',
    pid: child.pid,
    log: () => lines().map((line) => JSON.parse(line)),
    printed: () => printed,
    signal: (name) => child.kill(name),
    exited,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

export type Answer = {
  status: number
  headers: Headers
  body: Record<string, unknown>
  text: string
}

type Call = { as?: string; token?: string; headers?: Record<string, string>; method?: string }

/** A call over the socket, as the store's owner or as an agent on the machine. */
export function bySocket(server: Running, path: string, body?: object, call: Call = {}) {
  return ask(`http://inbox${path}`, body, { ...call, unix: server.socket })
}

export function byPort(server: Running, path: string, body?: object, call: Call = {}) {
  return ask(server.url + path, body, call)
}

async function ask(
  url: string,
  body: object | undefined,
  { as, token, headers = {}, method, unix }: Call & { unix?: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as === undefined ? {} : { 'x-inbox-agent': as }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(unix === undefined ? {} : { unix }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : {},
  }
}

export function op(server: Running, name: string, input: object = {}, call: Call = {}) {
  return bySocket(server, `/api/ops/${name}`, input, call)
}

/**
 * Signs in a browser. Returns the headers that a program with its stolen cookie would send, and those of the page,
 * which also has the key.
 */
export async function signedIn(server: Running, who: object = {}) {
  const { body } = await op(server, 'sign-in', who)
  const entered = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code: String(body.code) }).toString(),
    redirect: 'manual',
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] as string
  const key = entered.headers.get('location')?.split('#key=')[1] as string
  const session = { cookie, origin: server.url }
  return { session, page: { ...session, 'x-inbox-page-key': key } }
}

export async function tokenFor(server: Running, input: object): Promise<string> {
  const { body } = await op(server, 'token-issue', input)
  return String(body.token)
}

/** Longer than anything here should take. After that, no response is coming. */
const PATIENCE_MS = 120_000

/** Sends raw bytes, and collects the response until it contains `until` or the connection closes. */
export function rawly(
  server: Running,
  bytes: string | Uint8Array,
  { until = '\r\n\r\n' } = {},
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    const done = (closed: boolean) => {
      clearTimeout(late)
      socket.destroy()
      resolve({ text, closed })
    }
    const late = setTimeout(() => done(false), PATIENCE_MS)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes(until)) done(false)
    })
    socket.on('error', () => done(true))
    socket.on('close', () => done(true))
    socket.write(bytes)
  })
}

export function statusIn(text: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
}

export type Heard = { id: number; event: string; data: Record<string, unknown> }

/** Reads an event stream as a client does. `until` resolves once enough events have arrived. */
export async function listen(
  server: Running,
  query = '',
  { headers = {}, as }: Pick<Call, 'headers' | 'as'> = {},
) {
  const leaving = new AbortController()
  const response = await fetch(`http://inbox/api/events${query}`, {
    unix: server.socket,
    signal: leaving.signal,
    headers: { ...headers, ...(as === undefined ? {} : { 'x-inbox-agent': as }) },
  })
  const heard: Heard[] = []
  let onMore = () => {}
  let isOver = false
  const reading = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const found = readBlock(block)
        if (found !== null) heard.push(found)
      }
      onMore()
    }
  })()
  const ended = reading
    .catch(() => {})
    .then(() => {
      isOver = true
      onMore()
    })
  return {
    response,
    heard,
    ended,
    leave: () => leaving.abort(),
    until: (enough: (heard: Heard[]) => boolean) =>
      new Promise<void>((resolve, reject) => {
        onMore = () => {
          if (enough(heard)) resolve()
          else if (isOver) reject(new Error('the stream ended first'))
        }
        onMore()
      }),
  }
}

function readBlock(block: string): Heard | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  if (data === undefined) return null
  return { id: Number(field('id')), event: field('event') ?? 'message', data: JSON.parse(data) }
}
