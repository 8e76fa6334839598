// Different doors behind one interface. A test calls `inbox.send({...})` and gets an answer or a Refused; the door
// decides whether that is a function call or a process with flags and an exit code.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flagOf } from '../../src/doors/cli/argv.ts'
import { type CallExtras, type Client, CODES, connect, Refusal } from '../../src/index.ts'
import { CATALOGUE, loadOperation, type OperationName } from '../../src/ops/catalogue.ts'
import type { Fields } from '../../src/ops/kit/field.ts'
import { CallBook, type DoorCall } from './calls.ts'
import { mustBeAsDescribed } from './described.ts'
import { mustBeDrawn } from './drawn.ts'
import { answerOf, runProgram } from './program.ts'
import { Refused } from './refused.ts'

export type Inbox = Omit<Client, 'close' | 'export' | 'import'>
export type Imported = {
  events: number
  messages?: { added: number; known: number }
  rejected: { line: number; why: string }[]
  aside: string[]
}

export type Door = {
  /** The operations. The caller identifies itself once here, or in each call. */
  inbox(agent?: string): Inbox
  exitOf(answer: object): number
  /** The calls that went through this door. The library isn't a door of the matrix and doesn't report any. */
  calls?(): readonly DoorCall[]
  exportLog(input?: { after_event?: number; as?: 'mailbox' | 'entries' }): Promise<string>
  importLog(text: string, input?: { as?: 'mailbox' | 'entries' }): Promise<Imported>
  exportMail(input?: { format?: 'json' | 'jsonl' }): Promise<string>
  /** An export that runs until `end`. `text` returns what it has written so far. */
  followLog(input?: { as?: 'mailbox' | 'entries' }): {
    text(): Promise<string>
    end(): Promise<void>
  }
  close(): Promise<void>
}

export type Place = { address: string; folder: string }

type Input = Record<string, unknown>
type Call = (
  op: string,
  input: Input,
  agent: string | undefined,
  extras?: CallExtras,
) => Promise<object>

export function inboxOf(call: Call, agent: string | undefined): Inbox {
  const calls = Object.keys(CATALOGUE).map((op) => [
    camelCase(op),
    async (input: Input = {}, extras?: CallExtras) => {
      const answer = await call(op, input, agent, extras)
      const operation = await loadOperation(op as OperationName)
      mustBeAsDescribed(operation, answer)
      await mustBeDrawn(operation, answer)
      return answer
    },
  ])
  return Object.fromEntries(calls) as Inbox
}

function camelCase(name: string): string {
  return name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function libraryDoor({ address }: Place): Door {
  const clients = new Map<string | undefined, Promise<Client>>()
  const exits = new WeakMap<object, number>()
  const clientOf = (agent: string | undefined): Promise<Client> => {
    const open = clients.get(agent) ?? connect(address, agent === undefined ? {} : { agent })
    clients.set(agent, open)
    return open
  }
  const call: Call = async (op, input, agent, extras = {}) => {
    const client = await clientOf(agent)
    const operation = client[camelCase(op) as keyof Client] as (
      input: Input,
      extras: CallExtras,
    ) => Promise<object>
    const answer = await translateRefusal(operation(input, extras))
    const { nothing, verdict } = await loadOperation(op as OperationName)
    const code = verdict?.(answer)
    exits.set(answer, code ? CODES[code].exit : nothing?.(answer) ? 10 : 0)
    return answer
  }
  const written = async (op: string, input: Input): Promise<string> => {
    let text = ''
    const files = {
      write: async (more: string) => {
        text += more
      },
      read: noBytes,
      setAside: () => {},
      aside: 'nowhere',
    }
    await call(op, input, undefined, { files })
    return text
  }
  return {
    inbox: (agent) => inboxOf(call, agent),
    exitOf: (answer) => recorded(exits, answer),
    exportLog: (input = {}) => written('export', input),
    exportMail: (input = {}) => written('mail export', input),
    async importLog(text, input = {}) {
      const aside: string[] = []
      const files = {
        write: async () => {},
        read: () => bytesOf(text),
        setAside: (lines: readonly Uint8Array[]) =>
          void aside.push(...lines.map((line) => new TextDecoder().decode(line))),
        aside: 'a list',
      }
      const answer = await call('import', input, undefined, { files })
      return { ...(answer as Omit<Imported, 'aside'>), aside }
    },
    followLog(input = {}) {
      let text = ''
      const files = {
        write: async (more: string) => {
          text += more
        },
        read: noBytes,
        setAside: () => {},
        aside: '',
        entries: {
          known: async () => new Set<string>(),
          drop: async (ids: ReadonlySet<string>) => {
            const isKept = (line: string) => line === '' || !ids.has(JSON.parse(line).id)
            text = text.split('\n').filter(isKept).join('\n')
          },
        },
      }
      const ending = new AbortController()
      const extras = { files, signal: ending.signal }
      const following = call('export', { follow: true, ...input }, undefined, extras)
      return {
        text: async () => text,
        async end() {
          ending.abort()
          await following
        },
      }
    },
    async close() {
      for (const client of clients.values()) await (await client).close()
    },
  }
}

async function translateRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refused(error.code, CODES[error.code].exit, error.message, error.details)
  }
}

function recorded(exits: WeakMap<object, number>, answer: object): number {
  const exit = exits.get(answer)
  if (exit === undefined) throw new Error('exitOf takes an answer as it was given')
  return exit
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

export function programDoor({ address, folder }: Place): Door {
  const exits = new WeakMap<object, number>()
  const book = new CallBook()
  const call: Call = async (op, input, agent, extras = {}) => {
    const operation = await loadOperation(op as OperationName)
    const args = [...op.split(' '), '--json', `--db=${address}`]
    return book.note(operation, input, agent, async () => {
      const { fields } = operation
      // A bare name is whom the call is about, and INBOX_AGENT the caller. As a flag the name would be both.
      const [about = ''] =
        Object.entries(fields).find(([, field]) => field.kind === 'self' && field.positional) ?? []
      const { [about]: name, ...others } = input
      const isAbout = agent !== undefined && name !== undefined
      const { flags, stdin } = flagsAndStdin(isAbout ? others : input, fields)
      const words = [...args, ...flags, ...(isAbout ? [String(name)] : [])]
      const run = await runProgram(words, { folder, agent, stdin, signal: extras.signal })
      const answer = answerOf(op, run)
      exits.set(answer, run.exit)
      return answer
    })
  }
  const written = async (op: OperationName, input: Input): Promise<string> => {
    const args = [...op.split(' '), '--json', `--db=${address}`, ...flagsOf(input)]
    const run = await book.note(await loadOperation(op), input, undefined, async () => {
      const run = await runProgram(args, { folder })
      // The answer is the text on standard output; only a refusal is parsed as JSON.
      if (run.exit !== 0) answerOf(op, run)
      return run
    })
    return run.stdout
  }
  return {
    inbox: (agent) => inboxOf(call, agent),
    exitOf: (answer) => recorded(exits, answer),
    calls: () => book.calls,
    exportLog: (input = {}) => written('export', input),
    exportMail: (input = {}) => written('mail export', input),
    async importLog(text, input = {}) {
      const file = join(folder, 'log.jsonl')
      await writeFile(file, text)
      const answer = (await call('import', { file, ...input }, undefined)) as Omit<
        Imported,
        'aside'
      >
      const aside = await readFile(`${file}.rejected`, 'utf8').catch(() => '')
      return { ...answer, aside: aside.split('\n').filter((line) => line !== '') }
    },
    followLog(input = {}) {
      const file = join(folder, 'followed.jsonl')
      const ending = new AbortController()
      const args = ['export', '--follow', `--out=${file}`, `--db=${address}`, ...flagsOf(input)]
      const following = runProgram(args, { folder, signal: ending.signal })
      return {
        text: () => readFile(file, 'utf8').catch(() => ''),
        async end() {
          ending.abort()
          const { exit, stderr } = await following
          // 128 plus the number of SIGTERM, as shells expect.
          if (exit !== 143 || stderr !== '') throw new Error(`export: exit ${exit}, ${stderr}`)
        },
      }
    },
    async close() {},
  }
}

type Artifact = { path: string; kind?: string; metadata_json?: string }

/** Linux refuses an argument of 128 KiB. */
const LONGEST_ARGUMENT = 100_000

/** An input as flags. A text that is too long for one is sent on standard input. */
function flagsAndStdin(input: Input, fields: Fields): { flags: string[]; stdin?: string } {
  const [key, stdin] =
    Object.entries(input).find(
      ([name, value]) => fields[name]?.kind === 'body' && String(value).length > LONGEST_ARGUMENT,
    ) ?? []
  if (key === undefined) return { flags: flagsOf(input, fields) }
  const { [key]: _, ...others } = input
  return {
    flags: [...flagsOf(others, fields), `${flagOf(key, 'body')}-file=-`],
    stdin: String(stdin),
  }
}

/** An input as flags, each with `=` so that a value can start with dashes. */
function flagsOf(input: Input, fields: Fields = {}): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const kind = fields[key]?.kind
    const flag = flagOf(key, kind)
    if (value === undefined || value === false) return []
    if (value === null) return [`${flag}=none`]
    if (value === true) return [flag]
    if (key === 'artifacts') return (value as Artifact[]).flatMap(artifactFlags)
    if (kind === 'list') return (value as string[]).map((one) => `${flag}=${one}`)
    return [`${flag}=${Array.isArray(value) ? value.join(',') : value}`]
  })
}

function artifactFlags({ path, kind, metadata_json }: Artifact): string[] {
  return [
    `--artifact=${path}`,
    ...(kind === undefined ? [] : [`--artifact-kind=${kind}`]),
    ...(metadata_json === undefined ? [] : [`--artifact-metadata-json=${metadata_json}`]),
  ]
}
