// Builds the completion scripts' model from the catalogue: commands, their flags, and the flags' possible values.

import { shortId } from '../../core/short-id.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { AgentView } from '../../ops/agents/agent-view.ts'
import { callDirectly } from '../../ops/call.ts'
import { oneLine } from '../../ops/kit/drawing/text.ts'
import type { Field } from '../../ops/kit/field.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import type { RequestView } from '../../ops/requests/request-view.ts'
import { flagOf } from './argv.ts'
import {
  type Command,
  makeBashScript,
  makeFishScript,
  makeZshScript,
  type Offer,
  type SHELL_NAMES,
  type StoreValues,
  type WordValues,
} from './completion-scripts.ts'
import { GLOBAL_FLAGS } from './flags.ts'
import { commandFlags } from './help.ts'
import type { Io } from './io.ts'
import { groupsOf, operations } from './listing.ts'
import { belongsTo, type ProgramName, shortName } from './program.ts'

const LOCAL: Command[] = [
  { name: 'help', summary: 'Explain the commands.' },
  { name: 'version', summary: 'Print the version.' },
  { name: 'completion', summary: 'Print a completion script.' },
].map((one) => ({ ...one, flags: [], values: new Map() }))

const SHELLS = { bash: makeBashScript, zsh: makeZshScript, fish: makeFishScript }

export async function makeCompletion(
  shell: (typeof SHELL_NAMES)[number],
  program: ProgramName,
): Promise<string> {
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  const ofCatalogue = ops.map((op): Command => {
    const own = commandFlags(op, { all: true })
    const names = new Set(own.map((spec) => spec.flag))
    const flags = [...own, ...GLOBAL_FLAGS.filter((spec) => !names.has(spec.flag))]
    const [first] = Object.entries(op.fields).filter(([, field]) => field.positional)
    const values = new Map<string, WordValues>([['--agent', { ask: 'agents' }]])
    for (const [key, field] of Object.entries(op.fields)) {
      const found = valuesOf(key, field)
      if (found !== undefined) values.set(flagOf(key, field.kind), found)
    }
    const word = first && valuesOf(...first)
    const isFile = first?.[1].kind === 'path' || first?.[0] === 'docs'
    return { name: shortName(program, op.name), summary: op.summary, flags, word, isFile, values }
  })
  const commands = [...ofCatalogue, ...LOCAL]
  const groups = [...groupsOf(commands)].map(([group]): [string, Offer[]] => [
    group,
    offersAfter(commands, group),
  ])
  return SHELLS[shell]({
    program,
    id: program.replaceAll('-', '_'),
    commands,
    groups: [['', offersAfter(commands, '')], ...groups],
    ask: (what) => `${program} completion ${what} 2>/dev/null`,
  })
}

const FROM_STORE: Readonly<Record<string, StoreValues>> = {
  thread: 'ids',
  threads: 'ids',
  agent: 'agents',
  request: 'requests',
  requests: 'requests',
  entry: 'pushes',
  entries: 'pushes',
}

function valuesOf(key: string, { kind, of, takesBack }: Field): WordValues | undefined {
  if (of !== undefined) return { of: takesBack ? [...of, 'none'] : of }
  if (kind === 'self' || kind === 'address') return { ask: 'agents' }
  const ask = FROM_STORE[key]
  return ask && { ask }
}

/** The words that can follow a group. A word that isn't a command is described by the words that can follow it. */
function offersAfter(commands: Command[], group: string): Offer[] {
  const head = group === '' ? '' : `${group} `
  const rest = commands.filter(({ name }) => name.startsWith(head))
  const tails = rest.map(({ name, summary }) => ({ tail: name.slice(head.length), summary }))
  const byWord = Map.groupBy(tails, ({ tail }) => tail.split(' ')[0] as string)
  return [...byWord].map(([word, found]) => {
    const itself = found.find(({ tail }) => tail === word)
    const after = found.map(({ tail }) => tail.split(' ')[1]).filter((one) => one !== undefined)
    return { word, summary: itself?.summary ?? [...new Set(after)].join(', ') }
  })
}

/** The maximum number of values offered: recently active threads, agents, pending requests or latest pushes. */
const MOST = 50

type ValueSource = {
  operation: () => Promise<unknown>
  values: (answer: never) => [string, string][]
}

const SOURCES: Record<StoreValues, ValueSource> = {
  ids: {
    operation: async () => (await import('../../ops/threads/list.ts')).list,
    values: ({ threads }: { threads: Thread[] }) =>
      threads.map((one) => [shortId(one.thread_id), one.subject]),
  },
  agents: {
    operation: async () => (await import('../../ops/agents/agent-list.ts')).agentList,
    values: ({ agents }: { agents: AgentView[] }) =>
      agents.map(({ agent_id, status, role }) => [agent_id, `${status} ${role}`.trimEnd()]),
  },
  requests: {
    operation: async () => (await import('../../ops/requests/request-list.ts')).requestList,
    values: ({ requests }: { requests: RequestView[] }) =>
      requests.map(({ request_id, title }) => [shortId(request_id), title]),
  },
  pushes: {
    operation: async () => (await import('../../ops/pushes/push-history.ts')).pushHistory,
    values: ({ entries }: { entries: { entry_id: string; comments: string }[] }) =>
      entries.map(({ entry_id, comments }) => [shortId(entry_id), comments]),
  },
}

/** The shell calls this on every Tab, so a missing or unreadable store yields no values and no error. */
export async function listStoreValues(io: Io, asked: StoreValues): Promise<string> {
  const open = async () => io.find(io.locate(undefined))
  const store = await open().catch(() => null)
  if (store === null) return ''
  try {
    const house = { ...store, shell: { ...store.shell, say: () => {} } }
    const { signal } = new AbortController()
    const { operation, values } = SOURCES[asked]
    const op = (await operation()) as Operation
    const want = { op, raw: { limit: MOST }, door: 'cli', signal } as const
    const result = await callDirectly(async () => house, want)
    return values(result as never)
      .map(([value, about]) => `${value}\t${oneLine(about)}\n`)
      .join('')
  } finally {
    await store.close()
  }
}
